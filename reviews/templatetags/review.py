"""Words of the review pages: spans of time and the parts of a risk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from reviews.labels import WORDS, word_for

register = template.Library()


@register.filter
def span_to(at: datetime, now: datetime) -> str:
    """How far a time lies from now, either way, in its largest unit."""
    earlier, later = sorted((at, now))
    if later - earlier < timedelta(minutes=1):
        return _("less than a minute")
    return timesince(earlier, later, depth=1)


@register.simple_tag
def span_since(at: datetime, now: datetime) -> SafeString:
    """How long something has waited, with the exact time for whoever points at it."""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        at.isoformat(),
        f"{at:%Y-%m-%d %H:%M} UTC",
        span_to(at, now),
    )


@register.filter
def risk_part(code: str) -> str:
    """Why something is risky: a gate or another part of the risk."""
    return word_for(code, "risk_part" if code in WORDS["risk_part"] else "reason")


@register.filter
def seconds_since(at: datetime, now: datetime) -> int:
    return max(0, round((now - at).total_seconds()))


@register.filter
def span_of(length: timedelta | None) -> str:
    """A length of time in its largest unit; a dash when there is none."""
    if length is None:
        return "—"
    now = datetime.now(UTC)
    return span_to(now - length, now)
