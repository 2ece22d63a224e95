"""A key without its secret."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import Instant, Strict, Whole
from memoryhub.keys import LONGEST_OVERLAP
from memoryhub.models import ApiKey


class Rotation(Strict):
    overlap_seconds = Whole(
        min_value=0,
        max_value=int(LONGEST_OVERLAP.total_seconds()),
        default=3600,
        help_text="How long the old key goes on working.",
    )


class KeyAnswer(serializers.Serializer[Any]):
    prefix = serializers.SerializerMethodField()
    agent = serializers.CharField(source="agent.name")
    workspace = serializers.CharField(source="agent.workspace.slug")
    label = serializers.CharField()  # type: ignore[assignment]  # the column, not the serializer's own label
    scopes = serializers.ListField(child=serializers.CharField())
    trust_tier = serializers.IntegerField()
    owner_refs = serializers.ListField(
        child=serializers.CharField(), help_text="Empty: every owner of the workspace."
    )
    created_at = Instant()
    expires_at = Instant(allow_null=True)
    revoked_at = Instant(allow_null=True, help_text="May lie ahead: the end of a rotation's overlap.")
    last_used_at = Instant(allow_null=True)

    def get_prefix(self, key: ApiKey) -> str:
        return f"mhk_{key.env}_{key.key_id}"


class RotatedKeyAnswer(serializers.Serializer[None]):
    token = serializers.CharField(help_text="Shown once.")
    key = KeyAnswer()


KEY_EXAMPLE = {
    "prefix": "mhk_test_q3VxJ0pB7aLm",
    "agent": "support-bot",
    "workspace": "demo",
    "label": "",
    "scopes": ["events:write", "memory:read", "recall"],
    "trust_tier": 3,
    "owner_refs": [],
    "created_at": "2026-03-01T08:00:00.000000Z",
    "expires_at": "2026-05-30T08:00:00.000000Z",
    "revoked_at": None,
    "last_used_at": None,
}
ROTATED_EXAMPLE = {
    "token": "mhk_test_Zk81PwqQm2Rt_<43 characters and a checksum>",
    "key": {**KEY_EXAMPLE, "prefix": "mhk_test_Zk81PwqQm2Rt"},
}
