"""Which changes a person should look at, how urgent each is, and why. Pure but for the one look at the fields' modes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from memoryhub.changes.asking import is_asked
from memoryhub.models import Change, FieldDefinition, Review
from memoryhub.policies import Policy

GATE_WEIGHTS: dict[str, float] = {
    "instruction_like": 0.5,
    "regressed": 0.3,
    "payment": 0.3,
    "key_attribute_change": 0.25,
    "quote_not_in_event": 0.25,
    "field_is_gated": 0.2,
    "standing_prohibition": 0.2,
    "low_trust": 0.2,
    "lower_trust": 0.2,
    "evidence_missing": 0.15,
    "procedure": 0.15,
    "promotion": 0.15,
    "conflict": 0.1,
    "agent_is_gated": 0.1,
    "desk_edit": 0.1,
    "less_confident": 0.05,
    "confirm_with_owner": 0.05,
    "reported_outdated": 0.05,
}
"""How much each reason for waiting adds to the risk."""

IMPORTANCE_WEIGHT = 0.5
TOP_CLASS_GATES = frozenset({"instruction_like", "payment"})
TOP_CLASS_IMPORTANCE = 0.95


def risk_of(change: Change) -> tuple[float, list[tuple[str, float]]]:
    """The risk of a change in [0, 1] and its parts: half its importance plus a weight per reason it waits for."""
    parts = [("importance", round(IMPORTANCE_WEIGHT * change.importance, 3))]
    parts += [(gate, GATE_WEIGHTS[gate]) for gate in change.gates if gate in GATE_WEIGHTS]
    return min(1.0, sum(weight for _, weight in parts)), parts


def is_top_class(change: Change) -> bool:
    """Whether two people must say yes: instruction-like text, payment, or a gated value of the highest importance."""
    return bool(top_class_reasons(change))


def reviews_for(changes: Sequence[Change], *, policy: Policy, now: datetime) -> list[Review]:
    """Unsaved reviews: one per proposed change, and one per sampled applied change."""
    proposed = [change for change in changes if change.state == Change.State.PROPOSED]
    applied = [change for change in changes if change.state == Change.State.APPLIED]
    drawn = [change for change in applied if is_sampled(change, policy=policy)]
    unreviewed = _unreviewed_fields(drawn)
    sampled = [change for change in drawn if (change.form_type, change.field_name) not in unreviewed]
    return [_review(change, Review.Kind.PROPOSAL, policy, now) for change in proposed] + [
        _review(change, Review.Kind.PATROL, policy, now) for change in sampled
    ]


def _unreviewed_fields(drawn: Sequence[Change]) -> set[tuple[str, str]]:
    """Form type and name of the fields whose mode is `none`: what goes into them is never sampled."""
    fields = {(change.form_type, change.field_name) for change in drawn if change.field_name}
    if not fields:
        return set()
    unreviewed = FieldDefinition.objects.filter(
        form_type__workspace_id=drawn[0].workspace_id,
        form_type__name__in={form_type for form_type, _name in fields},
        review_mode=FieldDefinition.ReviewMode.NONE,
    )
    return set(unreviewed.values_list("form_type__name", "name"))


def is_sampled(change: Change, *, policy: Policy) -> bool:
    """Whether an applied change is in the patrol sample: a fixed share by the change's id, higher for what matters most."""
    if change.action not in ("create", "supersede", "correct") or change.basis == "staff":
        return False
    return patrol_draw(change) < patrol_share(change, policy=policy)


def patrol_draw(change: Change) -> float:
    """A number in [0, 1) that the change's id fixes."""
    return int.from_bytes(hashlib.blake2b(change.id.bytes, digest_size=4).digest()) / 2**32


def patrol_share(change: Change, *, policy: Policy) -> float:
    """The share of changes like this one that is sampled."""
    important = change.importance >= policy.gate_from_importance
    return policy.patrol_share_important if important else policy.patrol_share


def top_class_reasons(change: Change) -> list[str]:
    """Why two people must say yes: the gates that ask for it, and `highest_importance`; empty outside the class."""
    reasons = [gate for gate in change.gates if gate in TOP_CLASS_GATES]
    if "field_is_gated" in change.gates and change.importance >= TOP_CLASS_IMPORTANCE:
        reasons.append("highest_importance")
    return reasons


def _review(change: Change, kind: str, policy: Policy, now: datetime) -> Review:
    risk, parts = risk_of(change)
    top = kind == Review.Kind.PROPOSAL and is_top_class(change)
    hours = policy.review_due_hours_top if top else policy.review_due_hours
    return Review(
        owner_id=change.owner_id,
        workspace_id=change.workspace_id,
        change_id=change.id,
        kind=kind,
        # What the field's policy wants confirmed by the owner waits for his answer first.
        state=Review.State.WAITING_OWNER if is_asked(change) else Review.State.OPEN,
        risk=risk,
        risk_parts=parts,
        is_top_class=top,
        is_regressed="regressed" in change.gates,
        four_eyes=settings.FOUR_EYES,
        responsible_user_id=change.responsible_user_id,
        due_at=now + timedelta(hours=hours),
    )
