"""Fields that take what they say and nothing else: DRF's own turn 3 into "3" and "yes" into true.

Query parameters are text by nature: their numbers use DRF's fields, their texts these, which trim nothing.
"""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

MAX_TEXT = 16_000
MAX_METADATA_BYTES = 16_384
MAX_REF = 200
UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
INSTANT_RULE = (
    "ISO 8601. A time without an offset is taken as UTC. Answers are always UTC with `Z` and six decimals."
)


class Text(serializers.CharField):
    """A JSON string. Spaces at its ends are kept: content is stored as it was sent."""

    default_error_messages = {"max_length": "at most {max_length} characters"}

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class OwnerRef(Text):
    """The caller's own id of an owner: 1 to 200 printable characters, not blank, and neither `.` nor `..`."""

    default_error_messages = {
        "unprintable": "an owner's id is printable text",
        "not_addressable": "an owner's id is neither '.' nor '..', which no address can carry",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": MAX_REF, "help_text": "Your own id of the owner.", **options})

    def to_internal_value(self, data: Any) -> str:
        ref = super().to_internal_value(data)
        if not ref.strip():
            self.fail("blank")
        if any(unicodedata.category(character) in UNPRINTABLE for character in ref):
            self.fail("unprintable")
        if ref in (".", ".."):
            self.fail("not_addressable")
        return ref


class Instant(serializers.Field[datetime, Any, str, Any]):
    """A point in time: in as ISO 8601 (no offset: UTC), out in the one form `2026-03-01T08:00:00.000000Z`."""

    default_error_messages = {"invalid": "a time in ISO 8601, for example 2026-03-01T08:00:00Z"}

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = parse_datetime(data) if isinstance(data, str) else None
            if moment is None:
                self.fail("invalid")
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")

    def to_representation(self, value: datetime) -> str:
        return as_instant(value)


def as_instant(moment: datetime) -> str:
    """The one written form of a time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


extend_schema_field(OpenApiTypes.DATETIME)(Instant)


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Whole(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not (
            isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        ):
            self.fail("invalid")
        return int(data)


class Share(serializers.FloatField):
    """A number from 0 to 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=1, **options)

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(data)


# Named types and not "anything": null is added where it is allowed.
@extend_schema_field({"type": ["object", "array", "string", "number", "boolean"]})
class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value, at most 16 kB."""

    default_error_messages = {"too_large": f"at most {MAX_METADATA_BYTES} bytes of JSON"}

    def to_internal_value(self, data: Any) -> Any:
        if len(json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")) > MAX_METADATA_BYTES:
            self.fail("too_large")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(OpenApiTypes.OBJECT)
class JsonObject(AnyJson):
    """A JSON object, at most 16 kB."""

    default_error_messages = {"invalid": "a JSON object"}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return super().to_internal_value(data)


class ZoneName(Text):
    """An IANA time zone."""

    default_error_messages = {"unknown_time_zone": "not an IANA time zone, for example Asia/Shanghai"}

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name and name not in available_timezones():
            self.fail("unknown_time_zone")
        return name


class Strict(serializers.Serializer[Any]):
    """A serializer that names what it does not know instead of dropping it."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(str(name) for name in set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {
                        name: serializers.ErrorDetail("unknown here", code="unknown_field")
                        for name in unknown[:20]
                    }
                )
        return super().to_internal_value(data)
