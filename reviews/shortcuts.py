"""Which single key does what at the desk, and a person's own keys for it (WCAG 2.1.4): kept in a cookie, never content."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DOES: Final[Mapping[str, Promise]] = {
    "?": _("this sheet"),
    "/": _("find an owner"),
    "g": _("go to a page, with the letter that follows"),
    "j": _("next row of a list"),
    "k": _("previous row of a list"),
    "o": _("open the row"),
    "x": _("tick the row"),
    "v": _("saved view, with the digit that follows"),
    "f": _("to the filters"),
    "t": _("timeline: to another time"),
    "[": _("older page"),
    "]": _("newer page"),
    "n": _("review: take the next"),
    "a": _("review: approve"),
    "e": _("review: approve with an edit"),
    "r": _("review: reject, with the key of the reason that follows"),
    "d": _("review: later"),
    "s": _("review: skip"),
    "u": _("review: give it back"),
    "i": _("review: show or hide the turns around the quote"),
    "z": _("review: undo, for a minute"),
}
"""What each key does as delivered; a person may give each another one."""

ALLOWED: Final = frozenset(string.ascii_lowercase + "/?[];',.`\\")
"""Digits, - and = choose reasons and views, * opens the ticks; they stay."""


def own_keys(request: HttpRequest) -> dict[str, str]:
    """The person's keys by the delivered one, only those that differ; a cookie that does not hold is no cookie."""
    read = dict(parse_qsl(request.COOKIES.get("desk_keys", "")))
    chosen = {key: own for key, own in read.items() if key in DOES and own != key}
    return {} if faults_of(chosen) else chosen


def faults_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Which delivered keys cannot have the key chosen for them: `not_a_key`, or `taken` by another action."""
    final = {key: chosen.get(key) or key for key in DOES}
    used = list(final.values())
    return {
        key: "not_a_key" if own not in ALLOWED else "taken"
        for key, own in final.items()
        if own not in ALLOWED or used.count(own) > 1
    }


def as_cookie(chosen: Mapping[str, str]) -> str:
    return urlencode({key: own for key, own in chosen.items() if key in DOES and own and own != key})
