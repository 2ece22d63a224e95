"""The relations leg: paths of at most two steps from what the question names, as far as they hold at the asked moment.

`coffee → contains milk`, `latte → belongs to coffee`, `order 7 → is shipped as SF1 → is expected on 2026-03-04`. Two names that
are said to be the same thing are one thing. Every step of the recursion names the owner; what came to a thing by way of
another one that both only point at is not followed, nor what goes through the owner himself, to whom everything is related.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memoryhub.language.names import name_key
from memoryhub.language.simplified import simplified
from memoryhub.models import as_of_sql
from memoryhub.models.entity import OWNER_NAMED, SAME_AS
from memoryhub.recall.answers import Leg
from memoryhub.recall.asking import Question, mentions
from memoryhub.recall.looking import Asked
from memoryhub.recall.together import Read

LEG = "relations"
MOST_HOPS = 2
MOST_LOADED = 200
MOST_MERGES = 8
"""How many names in a row are followed to the one a thing is known by."""

_WORD = re.compile(r"[a-z0-9]+")
_RECOMMENDS = re.compile(
    r"推荐|推薦|建议|建議|来一?[杯份个点]|[吃喝买買点點]什么|[吃喝买買点點]什麼|\b(?:recommend|suggest|what should|which .{1,40} should|pick|choose)",
    re.IGNORECASE,
)

GRAPH = f"""
holding AS MATERIALIZED (
  SELECT r.owner_id, r.id, r.from_entity_id, r.to_entity_id, r.value, r.slot, r.strength, r.impact, r.resolution, r.importance,
    r.confidence, r.basis, r.trust_tier, r.valid_from, r.valid_until, r.last_confirmed_at, r.event_id, r.seq,
    k.name AS relation, k.label_en, k.label_zh, k.warns, k.single
  FROM memoryhub_relation r JOIN memoryhub_relationkind k ON k.id = r.kind_id
  WHERE r.owner_id = %(owner)s AND {as_of_sql("r")}
), climbing (owner_id, id, at, steps) AS (
  SELECT e.owner_id, e.id, e.id, 0 FROM memoryhub_entity e WHERE e.owner_id = %(owner)s
  UNION ALL
  SELECT c.owner_id, c.id, h.to_entity_id, c.steps + 1 FROM climbing c
  JOIN holding h ON h.owner_id = c.owner_id AND h.slot = '{SAME_AS}' AND h.from_entity_id = c.at
  WHERE c.steps < {MOST_MERGES}
), root AS MATERIALIZED (
  SELECT DISTINCT ON (c.id) c.owner_id, c.id, c.at FROM climbing c ORDER BY c.id, c.steps DESC, c.at
), edge AS MATERIALIZED (
  SELECT DISTINCT ON (a.at, h.slot, CASE WHEN h.single THEN NULL ELSE b.at END)
    a.at AS start, b.at AS stop, h.*
  FROM holding h JOIN root a ON a.owner_id = h.owner_id AND a.id = h.from_entity_id
  LEFT JOIN root b ON b.owner_id = h.owner_id AND b.id = h.to_entity_id
  WHERE h.slot <> '{SAME_AS}' AND a.at IS DISTINCT FROM b.at
  ORDER BY a.at, h.slot, CASE WHEN h.single THEN NULL ELSE b.at END, h.trust_tier DESC, h.valid_from DESC, h.seq DESC
)
"""
"""What holds, which name each thing is known by (`root`), and the relations between things (`edge`): of two that cannot both be
true, said under two names of one thing, the one of higher trust, then the later one."""

_PATHS = f"""
WITH RECURSIVE {GRAPH}, spoken (name) AS (
  SELECT k.name FROM memoryhub_relationkind k WHERE k.workspace_id = %(workspace)s AND k.active AND EXISTS (
    SELECT FROM unnest(k.aliases) a (alias) WHERE strpos(%(text)s, a.alias) > 0 AND a.alias !~ '^[ -~]+$'
      OR strpos(%(words)s, ' ' || lower(a.alias) || ' ') > 0)
), start AS (
  SELECT n.owner_id, n.at, bool_or(e.is_owner OR strpos(%(text)s, e.key) > 0) AS named FROM root n
  JOIN memoryhub_entity e ON e.owner_id = n.owner_id AND e.id = n.id
  WHERE (e.key <> '' AND strpos(%(text)s, e.key) > 0) OR (e.is_owner AND EXISTS (SELECT FROM spoken))
    OR (%(recommends)s AND EXISTS (SELECT FROM edge t WHERE t.owner_id = n.owner_id AND t.start = n.at
      AND t.relation = 'contains'))
  GROUP BY n.owner_id, n.at
), self AS (
  SELECT e.id FROM memoryhub_entity e WHERE e.owner_id = %(owner)s AND e.is_owner
), path (owner_id, start, named, at, steps, forward, seen, edges, turned) AS (
  SELECT s.owner_id, s.at, s.named, s.at, 0, false, ARRAY[s.at], '{{}}'::uuid[], '{{}}'::boolean[] FROM start s
  UNION ALL
  SELECT p.owner_id, p.start, p.named, n.other, p.steps + 1, p.forward OR n.is_forward, p.seen || n.other, p.edges || n.id,
    p.turned || NOT n.is_forward
  FROM path p CROSS JOIN LATERAL (
    SELECT d.id, d.stop AS other, true AS is_forward FROM edge d WHERE d.owner_id = p.owner_id AND d.start = p.at
    UNION ALL
    SELECT d.id, d.start, false FROM edge d WHERE d.owner_id = p.owner_id AND d.stop = p.at
      AND (NOT p.forward OR (d.warns AND d.start IN (SELECT self.id FROM self)))
  ) n
  WHERE p.steps < {MOST_HOPS} AND NOT coalesce(n.other = ANY(p.seen), false)
    AND (p.steps = 0 OR NOT coalesce(p.at IN (SELECT self.id FROM self), false))
    AND (p.steps > 0 OR NOT coalesce(p.at IN (SELECT self.id FROM self), false)
      OR EXISTS (SELECT FROM edge d WHERE d.owner_id = p.owner_id AND d.id = n.id AND d.relation IN (SELECT spoken.name FROM spoken)))
)
SELECT p.start, (SELECT jsonb_agg(e.name ORDER BY e.id = p.start DESC, e.name)
    FROM root n JOIN memoryhub_entity e ON e.owner_id = n.owner_id AND e.id = n.id
    WHERE n.owner_id = p.owner_id AND n.at = p.start)::text,
  (SELECT jsonb_agg(jsonb_build_array(d.id, w.turned, d.relation, d.label_en, d.label_zh, d.warns, a.name, b.name, d.value,
      d.strength, d.impact, d.resolution, d.importance, d.confidence, d.basis, d.trust_tier, d.valid_from, d.event_id,
      d.last_confirmed_at, d.relation IN (SELECT spoken.name FROM spoken),
      (SELECT jsonb_agg(o.name) FROM root n JOIN memoryhub_entity o ON o.owner_id = n.owner_id AND o.id = n.id
       WHERE n.owner_id = d.owner_id AND n.at = CASE WHEN w.turned THEN d.start ELSE d.stop END)) ORDER BY w.place)
    FROM unnest(p.edges, p.turned) WITH ORDINALITY w (id, turned, place)
    JOIN edge d ON d.owner_id = p.owner_id AND d.id = w.id
    JOIN memoryhub_entity a ON a.owner_id = d.owner_id AND a.id = d.start
    LEFT JOIN memoryhub_entity b ON b.owner_id = d.owner_id AND b.id = d.stop)::text
