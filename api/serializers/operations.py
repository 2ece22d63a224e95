"""Background work and what came of it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.events import OPERATION_ID, OUTCOME_EXAMPLE, OutcomeAnswer, WaitQuery
from api.serializers.fields import Instant, OwnerRef
from memoryhub.models import Job


class OperationQuery(WaitQuery):
    owner = OwnerRef()


class OperationAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(
        choices=Job.State.choices, help_text="parked: given up after three tries, a person looks at it."
    )
    attempts = serializers.IntegerField()
    error_code = serializers.CharField()
    created_at = Instant()
    started_at = Instant(allow_null=True)
    finished_at = Instant(allow_null=True)
    outcomes = OutcomeAnswer(many=True, help_text="Per event it is about.")

    def to_representation(self, instance: Job) -> dict[str, Any]:
        instance.outcomes = self.context["outcomes"]  # type: ignore[attr-defined]
        return super().to_representation(instance)


OPERATION_EXAMPLE: dict[str, Any] = {
    "id": OPERATION_ID,
    "kind": "process_events",
    "state": "done",
    "attempts": 1,
    "error_code": "",
    "created_at": "2026-03-01T08:00:00.412000Z",
    "started_at": "2026-03-01T08:00:00.498000Z",
    "finished_at": "2026-03-01T08:00:00.530000Z",
    "outcomes": [OUTCOME_EXAMPLE],
}
