"""Memory items in and out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.changes import ABOUT_A_PROPOSAL, is_withheld, snapshot
from api.serializers.events import EVENT_EXAMPLE, EVENT_ID
from api.serializers.evidence import Claimed, as_claim
from api.serializers.fields import AnyJson, Instant, JsonObject, OwnerRef, Strict, Text
from api.serializers.forms import ClockQuery
from api.serializers.procedures import ProcedureAnswer, ProcedureGiven, as_procedure
from api.serializers.reviews import Role, role_of
from api.serializers.verdicts import VERDICT_EXAMPLE, VerdictAnswer
from memoryhub.models import Basis, Change, MemoryItem
from memoryhub.writing.structured import MOST_CONTENT, MOST_ENTITIES

MOST_MEMORIES = 100
WRITABLE_KINDS = [
    (value, label) for value, label in MemoryItem.Kind.choices if value != MemoryItem.Kind.KNOWLEDGE
]


def entity_list(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=Text(max_length=200), max_length=MOST_ENTITIES, **options)


class MemoryContent(Claimed):
    """One sentence worth recalling, or a procedure. With a subject and an attribute a sentence may supersede an earlier one."""

    content = Text(
        max_length=MOST_CONTENT, required=False, help_text="The sentence; left out with a procedure."
    )
    kind = serializers.ChoiceField(choices=WRITABLE_KINDS, default=MemoryItem.Kind.SEMANTIC)
    entities = entity_list(default=list)
    subject_entity = Text(max_length=200, allow_blank=True, default="")
    attribute = Text(max_length=200, allow_blank=True, default="")
    value = Text(max_length=500, allow_blank=True, default="")
    metadata = JsonObject(default=dict)
    session = Text(max_length=200, allow_blank=True, default="")
    procedure = ProcedureGiven(
        required=False,
        allow_null=True,
        default=None,
        help_text="With kind `procedural`, in the place of content; a person always decides about it.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Either a sentence or a procedure."""
        if attrs["procedure"] is None and "content" not in attrs:
            raise serializers.ValidationError(
                {"content": serializers.ErrorDetail("required without a procedure", "required")}
            )
        if attrs["procedure"] is not None and "content" in attrs:
            raise serializers.ValidationError(
                {"content": serializers.ErrorDetail("the procedure is the content", "two_contents")}
            )
        if attrs["procedure"] is not None and attrs["kind"] != MemoryItem.Kind.PROCEDURAL:
            raise serializers.ValidationError(
                {"kind": serializers.ErrorDetail("steps are those of a procedural memory", "not_procedural")}
            )
        return super().validate(attrs)


class MemoryWrite(MemoryContent):
    owner = OwnerRef()


class MemoryBatchWrite(Strict):
    """Up to 100 memories of one owner. Each is settled by itself; a faulty one does not stop the others."""

    owner = OwnerRef()
    memories = serializers.ListField(child=MemoryContent(), min_length=1, max_length=MOST_MEMORIES)


class MemoryBatchEnvelope(Strict):
    """The batch without looking into its memories."""

    owner = OwnerRef()
    memories = serializers.ListField(child=AnyJson(), min_length=1, max_length=MOST_MEMORIES)


class MemoryEdit(Strict):
    """What is not named stays as it is."""

    owner = OwnerRef()
    content = Text(max_length=MOST_CONTENT, required=False)
    procedure = ProcedureGiven(required=False, help_text="Of a procedure, all of its parts anew.")
    entities = entity_list(required=False)
    metadata = JsonObject(required=False, help_text="Merged; a member set to null is cleared.")


class MemoryQuery(ClockQuery):
    owner = OwnerRef()
    kind = serializers.ChoiceField(choices=MemoryItem.Kind.choices, required=False)
    entity = Text(max_length=200, required=False)
    status = serializers.ChoiceField(
        choices=MemoryItem.Status.choices,
        required=False,
        help_text="Instead of the times: all with this status.",
    )


class MemoryAnswer(serializers.Serializer[Any]):
    """How a memory stands, or stood. An edit of its words keeps its id, its evidence and everything else that was not edited."""

    id = serializers.UUIDField(
        source="memory_id",
        help_text="Stays when the words are edited; another value of its attribute is another memory.",
    )
    seq = serializers.IntegerField(
        help_text="Of this wording: order of arrival within the owner; also the ETag."
    )
    kind = serializers.ChoiceField(choices=MemoryItem.Kind.choices)
    content = serializers.CharField()
    entities = serializers.ListField(child=serializers.CharField())
    subject_entity = serializers.CharField()
    attribute = serializers.CharField()
    status = serializers.ChoiceField(choices=MemoryItem.Status.choices)
    superseded_by_seq = serializers.IntegerField(allow_null=True)
    basis = serializers.ChoiceField(choices=Basis.choices)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    trust_tier = serializers.IntegerField()
    confirmations = serializers.IntegerField()
    last_confirmed_at = Instant(allow_null=True)
    valid_from = Instant()
    valid_until = Instant(allow_null=True)
    known_from = Instant()
    known_until = Instant(allow_null=True)
    event = serializers.UUIDField(source="event_id", allow_null=True)
    quote = serializers.CharField()
    metadata = JsonObject()
    procedure = ProcedureAnswer(allow_null=True, help_text="Its parts; `content` is their text.")
    followed = serializers.IntegerField(help_text="How often agents said that they followed it.")
    session = serializers.CharField(source="session_ref")
    created_at = Instant(source="begun_at", help_text="When its first wording was written.")
    created_by = serializers.UUIDField(
        source="begun_by", allow_null=True, help_text="The agent that wrote it; null: a person at the desk."
    )
    updated_at = Instant()
    updated_by = serializers.UUIDField(
        source="updated_by_agent_id",
        allow_null=True,
        help_text="The agent that last wrote, edited, confirmed or closed it; null: a person or the service.",
    )


