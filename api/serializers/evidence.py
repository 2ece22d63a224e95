"""What every structured write may say about where it comes from and when it holds."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import INSTANT_RULE, MAX_TEXT, Flag, Instant, Share, Strict, Text
from memoryhub.models import Basis

CLAIMABLE_BASES = [(value, label) for value, label in Basis.choices if value != Basis.STAFF]


class Evidence(Strict):
    event = serializers.UUIDField(help_text="An event of the same owner.")
    quote = Text(
        max_length=MAX_TEXT, allow_blank=True, default="", help_text="The words in it; they must occur there."
    )


class Claimed(Strict):
    """Shared by fields and memories. Trust is not among it: that comes from the key."""

    evidence = Evidence(required=False, allow_null=True, default=None)
    confidence = Share(
        required=False, allow_null=True, default=None, help_text="Left out: the policy's default."
    )
    importance = Share(
        required=False, allow_null=True, default=None, help_text="Left out: the field's default."
    )
    basis = serializers.ChoiceField(choices=CLAIMABLE_BASES, default=Basis.STATED)
    explicit_correction = Flag(
        default=False,
        help_text="The owner corrected himself; counts with a quote from an event in his own role.",
    )
    valid_from = Instant(
        required=False, allow_null=True, default=None, help_text=f"True since. {INSTANT_RULE}"
    )
    valid_until = Instant(
        required=False, allow_null=True, default=None, help_text=f"True until. {INSTANT_RULE}"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        begin, end = attrs.get("valid_from"), attrs.get("valid_until")
        if begin and end and end <= begin:
            raise serializers.ValidationError(
                {"valid_until": serializers.ErrorDetail("ends before it begins", "ends_early")}
            )
        return attrs


def as_claim(values: dict[str, Any]) -> dict[str, Any]:
    """The shared keyword arguments of the write services."""
    evidence = values["evidence"] or {}
    shared = ("confidence", "importance", "basis", "explicit_correction", "valid_from", "valid_until")
    return {
        "evidence_event_id": evidence.get("event"),
        "quote": evidence.get("quote", ""),
        **{name: values[name] for name in shared},
    }
