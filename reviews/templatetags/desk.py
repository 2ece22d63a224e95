"""Small words of the templates: icons, badges, times in somebody's zone, values, quotes. Everything they print is escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.timesince import timesince
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.suspects import Suspect
from memoryhub.language.masking import mask_secrets
from memoryhub.models import Change, Event, FieldDefinition, FieldVersion, MemoryItem
from memoryhub.sessions.names import label_of as label_of_slot
from reviews.highlighting import Piece, Quote, cut, excerpt
from reviews.labels import tone_for, word_for
from reviews.scope_query import as_query
from reviews.values import Labelled, label_of, told
from reviews.zones import zone_named

register = template.Library()


@cache
def _svg(name: str) -> SafeString:
    source = Path(settings.BASE_DIR, "static", "vendor", "bootstrap-icons", f"{name}.svg").read_text(
        encoding="utf-8"
    )
    body = source[source.index(">") + 1 : source.rindex("</svg>")].strip()
    # The drawing is a vendored file whose hash a test checks; nothing of it comes from outside.
    return mark_safe(  # noqa: S308
        f'<svg class="icon" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true" focusable="false">{body}</svg>'
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """One of the vendored icons, hidden from screen readers: a word must stand beside it."""
    return _svg(name)


@register.simple_tag(takes_context=True)
def key(context: Mapping[str, Any], delivered: str) -> str:
    """The key that the reader has for what this one does as delivered."""
    own: Mapping[str, str] = context.get("keys") or {}
    return own.get(delivered, delivered)


@register.filter
def as_json(value: Any) -> str:
    """For a data attribute that a script reads."""
    return json.dumps(value)


@register.filter
def word(code: str, vocabulary: str) -> str:
    return word_for(code, vocabulary)


@register.simple_tag
def badge(code: str, vocabulary: str) -> SafeString:
    return format_html(
        '<span class="badge {}">{}</span>', tone_for(code, vocabulary), word_for(code, vocabulary)
    )


@register.filter
def label(thing: Labelled) -> str:
    """A form type's or field's name in the reader's language."""
    return label_of(thing)


@register.simple_tag
def slot(about: Any, definitions: Mapping[str, FieldDefinition]) -> str:
    """Which field a change, event or verdict is about, in words: 'Contact · home · Address'; its kind when it is about none."""
    code = (
        about.get("field", "")
        if isinstance(about, dict)
        else f"{about.form_type}.{about.field_name}".strip(".")
    )
    subject = "" if isinstance(about, dict) else about.form_subject
    definition = definitions.get(code)
    if definition is None:
        return code.replace(".", " · ") or (
            word_for(about.target_kind, "target") if hasattr(about, "target_kind") else ""
        )
    return " · ".join(filter(None, (label_of(definition.form_type), subject, label_of(definition))))


@register.filter
def slot_name(name: str) -> str:
    """What a value of a session is called, in the reader's language."""
    return label_of_slot(name, "zh" if (get_language() or "").startswith("zh") else "en")


@register.simple_tag
def value(stored: Any, field: FieldDefinition | None, zone: str) -> str:
    """A stored value of a field in words."""
    return told(stored, field, zone)


@register.simple_tag
def slot_value(stored: Any, about: Any, definitions: Mapping[str, FieldDefinition], zone: str) -> str:
    """A value in the words of the field that `about` names; a dash for none."""
    return told(stored, definitions.get(f"{about.form_type}.{about.field_name}"), zone)


@register.inclusion_tag("reviews/_before_after.html")
def before_after(
    row: Change | Event, definitions: Mapping[str, FieldDefinition], zone: str
) -> dict[str, Any]:
    """What a change or an event moved from and to; nothing when it moved nothing."""
    field = definitions.get(f"{row.form_type}.{row.field_name}")
    return {
        "before": None if row.before is None else told(row.before, field, zone),
        "after": None if row.after is None else told(row.after, field, zone),
    }


@register.filter
def gist(event: Event, length: int) -> str:
    """An event in one line: its words, cut to `length`; without words, what it did to which field."""
    if event.content:
        return Truncator(event.content).chars(length)
    return " · ".join(filter(None, (word_for(event.action, "action"), event.field_name)))


