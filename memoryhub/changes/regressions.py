"""A value that stands under a tombstone: refused from whoever said it before, put before a person when it is said afresh."""

from __future__ import annotations

from dataclasses import replace

from memoryhub.changes.tombstones import lift_values, names_of, standing_tombstones
from memoryhub.models import Event, Tombstone
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, Circumstances
from memoryhub.writing.candidates import AnyCandidate, ItemCandidate


def guard_regressed(
    candidate: AnyCandidate, admission: Admission, *, circumstances: Circumstances, act: Act
) -> Admission:
    """The admission, unless the value was rejected or rolled back before: then refused, or gated as `regressed`.

    The source of what the owner says in an event is that event: his saying it again is fresh evidence. Everything else has the
    agent as its source. What a member of staff writes lifts the tombstone.
    """
    if admission.verdict not in ("admit", "review"):
        return admission
    if not isinstance(candidate, ItemCandidate) and candidate.operation == "remove":
        return admission
    names = names_of(candidate, value_norm=admission.value_norm)
    standing = standing_tombstones(owner_id=act.owner.id, names=names)
    if not standing:
        return admission
    if circumstances.by_staff:
        lift_values(owner_id=act.owner.id, names=names, user_id=act.source.user_id)
        return admission
    if any(_said_by_the_same(tombstone, act) for tombstone in standing):
        return replace(admission, verdict="refuse", code="rejected_before")
    return replace(admission, verdict="review", gates=("regressed", *admission.gates))


def approve_regressed(candidate: AnyCandidate, admission: Admission, *, act: Act) -> None:
    """A person approved the value: nothing is left to keep it out."""
    names = names_of(candidate, value_norm=admission.value_norm)
    lift_values(owner_id=act.owner.id, names=names, user_id=act.source.user_id)


def _said_by_the_same(tombstone: Tombstone, act: Act) -> bool:
    if act.event is not None and act.event.id == tombstone.event_id:
        return True
    if act.event is not None and act.event.role == Event.Role.USER:
        return False
    return tombstone.agent_id == act.source.agent_id
