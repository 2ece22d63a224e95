"""What one slot of a form holds when a value comes in. Read under the form's lock; nothing is written here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q, QuerySet

from memoryhub.models import FieldVersion, Form
from memoryhub.writing.arbitration import Standing
from memoryhub.writing.whitelist import FieldSpec

Status = FieldVersion.Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """`standing` holds now; `ran_out` is still marked active though its time is over; `last_end` is when the newest ended."""

    form: Form
    field: FieldSpec
    value_key: str
    newest: int
    last_end: datetime | None
    standing: FieldVersion | None
    ran_out: FieldVersion | None

    @classmethod
    def look(cls, *, form: Form, field: FieldSpec, value_key: str, now: datetime) -> Slot:
        versions = FieldVersion.objects.of(form.owner_id).filter(form_id=form.id, field_id=field.id)
        in_slot = Q(value_key=value_key)
        has_ended = in_slot & Q(known_until=None) & ~Q(status__in=[Status.ACTIVE, Status.SCHEDULED])
        counted = versions.aggregate(newest=Max("version"), last_end=Max("valid_until", filter=has_ended))
        active = versions.filter(in_slot, status=Status.ACTIVE).first()
        is_over = active is not None and active.valid_until is not None and active.valid_until <= now
        ends = [counted["last_end"], active.valid_until if active and is_over else None]
        return cls(
            form=form,
            field=field,
            value_key=value_key,
            newest=counted["newest"] or 0,
            last_end=max((end for end in ends if end is not None), default=None),
            standing=None if is_over else active,
            ran_out=active if is_over else None,
        )

    def as_standing(self) -> Standing | None:
        if self.standing is None:
            return None
        return Standing(
            norm=self.standing.value_norm,
            valid_from=self.standing.valid_from,
            confidence=self.standing.confidence,
            trust_tier=self.standing.trust_tier,
            is_guess=self.standing.basis == "inferred",
            by_staff=self.standing.basis == "staff",
        )

    def told_before(self, *, norm: str, moment: datetime) -> FieldVersion | None:
        """An ended version that says the same of the same time: a late fact that is told again."""
        same = self._believed().filter(value_norm=norm, valid_from__lte=moment, valid_until__gt=moment)
        return same.exclude(status__in=[Status.ACTIVE, Status.SCHEDULED]).first()

    def next_begin(self, moment: datetime) -> datetime | None:
        """When the next value of the slot began after `moment`: a late fact ends there."""
        later = self._believed().filter(valid_from__gt=moment).order_by("valid_from")
        begins: datetime | None = later.values_list("valid_from", flat=True).first()
        return begins or self.last_end

    def _believed(self) -> QuerySet[FieldVersion]:
        return FieldVersion.objects.of(self.form.owner_id).filter(
            form_id=self.form.id, field_id=self.field.id, value_key=self.value_key, known_until=None
        )
