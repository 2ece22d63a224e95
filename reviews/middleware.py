"""What every staff page has in common: it is never kept by a cache, and an expired session is said to htmx in its own words."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from reviews.access import OwnerGone
from reviews.views.errors import gone


class StaffPageMiddleware:
    """`Cache-Control: no-store` on HTML, `Vary: HX-Request`, HX-Redirect to the login page, and the 410 page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.get("Content-Type", "").startswith("text/html") or (
            match and match.app_name == "reviews"
        ):
            response["Cache-Control"] = "no-store"
            patch_vary_headers(response, ["HX-Request"])
        if response.status_code == 302 and request.htmx:  # type: ignore[attr-defined]
            return self.said_to_htmx(response)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return gone(request) if isinstance(exception, OwnerGone) else None

    @staticmethod
    def said_to_htmx(response: HttpResponse) -> HttpResponse:
        """A fetch would follow the redirect and put the login form into the middle of the page."""
        if not response["Location"].startswith(settings.LOGIN_URL):
            return response
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = settings.LOGIN_URL
        answer["Cache-Control"] = "no-store"
        return answer
