"""`/health/live` and `/health/ready`."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from pytest_django import Settings

from memoryhub.language.breaker import note_answer, note_failure
from memoryhub.models import WorkerBeat
from tests import database_clones
from tests.api.clients import AgentClient


def test_live_answers_without_a_key_and_without_the_database(nobody: AgentClient) -> None:
    assert nobody.get("/health/live").json() == {"status": "ok"}


def test_ready_says_what_works(nobody: AgentClient) -> None:
    body = nobody.get("/health/ready").json()
    assert (body["ready"], body["database"], body["worker"]) == (True, "ok", "down")
    WorkerBeat.objects.create(name="w1", seen_at=timezone.now())
    assert nobody.get("/health/ready").json()["worker"] == "ok"
    WorkerBeat.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert nobody.get("/health/ready").json()["worker"] == "down"


def test_ready_says_how_the_model_provider_does(nobody: AgentClient, settings: Settings) -> None:
    def said() -> tuple[str, str, bool]:
        body = nobody.get("/health/ready").json()
        return body["extractor"], body["model"], body["ready"]

    assert said() == ("rules", "unused", True)
    settings.EXTRACTOR, settings.CHAT_URL, settings.CHAT_MODEL = "model", "https://models.example/v1", "m-1"
    assert said() == ("model", "ok", True)
    name = "models.example:m-1"
    note_failure(name, code="http_500")
    assert said() == ("model", "degraded", True)
    note_failure(name, code="http_429", retry_after=30)
    assert said() == ("model", "down", True)
    note_answer(name)
    assert said() == ("model", "ok", True)


def test_ready_is_503_when_the_database_is_down(committing_db: str) -> None:
    with database_clones.pointed_at("no_such_database"):
        answer = AgentClient(None).get("/health/ready")
    assert (answer.status_code, answer.json()["ready"], answer.json()["database"]) == (503, False, "down")
