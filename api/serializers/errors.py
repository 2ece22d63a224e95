"""The one error shape, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import JsonObject


class ErrorContent(serializers.Serializer[None]):
    code = serializers.CharField(help_text="Stable; branch on this.")
    message = serializers.CharField(help_text="For people; may change.")
    field = serializers.CharField(
        help_text="The input it is about, for example `metadata.note`; may be empty."
    )
    details = JsonObject(help_text="Per code; `errors` lists every fault of a body.")
    request_id = serializers.CharField(help_text="Also in the X-Request-Id header and in our log.")


class ErrorBody(serializers.Serializer[None]):
    error = ErrorContent()
