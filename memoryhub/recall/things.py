"""The things of the kinds that a question names: what the entity gate tells apart (recall.gate).

Which kinds separate memories is the vocabulary's (`EntityKind.separates`), so staff can let a kind go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memoryhub.language.names import name_key
from memoryhub.recall.looking import Asked
from memoryhub.recall.together import Read

MOST_THINGS = 300

_LOAD = f"""
WITH named AS (
  SELECT DISTINCT e.kind_id FROM memoryhub_entity e JOIN memoryhub_entitykind k ON k.id = e.kind_id AND k.separates AND k.active
  WHERE e.owner_id = %(owner)s AND e.key <> '' AND strpos(%(spoken)s, e.key) > 0
)
(SELECT k.name, e.key FROM memoryhub_entity e JOIN memoryhub_entitykind k ON k.id = e.kind_id
 WHERE e.owner_id = %(owner)s AND e.key <> '' AND e.kind_id IN (SELECT n.kind_id FROM named n)
 ORDER BY strpos(%(spoken)s, e.key) > 0 DESC, e.created_at DESC, e.id LIMIT {MOST_THINGS})
UNION ALL
SELECT k.name, NULL FROM memoryhub_entitykind k WHERE k.workspace_id = %(workspace)s AND NOT (k.separates AND k.active)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Things:
    """`kinds` gives the kind of each thing by the key of its name; `loose` are kinds that separate nothing."""

    kinds: dict[str, str] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()


def things_read(asked: Asked) -> Read:
    """The owner's things of every kind of which the question names one, to be read together with other legs."""
    spoken = name_key("\n".join((asked.question.text, *asked.question.names))) or " "
    return Read(
        _LOAD, {"owner": asked.known.owner_id, "workspace": asked.known.workspace_id, "spoken": spoken}
    )


def things_of(rows: Iterable[tuple[Any, ...]]) -> Things:
    """What `things_read` answered."""
    found = list(rows)
    return Things(
        kinds={key: kind for kind, key in found if key is not None},
        loose=frozenset(kind for kind, key in found if key is None),
    )
