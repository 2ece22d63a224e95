"""An owner as agents see him."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import Instant, OwnerRef, Strict, Text, ZoneName
from memoryhub.models import Owner

LOCALE = r"^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$"


class OwnerQuery(Strict):
    """Filters of the list."""

    ref = OwnerRef(required=False, help_text="Exactly this owner, should he be known.")
    kind = serializers.ChoiceField(choices=Owner.Kind.choices, required=False)


class OwnerChanges(Strict):
    kind = serializers.ChoiceField(choices=Owner.Kind.choices, required=False)
    display_name = Text(max_length=200, allow_blank=True, required=False)
    locale = serializers.RegexField(
        LOCALE, max_length=20, allow_blank=True, required=False, help_text="BCP 47, e.g. zh-Hans."
    )
    time_zone = ZoneName(
        max_length=60, allow_blank=True, required=False, help_text="IANA name; blank: the workspace's."
    )


class OwnerAnswer(serializers.Serializer[Any]):
    ref = serializers.CharField()
    kind = serializers.ChoiceField(choices=Owner.Kind.choices)
    display_name = serializers.CharField()
    locale = serializers.CharField()
    time_zone = serializers.CharField()
    state = serializers.ChoiceField(choices=Owner.State.choices)
    created_at = Instant()


OWNER_EXAMPLE: dict[str, Any] = {
    "ref": "customer-4711",
    "kind": "user",
    "display_name": "王芳",
    "locale": "zh-Hans",
    "time_zone": "Asia/Shanghai",
    "state": "active",
    "created_at": "2026-03-01T08:00:00.000000Z",
}
