"""What every view for agents shares: strict JSON, a scope per method, the actor of the audit trail, no caching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import Caller
from api.errors import problem
from api.parsing import MAX_BODY_BYTES, StrictJSONParser
from api.permissions import HasScope
from memoryhub.audit import SYSTEM, current_actor
from memoryhub.exceptions import InvalidInput


class Uncached(APIView):
    """Answers may hold memory: nothing on the way keeps them."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return super().finalize_response(request, response, *args, **kwargs)


class AgentView(Uncached):
    """Views translate: read input, call one service, answer."""

    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [StrictJSONParser]
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    scopes: ClassVar[Mapping[str, str]] = {}
    """The scope each method needs. A method that is not named is closed."""
    max_body_bytes = MAX_BODY_BYTES

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        token = current_actor.set(SYSTEM)
        try:
            return super().dispatch(request, *args, **kwargs)
        finally:
            current_actor.reset(token)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            # WSGI reads as much as Content-Length says, so the body would look empty.
            raise InvalidInput("send the body with its Content-Length", field="", code="length_required")

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        if isinstance(request.user, Caller):
            current_actor.set(request.user.as_actor(getattr(request, "id", "")))


class OpenView(Uncached):
    """For what anyone may ask."""

    authentication_classes = []
    permission_classes = []
    http_method_names = ["get", "head"]


class UnknownAddress(Uncached):
    """Everything under /api/ and /health/ that is not there: the same body as for an id that is not there."""

    authentication_classes = []
    permission_classes = []
    schema = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.args, self.kwargs = args, kwargs
        self.headers = {}
        self.request = self.initialize_request(request, *args, **kwargs)
        answer: Response = problem(404, "not_found")
        answer.data["error"]["request_id"] = getattr(request, "id", "")
        self.request.accepted_renderer, self.request.accepted_media_type = self.perform_content_negotiation(
            self.request, force=True
        )
        self.response = self.finalize_response(self.request, answer)
        return self.response


def with_version(answer: Response, version: int | None) -> Response:
    """The answer with the version as its ETag."""
    if version is not None:
        answer["ETag"] = f'"{version}"'
    return answer
