"""`/preference/`: theme and keyboard, remembered in a cookie; works before signing in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from reviews.preferences import SWITCH, THEMES, remember

CHOICES = {"theme": THEMES, "shortcuts": SWITCH}


@require_POST
def preference(request: HttpRequest) -> HttpResponseRedirect:
    response = HttpResponseRedirect(_safe_next(request))
    for name, allowed in CHOICES.items():
        if request.POST.get(name) in allowed:
            remember(response, name, request.POST[name])
    return response


def _safe_next(request: HttpRequest) -> str:
    """Where the person came from, if that is a page of this site."""
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else "/"
