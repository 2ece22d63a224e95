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
MOST_LOADED = 80
MOST_OFFERED = 40
"""Things of which is known what they contain that are looked at when something is to be recommended."""

MOST_MERGES = 8
"""How many names in a row are followed to the one a thing is known by."""

_WORD = re.compile(r"[a-z0-9]+")
_RECOMMENDS = re.compile(
    r"推荐|推薦|建议|建議|来一?[杯份个点]|[吃喝买買点點]什么|[吃喝买買点點]什麼|\b(?:recommend|suggest|what should|which .{1,40} should|pick|choose)",
    re.IGNORECASE,
)

_ALIKE = "SELECT {0} AS id UNION ALL SELECT t.id FROM top t WHERE t.at = {0}"
"""Every name of the thing that is known by the name {0}. Never put into an index condition: row-level security lets only
leakproof operators look at a row before its policy did, and a comparison with an array that was put together is none."""

_PATHS = f"""
WITH RECURSIVE alias (id, at, steps) AS (
  SELECT r.from_entity_id, r.to_entity_id, 1 FROM memoryhub_relation r
  WHERE r.owner_id = %(owner)s AND r.slot = '{SAME_AS}' AND {as_of_sql("r")}
  UNION ALL
  SELECT a.id, r.to_entity_id, a.steps + 1 FROM alias a
  JOIN memoryhub_relation r ON r.owner_id = %(owner)s AND r.from_entity_id = a.at AND r.slot = '{SAME_AS}' AND {as_of_sql("r")}
  WHERE a.steps < {MOST_MERGES}
), top AS MATERIALIZED (
  SELECT DISTINCT ON (a.id) a.id, a.at FROM alias a ORDER BY a.id, a.steps DESC, a.at
), spoken (name) AS MATERIALIZED (
  SELECT k.name FROM memoryhub_relationkind k WHERE k.workspace_id = %(workspace)s AND k.active AND EXISTS (
    SELECT FROM unnest(k.aliases) a (alias) WHERE strpos(%(text)s, a.alias) > 0 AND a.alias !~ '^[ -~]+$'
      OR strpos(%(words)s, ' ' || lower(a.alias) || ' ') > 0)
), self AS MATERIALIZED (
  SELECT e.id FROM memoryhub_entity e WHERE e.owner_id = %(owner)s AND e.is_owner
), start (at, named) AS (
  SELECT s.at, bool_or(s.named) FROM (
    SELECT coalesce(t.at, e.id) AS at, true AS named FROM memoryhub_entity e LEFT JOIN top t ON t.id = e.id
    WHERE e.owner_id = %(owner)s
      AND ((e.key <> '' AND strpos(%(text)s, e.key) > 0) OR (e.is_owner AND EXISTS (SELECT FROM spoken)))
    UNION ALL
    SELECT coalesce(t.at, r.from_entity_id), false FROM (
      SELECT DISTINCT o.from_entity_id FROM memoryhub_relation o JOIN memoryhub_relationkind k ON k.id = o.kind_id
      WHERE %(recommends)s AND o.owner_id = %(owner)s AND k.name = 'contains' AND {as_of_sql("o")} LIMIT {MOST_OFFERED}
    ) r LEFT JOIN top t ON t.id = r.from_entity_id
  ) s GROUP BY s.at
), path (start, named, at, alike, steps, forward, seen, edges, turned) AS (
  SELECT s.at, s.named, s.at, ARRAY({_ALIKE.format("s.at")}), 0, false, ARRAY[s.at], '{{}}'::uuid[], '{{}}'::boolean[] FROM start s
  UNION ALL
  SELECT p.start, p.named, n.other, ARRAY({_ALIKE.format("n.other")}), p.steps + 1, p.forward OR n.is_forward, p.seen || n.other, p.edges || n.id,
    p.turned || NOT n.is_forward
  FROM path p CROSS JOIN LATERAL (
    SELECT r.id, coalesce(t.at, r.to_entity_id) AS other, true AS is_forward, r.kind_id
    FROM memoryhub_relation r LEFT JOIN top t ON t.id = r.to_entity_id
    WHERE r.owner_id = %(owner)s AND r.from_entity_id = ANY(p.alike) AND r.slot <> '{SAME_AS}' AND {as_of_sql("r")}
    UNION ALL
    SELECT r.id, coalesce(t.at, r.from_entity_id), false, r.kind_id
    FROM memoryhub_relation r LEFT JOIN top t ON t.id = r.from_entity_id
    WHERE r.owner_id = %(owner)s AND r.to_entity_id = ANY(p.alike) AND r.slot <> '{SAME_AS}' AND {as_of_sql("r")}
      AND (NOT p.forward OR r.from_entity_id IN (SELECT self.id FROM self))
  ) n JOIN memoryhub_relationkind k ON k.id = n.kind_id
  WHERE p.steps < {MOST_HOPS} AND NOT coalesce(n.other = ANY(p.seen), false)
    AND (n.is_forward OR NOT p.forward OR k.warns)
    AND (NOT coalesce(p.at IN (SELECT self.id FROM self), false)
      OR (p.steps = 0 AND k.name IN (SELECT spoken.name FROM spoken)))
)
SELECT p.start, (SELECT jsonb_agg(e.name ORDER BY e.id = p.start DESC, e.name) FROM ({_ALIKE.format("p.start")}) m
    JOIN memoryhub_entity e ON e.owner_id = %(owner)s AND e.id = m.id)::text,
  (SELECT jsonb_agg(jsonb_build_array(d.id, w.turned, k.name, k.label_en, k.label_zh, k.warns, a.name, b.name, d.value,
      d.strength, d.impact, d.resolution, d.importance, d.confidence, d.basis, d.trust_tier, d.valid_from, d.event_id,
      d.last_confirmed_at, k.name IN (SELECT spoken.name FROM spoken), d.seq,
      jsonb_build_array(a.id, d.slot, CASE WHEN k.single THEN NULL ELSE b.id END),
      (SELECT jsonb_agg(o.name) FROM ({_ALIKE.format("CASE WHEN w.turned THEN a.id ELSE b.id END")}) m
       JOIN memoryhub_entity o ON o.owner_id = %(owner)s AND o.id = m.id)) ORDER BY w.place)
    FROM unnest(p.edges, p.turned) WITH ORDINALITY w (id, turned, place)
    JOIN memoryhub_relation d ON d.owner_id = %(owner)s AND d.id = w.id
    JOIN memoryhub_relationkind k ON k.id = d.kind_id
    LEFT JOIN top u ON u.id = d.from_entity_id
    LEFT JOIN top v ON v.id = d.to_entity_id
    JOIN memoryhub_entity a ON a.owner_id = %(owner)s AND a.id = coalesce(u.at, d.from_entity_id)
    LEFT JOIN memoryhub_entity b ON b.owner_id = %(owner)s AND b.id = coalesce(v.at, d.to_entity_id))::text
FROM (SELECT * FROM path WHERE path.steps > 0 ORDER BY path.named DESC, path.steps, path.edges LIMIT {MOST_LOADED}) p
"""
# `top` says of every other name which name its thing is known by; a thing that is not there has one name.


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
    seq: int
    place: tuple[str | None, ...]
    """Where only one relation can be true at a time, whichever name of a thing it was said under."""
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
    true = _true_ones(paths)
    return [
        path
        for path in paths
        if true.issuperset(path.ids) and (path.is_owners or _is_named(path, question) or recommends(question))
    ]


def _true_ones(paths: Sequence[Path]) -> set[UUID]:
    """Of relations that cannot both be true, said under two names of one thing, the one of higher trust, then the later one."""
    best: dict[tuple[str | None, ...], Hop] = {}
    for hop in (hop for path in paths for hop in path.hops):
        held = best.setdefault(hop.place, hop)
        if (hop.trust_tier, hop.valid_from, hop.seq) > (held.trust_tier, held.valid_from, held.seq):
            best[hop.place] = hop
    return {hop.id for hop in best.values()}


def _is_named(path: Path, question: Question) -> bool:
    folded = simplified(question.folded)
    return any(mentions(folded, simplified(name)) for name in path.names)


def _hop(values: list[Any]) -> Hop:
    (id_, turned, relation, en, zh, warns, start, end, value, strength, impact, resolution, *rest) = values
    importance, confidence, basis, tier, begins, event, confirmed, is_spoken_of, seq, place, names = rest
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
        seq,
        tuple(place),
        tuple(names or ()),
    )


def report(paths: Sequence[Path], milliseconds: float) -> Leg:
    return Leg(
        state="ok" if paths else "skipped",
        found=len(paths),
        milliseconds=milliseconds,
        note="" if paths else "nothing that is related is named",
    )
