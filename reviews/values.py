"""Stored values as a reader writes them, in his language and in the owner's zone. Pure but for the active language."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Protocol

from django.utils import formats, translation
from django.utils.translation import gettext as _

from memoryhub.models import FieldDefinition
from reviews.labels import word_for
from reviews.zones import zone_named


class Labelled(Protocol):
    name: str
    label_en: str
    label_zh: str


def in_chinese() -> bool:
    return (translation.get_language() or "").startswith("zh")


def label_of(thing: Labelled) -> str:
    """A form type's or field's name in the reader's language; its code when it has none."""
    return (thing.label_zh if in_chinese() else thing.label_en) or thing.name


def shown(value: Any) -> str:
    """Any stored JSON as text."""
    match value:
        case None | "":
            return "—"
        case bool():
            return _("yes") if value else _("no")
        case float():
            return formats.number_format(int(value) if value.is_integer() else value)
        case int():
            return formats.number_format(value)
        case list():
            return ("、" if in_chinese() else ", ").join(map(shown, value))
        case {"amount": amount, **rest}:
            return f"{shown(amount)} {rest.get('currency') or ''}".strip()
        case {"key_attribute": bool(is_key)}:  # before and after a mark
            return _("key attribute: never fades") if is_key else _("fades like any other")
        case {"value": inner} | {"content": inner}:  # a change's before and after: the value with its version
            return shown(inner)
        case dict():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def told(value: Any, field: FieldDefinition | None, zone: str) -> str:
    """A value of a field: a choice by its word, a time in the owner's zone, everything else as `shown`."""
    inner = value["value"] if isinstance(value, dict) and "value" in value else value
    if field is None or not isinstance(inner, str):
        return shown(value)
    if field.value_type == FieldDefinition.ValueType.CHOICE:
        return word_for(inner, "choice")
    if field.value_type == FieldDefinition.ValueType.DATETIME:
        return _local(inner, zone)
    return shown(inner)


def _local(text: str, zone: str) -> str:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{at.astimezone(zone_named(zone)):%Y-%m-%d %H:%M}" if at.tzinfo else text