class MemoryStepAnswer(serializers.Serializer[Any]):
    """One step of a memory: what it said before and after, when, and whose step it was."""

    change = serializers.UUIDField()
    at = Instant()
    action = serializers.CharField()
    state = serializers.ChoiceField(choices=Change.State.choices)
    reason_code = serializers.CharField()
    by = serializers.ChoiceField(choices=Role.choices)
    agent = serializers.UUIDField(allow_null=True)
    before = JsonObject(allow_null=True)
    after = JsonObject(allow_null=True)
    is_withheld = serializers.BooleanField(
        help_text="Another agent's proposal that never took effect: what it says is not shown."
    )
    event = serializers.UUIDField(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation(memory_step(instance, caller_id=self.context["agent_id"]))


class MemoryHistoryAnswer(serializers.Serializer[Any]):
    """`results`: every wording and every memory it took the place of. `steps`: what happened to them, its end included."""

    results = MemoryAnswer(many=True)
    steps = MemoryStepAnswer(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


def memory_step(change: Change, *, caller_id: UUID) -> dict[str, Any]:
    """What an agent may see of one step."""
    withheld = is_withheld(change, caller_id=caller_id)
    by_person = change.change_set.user_id
    return {
        "change": change.id,
        "at": change.decided_at if change.candidate is not None and change.decided_at else change.created_at,
        "action": change.action,
        "state": change.state,
        "reason_code": change.reason_code,
        "by": role_of(user_id=by_person, agent_id=change.agent_id),
        "agent": None if by_person is not None else change.agent_id,
        "before": None if withheld and change.action in ABOUT_A_PROPOSAL else snapshot(change.before),
        "after": None if withheld else snapshot(change.after),
        "is_withheld": withheld,
        "event": change.event_id,
    }


class MemoryResultAnswer(VerdictAnswer):
    """The verdict on one memory of a batch; a malformed one has the outcome `refused` and the field at fault."""

    index = serializers.IntegerField()
    message = serializers.CharField()

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        return {
            **super().to_representation(instance),
            "index": instance["index"],
            "message": instance.get("message", ""),
        }


class MemoryBatchAnswer(serializers.Serializer[None]):
    memories = MemoryResultAnswer(many=True)


def as_new_memory(values: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments of the write service."""
    procedure = values["procedure"]
    return {
        "content": values.get("content", ""),
        "procedure": as_procedure(procedure) if procedure else None,
        "item_kind": values["kind"],
        "entities": tuple(values["entities"]),
        "subject_entity": values["subject_entity"],
        "attribute": values["attribute"],
        "value": values["value"],
        "metadata": values["metadata"],
        "session_ref": values["session"],
        **as_claim(values),
    }


MEMORY_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e06"
MEMORY_VERDICT: dict[str, Any] = {**VERDICT_EXAMPLE, "kind": "item", "field": "", "target_id": MEMORY_ID}
MEMORY_EXAMPLE: dict[str, Any] = {
    "id": MEMORY_ID,
    "seq": 7,
    "kind": "semantic",
    "content": "Prefers answers with a short example.",
    "entities": [],
    "subject_entity": "",
    "attribute": "",
    "status": "active",
    "superseded_by_seq": None,
    "basis": "stated",
    "confidence": 0.9,
    "importance": 0.7,
    "trust_tier": 3,
    "confirmations": 0,
    "last_confirmed_at": None,
    "valid_from": "2026-03-01T08:00:00.000000Z",
    "valid_until": None,
    "known_from": "2026-03-01T08:00:00.530000Z",
    "known_until": None,
    "event": EVENT_ID,
    "quote": "a short example, please",
    "metadata": {},
    "procedure": None,
    "followed": 0,
    "session": "chat-17",
    "created_at": "2026-03-01T08:00:00.530000Z",
    "created_by": EVENT_EXAMPLE["agent"],
    "updated_at": "2026-03-01T08:00:00.530000Z",
    "updated_by": EVENT_EXAMPLE["agent"],
}
MEMORY_HISTORY_EXAMPLE: dict[str, Any] = {
    "results": [MEMORY_EXAMPLE],
    "steps": [
        {
            "change": VERDICT_EXAMPLE["change_id"],
            "at": MEMORY_EXAMPLE["created_at"],
            "action": "create",
            "state": "applied",
            "reason_code": "",
            "by": "agent",
            "agent": EVENT_EXAMPLE["agent"],
            "before": None,
            "after": {"content": MEMORY_EXAMPLE["content"], "seq": 7},
            "is_withheld": False,
            "event": EVENT_ID,
        }
    ],
    "next": None,
    "previous": None,
}