@register.filter
def grounds(event: Event) -> dict[str, Any]:
    """Why something was decided and what was dropped for it: as sent with the event, else as read from its words."""
    read = event.learned if isinstance(event.learned, dict) else {}
    return {
        "reason": event.reason or read.get("reason") or "",
        "alternatives": event.alternatives or read.get("alternatives") or [],
    }


@register.filter
def named(names: Mapping[Any, str], key: Any) -> str:
    """The name for an id; '—' for an id without one."""
    return names.get(key, "") or "—"


@register.filter
def named_row(rows: Mapping[Any, Any], key: Any) -> Any:
    """The row for an id, None when there is none."""
    return rows.get(key)


@register.filter
def scope_json(scope: RollbackScope) -> str:
    """A rollback scope as the form field that carries it."""
    return json.dumps(scope.as_json())


@register.filter
def undo_query(row: Change | Event | Suspect) -> str:
    """The query string of the rollback that undoes this change, what came from this event, or this suspect value."""
    owners = (row.owner_id,)
    if isinstance(row, Change):
        return as_query(RollbackScope(owner_ids=owners, change_ids=(row.id,)))
    if isinstance(row, Event):
        return as_query(RollbackScope(owner_ids=owners, event_ids=(row.id,)))
    return as_query(RollbackScope(owner_ids=owners, target_ids=(row.id,)))


@register.filter
def restore_query(row: FieldVersion | MemoryItem) -> str:
    """The query string of the rollback that makes this version or item current again."""
    return as_query(RollbackScope(restore_id=row.id, owner_ids=(row.owner_id,)))


@register.filter
def percent(share: float) -> str:
    return f"{round(share * 100)} %"


@register.filter
def score(value: Any) -> str:
    """A score in [0, 1] with three digits."""
    return f"{value:.3f}" if isinstance(value, int | float) else "—"


@register.filter
def unlocalized(value: float) -> str:
    """A number as HTML attributes want it, whatever the reader's language."""
    return f"{value:.4f}"


@register.filter
def pretty(value: Any) -> str:
    """JSON to be read by a person."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


@register.simple_tag
def moment(at: datetime | None, zone: str = "UTC", form: str = "full") -> SafeString | str:
    """A time in the given zone: full (date and minute), clock (minute), day, or ago."""
    if at is None:
        return "—"
    local = at.astimezone(zone_named(zone))
    text = {
        "full": f"{local:%Y-%m-%d %H:%M}",
        "clock": f"{local:%H:%M}",
        "day": f"{local:%Y-%m-%d}",
        "ago": _ago(at),
    }[form]
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', at.isoformat(), f"{local:%Y-%m-%d %H:%M:%S %Z}", text
    )


def _ago(at: datetime) -> str:
    if timezone.now() - at < timedelta(minutes=1):
        return _("just now")
    return _("%(span)s ago") % {"span": timesince(at, depth=1)}


@register.filter
def long_day(day: date) -> str:
    """A day heading: the weekday and the date as the language writes them."""
    # Translators: a day heading in Django's date format letters.
    return formats.date_format(day, _("l, j F Y"))


@register.filter
def without_secrets(text: str) -> str:
    """The text with secrets masked: raw events are shown nowhere on the desk."""
    return mask_secrets(text)[0]


@register.simple_tag
def marked(text: str, quotes: Sequence[Quote]) -> SafeString:
    """The whole text with the quoted words highlighted and secrets masked."""
    return _as_html(cut(mask_secrets(text)[0], quotes))


@register.inclusion_tag("reviews/_evidence.html")
def evidence(row: Any) -> dict[str, Any]:
    """The quote a value rests on, inside its event; says so when the event does not hold these words."""
    event = row.event if row.event_id else None
    pieces = (
        excerpt(mask_secrets(event.content)[0], (row.quote, getattr(row, "quote_start", None)))
        if event
        else None
    )
    return {"quote": row.quote, "html": _as_html(pieces) if pieces else "", "has_event": event is not None}


def _as_html(pieces: Sequence[Piece]) -> SafeString:
    return format_html_join(
        "", "{}{}{}", ((OPEN if p.is_quote else "", p.text, CLOSE if p.is_quote else "") for p in pieces)
    )


OPEN, CLOSE = SafeString("<mark>"), SafeString("</mark>")
