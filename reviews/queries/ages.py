"""How old what is believed of an owner is: since it was last said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Count, IntegerField, Value, When
from django.db.models.functions import Coalesce

from memoryhub.models import FieldVersion, MemoryItem, Owner
from reviews.queries.scopes import of

BANDS: Sequence[tuple[str, timedelta | None]] = (
    ("day", timedelta(days=1)),
    ("week", timedelta(days=7)),
    ("month", timedelta(days=30)),
    ("quarter", timedelta(days=90)),
    ("year", timedelta(days=365)),
    ("older", None),
)
"""Upper ends; the last has none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgeBand:
    code: str
    fields: int
    items: int

    @property
    def total(self) -> int:
        return self.fields + self.items


def ages_of(*, owner: Owner, now: datetime) -> list[AgeBand]:
    """The owner's live values per band of age, the youngest first; two statements."""
    with of(owner):
        fields, items = _counted(FieldVersion, owner, now), _counted(MemoryItem, owner, now)
    return [
        AgeBand(code=code, fields=fields.get(number, 0), items=items.get(number, 0))
        for number, (code, _end) in enumerate(BANDS)
    ]


def _counted(model: type[FieldVersion | MemoryItem], owner: Owner, now: datetime) -> dict[int, int]:
    said = Coalesce("last_confirmed_at", "known_from")
    band = Case(
        *(
            When(said_at__gt=now - end, then=Value(number))
            for number, (_code, end) in enumerate(BANDS)
            if end is not None
        ),
        default=Value(len(BANDS) - 1),
        output_field=IntegerField(),
    )
    rows = model.objects.filter(owner_id=owner.id, status="active").annotate(said_at=said)
    return dict(rows.annotate(band=band).order_by().values_list("band").annotate(n=Count("id")))
