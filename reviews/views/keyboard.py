"""`/keyboard/`: the shortcut sheet as a page, for when no script runs, and the place to choose other keys."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from reviews.access import StaffRequest, staff_page
from reviews.preferences import remember
from reviews.shortcuts import DOES, as_cookie, faults_of, own_keys


@require_GET
@staff_page()
def keyboard(request: StaffRequest) -> HttpResponse:
    return _shown(request, chosen=own_keys(request), faults={})


@require_POST
@staff_page()
def choose_keys(request: StaffRequest) -> HttpResponseBase:
    """Keep the person's keys, or with `delivered` forget them. 422 where two actions want one key."""
    chosen: dict[str, str] = {}
    if "delivered" not in request.POST:
        sent = {key: request.POST.get(f"key_{ord(key)}", "").strip().lower() for key in DOES}
        chosen = {key: own for key, own in sent.items() if own and own != key}
    if faults := faults_of(chosen):
        return _shown(request, chosen=chosen, faults=faults, status=422)
    response = redirect("reviews:keyboard")
    remember(response, "keys", as_cookie(chosen))
    messages.success(request, _("The keys were kept."))
    return response


def _shown(
    request: StaffRequest, *, chosen: Mapping[str, str], faults: Mapping[str, str], status: int = 200
) -> HttpResponse:
    rows = [
        {
            "name": f"key_{ord(key)}",
            "delivered": key,
            "own": chosen.get(key, key),
            "does": does,
            "fault": faults.get(key, ""),
        }
        for key, does in DOES.items()
    ]
    context = {"rows": rows, "has_fault": bool(faults)}
    return render(request, "reviews/keyboard.html", context, status=status)
