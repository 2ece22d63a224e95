"""A tool's or the system's structured value: an event with `after` that names a form field."""

from __future__ import annotations

from memoryhub.models import Event
from memoryhub.writing.candidates import FormCandidate

STRUCTURED_ROLES = frozenset({"tool", "system"})
OBSERVED_CONFIDENCE = 0.95


def observed_candidate(event: Event) -> FormCandidate | None:
    """The field value a tool or the system observed; None for every other event. Its trust is its key's."""
    if event.role not in STRUCTURED_ROLES or not event.form_type or not event.field_name:
        return None
    if event.after is None and event.before is None:
        return None
    return FormCandidate(
        form_type=event.form_type,
        subject=event.form_subject,
        field=event.field_name,
        value=event.after,
        operation="remove" if event.after is None else "set",
        confidence=OBSERVED_CONFIDENCE,
        basis="observed",
    )