FROM path p WHERE p.steps > 0
ORDER BY p.named DESC, p.steps, p.edges LIMIT {MOST_LOADED}
"""


@dataclass(frozen=True, slots=True)
class Hop:
    """One relation of a path; `is_turned`: walked from its target to its start. `names` are those of the thing it leads to;
    `is_spoken_of`: the question names its kind."""

    id: UUID
    is_turned: bool
    relation: str
    label_en: str
    label_zh: str
    warns: bool
    start: str
    end: str
    strength: float | None
    impact: int | None
    resolution: str
    importance: float
    confidence: float
    basis: str
    trust_tier: int
    valid_from: datetime
    event_id: UUID | None
    last_confirmed_at: datetime | None
    is_spoken_of: bool
    names: tuple[str, ...]

    @property
    def leads_to_owner(self) -> bool:
        return self.is_turned and not self.start

    def told(self, language: str) -> str:
        """' → contains milk'; turned, ' ← belongs to latte', as in 'coffee ← belongs to latte'."""
        label = self.label_zh if language == "zh" else self.label_en
        far = (self.start if self.is_turned else self.end) or OWNER_NAMED[language]
        told = f"{label}{'' if language == 'zh' else ' '}{far}"
        if self.resolution:
            told += f" ({self.resolution})"
        return f" ← {told}" if self.is_turned else f" → {told}"


@dataclass(frozen=True, slots=True)
class Path:
    """From a thing that the question names to another one; `names` are all names of the first."""

    start: UUID
    names: tuple[str, ...]
    hops: tuple[Hop, ...]

    @property
    def is_owners(self) -> bool:
        return not self.names[0]

    @property
    def is_bare_dislike(self) -> bool:
        """Only that the owner does not like the thing itself."""
        return len(self.hops) == 1 and self.hops[0].leads_to_owner and self.hops[0].warns

    @property
    def ids(self) -> tuple[UUID, ...]:
        return tuple(hop.id for hop in self.hops)

    def told(self, language: str, *, asked: Question | None = None) -> str:
        """'coffee → contains milk', under the name that the question uses."""
        spoken = [name for name in self.names if asked and name and asked.mentions(name)]
        named = max(spoken, key=len, default=self.names[0])
        return (named or OWNER_NAMED[language]) + "".join(hop.told(language) for hop in self.hops)


def relations_read(asked: Asked) -> Read:
    """What the leg asks, to be read together with other legs."""
    text = name_key("\n".join((asked.question.text, *asked.request.entities))) or " "
    return Read(
        _PATHS,
        {
            "owner": asked.known.owner_id,
            "workspace": asked.known.workspace_id,
            "text": text,
            "words": f" {' '.join(_WORD.findall(text))} ",
            "recommends": recommends(asked.question),
            "valid_at": asked.moment.valid_at,
            "known_at": asked.moment.known_at,
        },
    )


def recommends(question: Question) -> bool:
    """Whether something is to be chosen for the owner: then what he cannot have is told unasked."""
    return bool(_RECOMMENDS.search(question.text))


def path_rows(rows: Iterable[tuple[Any, ...]], *, question: Question) -> list[Path]:
    """The paths that start with something the question names (SQL compared letters, here it is words), or, when something is to
    be recommended, with anything of which is known what it contains; then those that say no more than a longer one go."""
    paths = [
        Path(start, tuple(orjson.loads(names)), tuple(_hop(values) for values in orjson.loads(hops)))
        for start, names, hops in rows
    ]
    return [path for path in paths if path.is_owners or _is_named(path, question) or recommends(question)]


def _is_named(path: Path, question: Question) -> bool:
    folded = simplified(question.folded)
    return any(mentions(folded, simplified(name)) for name in path.names)


def _hop(values: list[Any]) -> Hop:
    (id_, turned, relation, en, zh, warns, start, end, value, strength, impact, resolution, *rest) = values
    importance, confidence, basis, tier, begins, event, confirmed, is_spoken_of, names = rest
    return Hop(
        UUID(id_),
        turned,
        relation,
        en,
        zh,
        warns,
        start,
        value if end is None else end,
        strength,
        impact,
        resolution,
        importance,
        confidence,
        basis,
        tier,
        datetime.fromisoformat(begins),
        UUID(event) if event else None,
        datetime.fromisoformat(confirmed) if confirmed else None,
        is_spoken_of,
        tuple(names or ()),
    )


def report(paths: Sequence[Path], milliseconds: float) -> Leg:
    return Leg(
        state="ok" if paths else "skipped",
        found=len(paths),
        milliseconds=milliseconds,
        note="" if paths else "nothing that is related is named",
    )
