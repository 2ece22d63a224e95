"""How a person likes the desk: kept in two cookies, which hold words from a fixed list and never content."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

THEMES: Final = ("auto", "light", "dark")
SWITCH: Final = ("on", "off")
A_YEAR: Final = 365 * 24 * 60 * 60


def theme_of(request: HttpRequest) -> str:
    theme = request.COOKIES.get("desk_theme", "auto")
    return theme if theme in THEMES else "auto"


def shortcuts_are_on(request: HttpRequest) -> bool:
    return request.COOKIES.get("desk_shortcuts") != "off"


def remember(response: HttpResponseBase, name: str, value: str) -> None:
    response.set_cookie(
        f"desk_{name}",
        value,
        max_age=A_YEAR,
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )
