"""What an agent says about what it was served."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import OwnerRef, Strict
from api.serializers.recall import VERSION_ID
from memoryhub.changes.feedback import MOST_AT_ONCE, VERDICTS


def judged(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.UUIDField(), max_length=MOST_AT_ONCE, default=list, help_text=help_text
    )


class FeedbackGiven(Strict):
    """Ids as the recall served them (`id` or one of `ids`), at most 100 in all."""

    owner = OwnerRef()
    used = judged("Helped with the answer.")
    useless = judged("Served, and beside the point.")
    harmful = judged("Wrong or dangerous: a person re-checks it.")
    followed = judged("Procedures that were followed: each counts how often.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        number = sum(len(attrs[verdict]) for verdict in VERDICTS)
        if number == 0:
            raise serializers.ValidationError(
                {"used": serializers.ErrorDetail("name at least one memory in one of the lists", "empty")}
            )
        if number > MOST_AT_ONCE:
            raise serializers.ValidationError(
                {"used": serializers.ErrorDetail(f"at most {MOST_AT_ONCE} in all", "max_length")}
            )
        return attrs


class FeedbackAnswer(serializers.Serializer[None]):
    recorded = serializers.IntegerField(
        help_text="Verdicts that were new; saying the same again changes nothing."
    )
    rechecks = serializers.IntegerField(help_text="Reviews that were opened because of a harmful one.")


FEEDBACK_EXAMPLE: dict[str, Any] = {"owner": "customer-4711", "used": [VERSION_ID]}
HARMFUL_EXAMPLE: dict[str, Any] = {"owner": "customer-4711", "harmful": [VERSION_ID]}
FEEDBACK_ANSWER_EXAMPLE = {"recorded": 1, "rechecks": 0}
