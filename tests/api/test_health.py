"""`/health/live` and `/health/ready`."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

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


def test_ready_is_503_when_the_database_is_down(committing_db: str) -> None:
    with database_clones.pointed_at("no_such_database"):
        answer = AgentClient(None).get("/health/ready")
    assert (answer.status_code, answer.json()["ready"], answer.json()["database"]) == (503, False, "down")
