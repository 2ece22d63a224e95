"""Memory items by id, as far as they hold at the asked moment, with all their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memoryhub.models import as_of_sql
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Moment
from memoryhub.recall.together import Read

_HOLDING = f"""
SELECT i.owner_id, i.id, i.kind, i.content, i.entities, i.subject_entity, i.attribute, i.importance, i.confidence, i.basis,
  i.trust_tier, i.key_attribute, i.valid_from, i.last_confirmed_at, i.quote, i.event_id,
  ARRAY(SELECT s.event_id FROM memoryhub_itemsource s
    WHERE s.owner_id = i.owner_id AND s.item_id = i.id ORDER BY s.created_at),
  EXISTS (SELECT FROM memoryhub_change c
    WHERE c.owner_id = i.owner_id AND c.state = 'proposed' AND c.before_id = i.id)
FROM memoryhub_memoryitem i
WHERE i.owner_id = ANY(%(item_owners)s) AND i.status NOT IN ('forgotten', 'expired') AND {as_of_sql("i")}
  AND (i.attribute = '' OR NOT EXISTS (SELECT FROM memoryhub_memoryitem l
    WHERE l.owner_id = i.owner_id AND l.subject_entity = i.subject_entity AND l.attribute = i.attribute
      AND l.attribute <> '' AND (l.valid_from, l.seq) > (i.valid_from, i.seq) AND {as_of_sql("l")}))
"""
# Of two sentences about one attribute that both hold (one whose day has come beside the one before it) the later counts.
_LOAD = f"{_HOLDING}  AND i.id = ANY(%(ids)s) AND i.kind = ANY(%(kinds)s) AND i.procedure IS NULL"

MOST_REFUSED = 20
_REFUSED = f"""{_HOLDING}  AND i.subject_entity = 'project' AND i.value_key = 'refused'
ORDER BY i.valid_from DESC, i.seq DESC LIMIT {MOST_REFUSED}"""


@dataclass(frozen=True, slots=True)
class ItemRow:
    owner_id: UUID
    id: UUID
    kind: str
    content: str
    entities: tuple[str, ...]
    subject_entity: str
    attribute: str
    importance: float
    confidence: float
    basis: str
    trust_tier: int
    key_attribute: bool
    valid_from: datetime
    last_confirmed_at: datetime | None
    quote: str
    event_id: UUID | None
    source_ids: tuple[UUID, ...]
    being_confirmed: bool

    @property
    def event_ids(self) -> tuple[UUID, ...]:
        """The evidence, first evidence first."""
        first = (self.event_id,) if self.event_id else ()
        return tuple(dict.fromkeys((*first, *self.source_ids)))


def items_read(
    *, owner_ids: Sequence[UUID], moment: Moment, ids: Sequence[UUID], kinds: Sequence[str]
) -> Read:
    """Those of `ids` that are of the asked kinds and hold at the moment, of these owners alone; read with other legs."""
    parameters = {
        "item_owners": list(owner_ids),
        "ids": list(ids),
        "kinds": list(kinds),
        "valid_at": moment.valid_at,
        "known_at": moment.known_at,
    }
    return Read(_LOAD, parameters)


def refused_read(*, owner_id: UUID, moment: Moment) -> Read:
    """The plans and technologies that the owner turned down and has not chosen since, the newest first; at most 20."""
    parameters = {"item_owners": [owner_id], "valid_at": moment.valid_at, "known_at": moment.known_at}
    return Read(_REFUSED, parameters)


def item_rows(rows: Iterable[tuple[Any, ...]], *, known: Known) -> list[ItemRow]:
    """The items of the leg's rows: the owner's own, and of a linked owner those of the kinds that the link lets through."""
    read = (_row(values) for values in rows)
    return [row for row in read if _may_read(row, known)]


def _may_read(row: ItemRow, known: Known) -> bool:
    link = known.link_to(row.owner_id)
    return link.lets_through(row.kind) if link else row.owner_id == known.owner_id


def _row(values: tuple[Any, ...]) -> ItemRow:
    columns: list[Any] = list(values)
    columns[4], columns[16] = tuple(values[4]), tuple(values[16])
    return ItemRow(*columns)
