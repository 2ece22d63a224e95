"""Figures of a trial in words: a share or a mean with its interval, and the difference of two."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.evaluation.ab_comparing import Figure
from memoryhub.evaluation.intervals import Estimate

register = template.Library()


@register.simple_tag
def estimate(found: Estimate, kind: str) -> SafeString:
    """'12.5 % (8.1 to 18.8)' over how many cases of how many owners."""
    cases = _("n = %(n)s") % {"n": found.n}
    owners = ngettext("%(n)s owner", "%(n)s owners", found.clusters) % {"n": found.clusters}
    if found.value is None:
        said = _("too few for a rate") if kind == "share" else _("too few")
        return format_html(
            '<span class="quiet">{}</span><div class="small quiet">{}, {}</div>', said, cases, owners
        )
    return format_html(
        '<span class="lead-value">{}</span>{}<div class="small quiet">{}, {}</div>',
        _number(found.value, kind, unit=True),
        _interval(found.low, found.high, kind),
        cases,
        owners,
    )


@register.simple_tag
def difference(figure: Figure) -> SafeString:
    """'+2.1 points (-0.4 to 4.6)'; a dash where there is none."""
    found = figure.difference
    if found.value is None:
        return format_html('<span class="quiet">{}</span>', "—")
    unit = _("%(n)s points") if figure.kind == "share" else "%(n)s"
    sign = "+" if found.value > 0 else ""
    said = unit % {"n": f"{sign}{_number(found.value, figure.kind)}"}
    return format_html("<span>{}</span>{}", said, _interval(found.low, found.high, figure.kind))


def _interval(low: float | None, high: float | None, kind: str) -> SafeString:
    if low is None or high is None:
        return SafeString("")
    said = _("%(low)s to %(high)s") % {"low": _number(low, kind), "high": _number(high, kind)}
    return format_html(' <span class="quiet nowrap">({})</span>', said)


def _number(value: float, kind: str, *, unit: bool = False) -> str:
    if kind == "share":
        return f"{value * 100:.1f}{' %' if unit else ''}"
    return f"{value:.1f}"
