"""Form values as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from api.pagination import Order
from memoryhub.models import FieldVersion
from memoryhub.writing.aligning import known_subject

BY_NAME = Order(
    fields=("form__form_type__name", "form__subject", "field__name", "version", "id"),
    kinds=(str, str, str, int, UUID),
    falling=False,
)
OLDEST_FIRST = Order(fields=("version", "id"), kinds=(int, UUID), falling=False)


def values_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[FieldVersion]:
    """What holds at the asked times (both clocks: now), narrowed by form type and subject."""
    # The database's clock, because known times are its own.
    valid_at, known_at = asked.get("valid_at", Now()), asked.get("known_at", Now())
    versions = FieldVersion.objects.of(owner_id).holding(valid_at=valid_at, known_at=known_at)
    versions = versions.select_related("form__form_type", "field")
    if "form_type" in asked:
        versions = versions.filter(form__form_type__name=asked["form_type"])
    if "subject" in asked:
        subject, form_type = asked["subject"], asked.get("form_type", "")
        if form_type:
            subject = known_subject(owner_id=owner_id, form_type=form_type, subject=subject)
        versions = versions.filter(form__subject=subject)
    return versions


def values_in_slot(owner_id: UUID, form_type: str, field: str, asked: dict[str, Any]) -> list[FieldVersion]:
    """What one field holds, in order of arrival; several for a field that takes several."""
    return list(
        values_of(owner_id, {**asked, "form_type": form_type}).filter(field__name=field).order_by("version")
    )


def chain_of(owner_id: UUID, form_type: str, field: str, subject: str) -> QuerySet[FieldVersion]:
    """Every version the field has had, each with the event it rests on. Another spelling of the subject names it too."""
    known = known_subject(owner_id=owner_id, form_type=form_type, subject=subject)
    versions = _versions(owner_id).select_related("form__form_type", "field", "event")
    return versions.filter(form__form_type__name=form_type, form__subject=known, field__name=field)


def standing_version(owner_id: UUID, form_type: str, field: str, subject: str) -> int | None:
    """The highest active version of the field: what If-Match has to name; None when none stands."""
    active = chain_of(owner_id, form_type, field, subject).filter(status=FieldVersion.Status.ACTIVE)
    return active.order_by("-version").values_list("version", flat=True).first()


def _versions(owner_id: UUID) -> QuerySet[FieldVersion]:
    return FieldVersion.objects.of(owner_id).select_related("form__form_type", "field")
