"""What an agent should know before it says anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import AnyJson, Instant, OwnerRef, Text, as_instant
from api.serializers.forms import ClockQuery
from api.serializers.recall import MOST_BUDGET, RECALL_EXAMPLE, RECALL_STATES, VERSION_ID
from api.serializers.recall_parts import FORMAT_HELP, FORMATS, MessageAnswer
from memoryhub.models import Basis, Change, Event
from memoryhub.recall.context import ContextAnswer
from memoryhub.recall.events import EventRow
from memoryhub.recall.forms import FormRow
from memoryhub.recall.items import ItemRow
from memoryhub.recall.proposals import Proposal


class ContextQuery(ClockQuery):
    owner = OwnerRef()
    session = Text(max_length=200, required=False, default="")
    budget_tokens = serializers.IntegerField(min_value=0, max_value=MOST_BUDGET, required=False)
    format = serializers.ChoiceField(choices=FORMATS, default="json", help_text=FORMAT_HELP)


class ContextValueAnswer(serializers.Serializer[Any]):
    """What a field holds, and why it came to that."""

    id = serializers.UUIDField()
    owner = serializers.CharField()
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    value = AnyJson()
    version = serializers.IntegerField()
    basis = serializers.ChoiceField(choices=Basis.choices)
    trust_tier = serializers.IntegerField()
    valid_from = Instant()
    valid_until = Instant(allow_null=True)
    reason = serializers.CharField()
    alternatives = serializers.ListField(child=serializers.CharField())
    being_confirmed = serializers.BooleanField(help_text="A proposal about it waits for a person.")
    event = serializers.UUIDField(allow_null=True)


class DecisionAnswer(serializers.Serializer[Any]):
    """A value that changed: the path as one sentence, and its steps in the order they were true."""

    text = serializers.CharField()
    current = ContextValueAnswer()
    steps = ContextValueAnswer(many=True)


class KeyEventAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    occurred_at = Instant()
    role = serializers.ChoiceField(choices=Event.Role.choices)
    actor = serializers.CharField()
    action = serializers.CharField()
    content = serializers.CharField()
    reason = serializers.CharField()
    alternatives = serializers.ListField(child=serializers.CharField())


class RefusedAnswer(serializers.Serializer[Any]):
    """A plan or technology that was turned down and not chosen since."""

    id = serializers.UUIDField()
    option = serializers.CharField()
    content = serializers.CharField()
    since = Instant()
    trust_tier = serializers.IntegerField()
    event = serializers.UUIDField(allow_null=True)


class ProposalAnswer(serializers.Serializer[Any]):
    """Waits for a person; not true until then."""

    change = serializers.UUIDField()
    target_kind = serializers.ChoiceField(choices=Change.Target.choices)
    action = serializers.CharField()
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    before = AnyJson(allow_null=True)
    after = AnyJson(allow_null=True)
    gates = serializers.ListField(child=serializers.CharField())
    code = serializers.CharField()
    event = serializers.UUIDField(allow_null=True)
    created_at = Instant()


class ContextBody(serializers.Serializer[None]):
    recall = serializers.UUIDField(allow_null=True, help_text="Ask /recalls/ for its trace.")
    owner = serializers.CharField()
    state = serializers.ChoiceField(choices=RECALL_STATES)
    text = serializers.CharField(
        required=False,
        help_text="The fenced block to hand to a model; empty when nothing fits. Not with `format=messages`.",
    )
    messages = MessageAnswer(
        many=True, required=False, help_text="With `format=messages`: the block; none when nothing fits."
    )
    tokens = serializers.IntegerField()
    budget_tokens = serializers.IntegerField()
    rules = ContextValueAnswer(many=True, required=False, help_text="Active business rules and safety facts.")
    forms = ContextValueAnswer(many=True, required=False)
    decisions = DecisionAnswer(many=True, required=False, help_text="Newest first.")
    key_events = KeyEventAnswer(many=True, required=False, help_text="Oldest first, without the faded.")
    refused = RefusedAnswer(many=True, required=False, help_text="Not to be offered again. Newest first.")
    proposals = ProposalAnswer(many=True, required=False)
    valid_at = Instant(allow_null=True)
    known_at = Instant(allow_null=True)
    milliseconds = serializers.FloatField()


CONTEXT_DATA = ("rules", "forms", "decisions", "refused", "key_events", "proposals")
"""What only `format=json` answers with."""


def owners_in(answer: ContextAnswer) -> set[UUID]:
    """Whose memory is in the answer."""
    steps = [step for decision in answer.decisions for step in decision.steps]
    return {row.owner_id for row in (*answer.rules, *answer.forms, *steps)}


def context_body(answer: ContextAnswer, *, refs: Mapping[UUID, str]) -> dict[str, Any]:
    """The answer as JSON. `refs` names every owner in it."""
    return {
        "recall": answer.recall_id,
        "owner": refs[answer.owner_id],
        "state": answer.state,
        "text": answer.text,
        "tokens": answer.tokens,
        "budget_tokens": answer.budget_tokens,
        "rules": [_value(row, refs) for row in answer.rules],
        "forms": [_value(row, refs) for row in answer.forms],
        "decisions": [
            {
                "text": decision.text,
                "current": _value(decision.current, refs),
                "steps": [_value(step, refs) for step in decision.steps],
            }
            for decision in answer.decisions
        ],
        "key_events": [_event(event) for event in answer.key_events],
        "refused": [_refused(item) for item in answer.refused],
        "proposals": [_proposal(proposal) for proposal in answer.proposals],
        "valid_at": as_instant(answer.valid_at) if answer.valid_at else None,
        "known_at": as_instant(answer.known_at) if answer.known_at else None,
        "milliseconds": round(answer.milliseconds, 2),
    }


def _value(row: FormRow, refs: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "id": row.id,
        "owner": refs[row.owner_id],
        "form_type": row.form_type,
        "subject": row.subject,
        "field": row.field,
        "value": row.value,
        "version": row.version,
        "basis": row.basis,
        "trust_tier": row.trust_tier,
        "valid_from": as_instant(row.valid_from),
        "valid_until": as_instant(row.valid_until) if row.valid_until else None,
        "reason": row.reason,
        "alternatives": row.alternatives,
        "being_confirmed": row.being_confirmed,
        "event": row.event_id,
    }


def _event(event: EventRow) -> dict[str, Any]:
    return {
        "id": event.id,
        "occurred_at": as_instant(event.occurred_at),
        "role": event.role,
        "actor": event.actor,
        "action": event.action,
        "content": event.content,
        "reason": event.reason,
        "alternatives": event.alternatives,
    }


def _refused(item: ItemRow) -> dict[str, Any]:
    return {
        "id": item.id,
        "option": item.entities[0] if item.entities else item.attribute,
        "content": item.content,
        "since": as_instant(item.valid_from),
        "trust_tier": item.trust_tier,
        "event": item.event_id,
    }


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "change": proposal.id,
        "target_kind": proposal.target_kind,
        "action": proposal.action,
        "form_type": proposal.form_type,
        "subject": proposal.form_subject,
        "field": proposal.field,
        "before": proposal.before,
        "after": proposal.after,
        "gates": proposal.gates,
        "code": proposal.reason_code,
        "event": proposal.event_id,
        "created_at": as_instant(proposal.created_at),
    }


PLAN_A: dict[str, Any] = {
    "id": VERSION_ID,
    "owner": "customer-4711",
    "form_type": "project_config",
    "subject": "",
    "field": "plan",
    "value": "方案A",
    "version": 3,
    "basis": "stated",
    "trust_tier": 3,
    "valid_from": "2026-03-09T08:00:00.000000Z",
    "valid_until": None,
    "reason": "成本问题",
    "alternatives": ["方案B", "方案C"],
    "being_confirmed": False,
    "event": EVENT_ID,
}
PLAN_B: dict[str, Any] = {
    **PLAN_A,
    "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e09",
    "value": "方案B",
    "version": 2,
    "valid_from": "2026-03-05T08:00:00.000000Z",
    "valid_until": "2026-03-09T08:00:00.000000Z",
    "reason": "预算不够",
    "alternatives": [],
}
CONTEXT_EXAMPLE: dict[str, Any] = {
    **{
        name: RECALL_EXAMPLE[name] for name in ("recall", "owner", "state", "text", "tokens", "budget_tokens")
    },
    "rules": [],
    "forms": [PLAN_A],
    "decisions": [
        {"text": "方案B (预算不够) → 方案A (成本问题)", "current": PLAN_A, "steps": [PLAN_B, PLAN_A]}
    ],
    "key_events": [
        {
            "id": EVENT_ID,
            "occurred_at": "2026-03-09T08:00:00.000000Z",
            "role": "user",
            "actor": "",
            "action": "decision",
            "content": "还是方案A吧",
            "reason": "成本问题",
            "alternatives": ["方案B", "方案C"],
        }
    ],
    "refused": [
        {
            "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e0a",
            "option": "外包方案",
            "content": "用户否决了外包方案",
            "since": "2026-03-06T08:00:00.000000Z",
            "trust_tier": 3,
            "event": EVENT_ID,
        }
    ],
    "proposals": [],
    **{name: RECALL_EXAMPLE[name] for name in ("valid_at", "known_at", "milliseconds")},
}
