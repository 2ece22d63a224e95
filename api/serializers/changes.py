"""Changes and change sets: every step of memory, and what became of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.events import EVENT_EXAMPLE, EVENT_ID
from api.serializers.fields import INSTANT_RULE, Instant, JsonObject, OwnerRef, Strict
from api.serializers.forms import VERSION_EXAMPLE, SourceEventAnswer
from api.serializers.reviews import FATE_EXAMPLE, ReviewFateAnswer, Role, role_of
from api.serializers.verdicts import VERDICT_EXAMPLE
from memoryhub.models import Basis, Change

NEVER_TOOK_EFFECT = frozenset({"proposed", "rejected", "expired", "withdrawn", "merged"})
ENDED_WITH_A_REASON = frozenset({"rejected", "expired", "withdrawn", "merged", "reverted"})
ABOUT_A_PROPOSAL = frozenset({"withdraw", "repropose"})
"""Steps of a rollback that say what a proposal said."""

INTERNAL = frozenset({"norm", "value_key"})
"""What a snapshot holds for comparing; not answered."""

MINE = [("me", "me")]


class DuringQuery(Strict):
    owner = OwnerRef()
    session = serializers.CharField(max_length=200, required=False)
    event = serializers.UUIDField(required=False, help_text="Only what this event gave rise to.")
    agent = serializers.ChoiceField(choices=MINE, required=False, help_text="me: only the caller's own.")
    since = Instant(required=False, help_text=f"From this instant on. {INSTANT_RULE}")
    until = Instant(required=False, help_text=f"Before this instant. {INSTANT_RULE}")


class ChangeQuery(DuringQuery):
    state = serializers.ChoiceField(choices=Change.State.choices, required=False)
    action = serializers.CharField(max_length=20, required=False)
    target_kind = serializers.ChoiceField(choices=Change.Target.choices, required=False)
    form_type = serializers.CharField(max_length=60, required=False)
    subject = serializers.CharField(max_length=200, allow_blank=True, required=False)
    field = serializers.CharField(max_length=60, required=False)
    change_set = serializers.UUIDField(required=False)


class ChangeSetQuery(DuringQuery):
    act = serializers.CharField(max_length=40, required=False, help_text="For example `rollback`.")


class ChangeAnswer(serializers.Serializer[Any]):
    """One step. `reason_code` says why it was taken or has to wait, `decision_reason` why it was not kept."""

    id = serializers.UUIDField()
    change_set = serializers.UUIDField()
    action = serializers.CharField()
    state = serializers.ChoiceField(choices=Change.State.choices)
    reason_code = serializers.CharField()
    decision_reason = serializers.CharField(
        help_text="Of a change that was rejected, withdrawn, merged, expired or reverted: the code of that decision."
    )
    gates = serializers.ListField(child=serializers.CharField(), help_text="The rules it had to wait for.")
    target_kind = serializers.ChoiceField(choices=Change.Target.choices)
    target = serializers.UUIDField(
        allow_null=True, help_text="The version or memory it made; none while proposed."
    )
    replaced = serializers.UUIDField(allow_null=True, help_text="The version or memory it closed.")
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    before = JsonObject(allow_null=True)
    after = JsonObject(allow_null=True)
    is_withheld = serializers.BooleanField(
        help_text="Another agent's proposal that never took effect: what it says is not shown."
    )
    event = serializers.UUIDField(allow_null=True)
    quote = serializers.CharField()
    importance = serializers.FloatField()
    confidence = serializers.FloatField()
    trust_tier = serializers.IntegerField()
    basis = serializers.ChoiceField(choices=Basis.choices)
    is_mine = serializers.BooleanField()
    created_at = Instant()
    decided_at = Instant(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation(step_of(instance, caller_id=self.context["agent_id"]))


class TransitionAnswer(serializers.Serializer[Any]):
    """One move of a change's state; the first comes from nowhere."""

    from_state = serializers.CharField()
    to_state = serializers.ChoiceField(choices=Change.State.choices)
    by = serializers.ChoiceField(choices=Role.choices)
    reason_code = serializers.CharField()
    at = Instant()


class ChangeDetailAnswer(ChangeAnswer):
    """A step with its evidence, every move of its state, and the reviews of it."""

    source = SourceEventAnswer(allow_null=True, help_text="The event it rests on.")  # type: ignore[assignment]  # the member, not where it comes from
    evidence_stands = serializers.BooleanField(help_text="Whether the quote still occurs in its event.")
    transitions = TransitionAnswer(many=True)
    reviews = ReviewFateAnswer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        step = step_of(instance, caller_id=self.context["agent_id"])
        return serializers.Serializer.to_representation(self, {**step, **self.context["around"]})


def step_of(change: Any, *, caller_id: UUID) -> dict[str, Any]:
    """What an agent may see of a change that `changes_of` annotated."""
    same = (
        "id", "action", "state", "reason_code", "gates", "target_kind", "form_type", "importance", "confidence",
        "trust_tier", "basis", "created_at", "decided_at",
    )  # fmt: skip
    withheld = is_withheld(change, caller_id=caller_id)
    return {
        **{name: getattr(change, name) for name in same},
        "change_set": change.change_set_id,
        "decision_reason": change.last_reason if change.state in ENDED_WITH_A_REASON else "",
        "target": change.target_id,
        "replaced": change.before_id,
        "subject": change.form_subject,
        "field": change.field_name,
        "before": None if withheld and change.action in ABOUT_A_PROPOSAL else snapshot(change.before),
        "after": None if withheld else snapshot(change.after),
        "is_withheld": withheld,
        "event": change.event_id,
        "quote": "" if withheld else change.quote,
        "is_mine": change.agent_id == caller_id,
    }


