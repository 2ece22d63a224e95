"""Memory items in and out."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.evidence import Claimed, as_claim
from api.serializers.fields import AnyJson, Instant, JsonObject, OwnerRef, Strict, Text
from api.serializers.forms import ClockQuery
from api.serializers.verdicts import VERDICT_EXAMPLE, VerdictAnswer
from memoryhub.models import Basis, MemoryItem
from memoryhub.writing.structured import MOST_CONTENT, MOST_ENTITIES

MOST_MEMORIES = 100
WRITABLE_KINDS = [
    (value, label) for value, label in MemoryItem.Kind.choices if value != MemoryItem.Kind.KNOWLEDGE
]


def entity_list(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=Text(max_length=200), max_length=MOST_ENTITIES, **options)


class MemoryContent(Claimed):
    """One sentence worth recalling. With a subject and an attribute it may supersede an earlier one."""

    content = Text(max_length=MOST_CONTENT)
    kind = serializers.ChoiceField(choices=WRITABLE_KINDS, default=MemoryItem.Kind.SEMANTIC)
    entities = entity_list(default=list)
    subject_entity = Text(max_length=200, allow_blank=True, default="")
    attribute = Text(max_length=200, allow_blank=True, default="")
    value = Text(max_length=500, allow_blank=True, default="")
    metadata = JsonObject(default=dict)
    session = Text(max_length=200, allow_blank=True, default="")


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
    id = serializers.UUIDField()
    seq = serializers.IntegerField(help_text="Order of arrival within the owner; also the ETag.")
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
    session = serializers.CharField(source="session_ref")


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
    return {
        "content": values["content"],
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
    "session": "chat-17",
}
