"""The things of the kinds that a question names: what the entity gate tells apart (recall.gate).

Which kinds separate memories is the vocabulary's (`EntityKind.separates`), so staff can let a kind go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memoryhub.language.names import name_key
from memoryhub.models import as_of_sql
from memoryhub.models.entity import SAME_AS
from memoryhub.recall.looking import Asked
from memoryhub.recall.together import Read

MOST_THINGS = 300

_LOAD = f"""
WITH named AS (
  SELECT DISTINCT e.kind_id FROM memoryhub_entity e JOIN memoryhub_entitykind k ON k.id = e.kind_id AND k.separates AND k.active
  WHERE e.owner_id = %(owner)s AND e.key <> '' AND strpos(%(spoken)s, e.key) > 0
)
(SELECT k.name, e.key, NULL AS other FROM memoryhub_entity e JOIN memoryhub_entitykind k ON k.id = e.kind_id
 WHERE e.owner_id = %(owner)s AND e.key <> '' AND e.kind_id IN (SELECT n.kind_id FROM named n)
 ORDER BY strpos(%(spoken)s, e.key) > 0 DESC, e.created_at DESC, e.id LIMIT {MOST_THINGS})
UNION ALL
(SELECT NULL, a.key, b.key FROM memoryhub_relation r
 JOIN memoryhub_entity a ON a.owner_id = r.owner_id AND a.id = r.from_entity_id
 JOIN memoryhub_entity b ON b.owner_id = r.owner_id AND b.id = r.to_entity_id
 WHERE r.owner_id = %(owner)s AND r.slot = '{SAME_AS}' AND {as_of_sql("r")} AND EXISTS (SELECT FROM named)
 ORDER BY r.valid_from DESC, r.id LIMIT {MOST_THINGS})
UNION ALL
SELECT k.name, NULL, NULL FROM memoryhub_entitykind k WHERE k.workspace_id = %(workspace)s AND NOT (k.separates AND k.active)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Things:
    """`kinds` gives the kind of each thing by the key of its name; `loose` are kinds that separate nothing; `same` has the
    other names of things that are known by several."""

    kinds: dict[str, str] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()
    same: dict[str, frozenset[str]] = field(default_factory=dict)


def things_read(asked: Asked) -> Read:
    """The owner's things of every kind of which the question names one, to be read together with other legs."""
    spoken = name_key("\n".join((asked.question.text, *asked.question.names))) or " "
    parameters = {
        "owner": asked.known.owner_id,
        "workspace": asked.known.workspace_id,
        "spoken": spoken,
        "valid_at": asked.moment.valid_at,
        "known_at": asked.moment.known_at,
    }
    return Read(_LOAD, parameters)


def things_of(rows: Iterable[tuple[Any, ...]]) -> Things:
    """What `things_read` answered."""
    found = list(rows)
    return Things(
        kinds={key: kind for kind, key, _ in found if kind is not None and key is not None},
        loose=frozenset(kind for kind, key, _ in found if key is None),
        same=_joined([(key, other) for kind, key, other in found if kind is None]),
    )


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """All names of one thing under each of them."""
    groups: dict[str, set[str]] = {}
    for one, other in pairs:
        joined = groups.get(one, {one}) | groups.get(other, {other})
        for name in joined:
            groups[name] = joined
    return {name: frozenset(group) for name, group in groups.items()}