def is_withheld(change: Change, *, caller_id: UUID) -> bool:
    """A proposal is never served: not as a step of the history to other agents either. A withdrawal names one as well."""
    if change.agent_id == caller_id:
        return False
    return change.state in NEVER_TOOK_EFFECT or change.action in ABOUT_A_PROPOSAL


def moves_of(transitions: Any) -> list[dict[str, Any]]:
    return [
        {
            "from_state": move.from_state,
            "to_state": move.to_state,
            "by": role_of(user_id=move.user_id, agent_id=move.agent_id),
            "reason_code": move.reason_code,
            "at": move.at,
        }
        for move in transitions
    ]


def snapshot(written: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a change wrote down of a value, without what is there for comparing."""
    if written is None:
        return None
    return {name: value for name, value in written.items() if name not in INTERNAL}


class ChangeSetAnswer(serializers.Serializer[Any]):
    """The changes of one act. Their list: /changes/ with `change_set`."""

    id = serializers.UUIDField()
    act = serializers.CharField()
    by = serializers.ChoiceField(choices=Role.choices)
    is_mine = serializers.BooleanField()
    event = serializers.UUIDField(allow_null=True)
    session = serializers.CharField()
    transport = serializers.CharField()
    reason = serializers.CharField(
        help_text="An agent's own words; what people write for each other is not shown."
    )
    created_at = Instant()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation(act_of(instance, caller_id=self.context["agent_id"]))


class LeftAloneAnswer(serializers.Serializer[Any]):
    code = serializers.CharField(
        help_text="owner_frozen, owner_erased, nothing_to_undo or history_incomplete."
    )
    number = serializers.IntegerField()
    changes = serializers.ListField(
        child=serializers.UUIDField(), help_text="The first 500; none of other owners."
    )


class ChangeSetDetailAnswer(ChangeSetAnswer):
    states = JsonObject(help_text="How many of its changes are in which state.")
    skipped = LeftAloneAnswer(many=True, help_text="Of a rollback: what it left alone, and why.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        act = act_of(instance, caller_id=self.context["agent_id"])
        more = {"states": self.context["states"], "skipped": instance.skipped}
        return serializers.Serializer.to_representation(self, {**act, **more})


def act_of(change_set: Any, *, caller_id: UUID) -> dict[str, Any]:
    """What an agent may see of a change set."""
    return {
        "id": change_set.id,
        "act": change_set.act,
        "by": role_of(user_id=change_set.user_id, agent_id=change_set.agent_id),
        "is_mine": change_set.agent_id == caller_id and change_set.user_id is None,
        "event": change_set.event_id,
        "session": change_set.session_ref,
        "transport": change_set.transport,
        "reason": change_set.reason if change_set.user_id is None else "",
        "created_at": change_set.created_at,
    }


CHANGE_SET_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e22"
CHANGE_EXAMPLE: dict[str, Any] = {
    "id": VERDICT_EXAMPLE["change_id"],
    "change_set": CHANGE_SET_ID,
    "action": "create",
    "state": "rejected",
    "reason_code": "standing_prohibition",
    "decision_reason": "joke_or_sarcasm",
    "gates": ["standing_prohibition"],
    "target_kind": "field_version",
    "target": None,
    "replaced": None,
    "form_type": "preferences",
    "subject": "咖啡",
    "field": "do_not_recommend",
    "before": None,
    "after": {"value": True},
    "is_withheld": False,
    "event": EVENT_ID,
    "quote": "以后别推荐咖啡了",
    "importance": 0.9,
    "confidence": 0.8,
    "trust_tier": 3,
    "basis": "stated",
    "is_mine": True,
    "created_at": "2026-03-01T08:00:00.530000Z",
    "decided_at": "2026-03-01T09:12:00.000000Z",
}
CHANGE_DETAIL_EXAMPLE: dict[str, Any] = {
    **CHANGE_EXAMPLE,
    "source": {**VERSION_EXAMPLE["source"], "content": "哈哈，再喝咖啡我就要变成咖啡豆了，以后别推荐咖啡了"},
    "evidence_stands": True,
    "transitions": [
        {
            "from_state": "",
            "to_state": "proposed",
            "by": "agent",
            "reason_code": "standing_prohibition",
            "at": CHANGE_EXAMPLE["created_at"],
        },
        {
            "from_state": "proposed",
            "to_state": "rejected",
            "by": "reviewer",
            "reason_code": "joke_or_sarcasm",
            "at": CHANGE_EXAMPLE["decided_at"],
        },
    ],
    "reviews": [FATE_EXAMPLE],
}
CHANGE_SET_EXAMPLE: dict[str, Any] = {
    "id": CHANGE_SET_ID,
    "act": "process_events",
    "by": "agent",
    "is_mine": True,
    "event": EVENT_ID,
    "session": EVENT_EXAMPLE["session"],
    "transport": "job",
    "reason": "",
    "created_at": CHANGE_EXAMPLE["created_at"],
}
CHANGE_SET_DETAIL_EXAMPLE: dict[str, Any] = {
    **CHANGE_SET_EXAMPLE,
    "states": {"applied": 2, "rejected": 1},
    "skipped": [],
}
