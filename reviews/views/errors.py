"""Pages for what cannot be shown."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from reviews.access import ROLE_NAMES, RoleMissing


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: names the role that is missing, and whom to ask."""
    has_workspace = getattr(request, "workspace", None) is not None
    role = ROLE_NAMES[exception.role] if isinstance(exception, RoleMissing) and has_workspace else ""
    return render(request, "403.html", {"missing_role": role}, status=403)


def gone(request: HttpRequest) -> HttpResponse:
    """410: the owner is being or was erased; the page says that and nothing else."""
    return render(request, "410.html", status=410)
