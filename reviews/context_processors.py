"""What the base template needs on every page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from reviews.access import ROLE_NAMES
from reviews.preferences import shortcuts_are_on, theme_of
from reviews.shortcuts import own_keys


def desk(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    return {
        "theme": theme_of(request),
        "shortcuts_on": shortcuts_are_on(request),
        "keys": own_keys(request),
        "workspace": getattr(request, "workspace", None),
        "role_words": [ROLE_NAMES[role] for role in sorted(getattr(request, "roles", ()))],
        "place": match.url_name if match and match.app_name == "reviews" else "",
    }
