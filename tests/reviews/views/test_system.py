from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import Settings

from memoryhub.language.breaker import note_failure
from memoryhub.language.usage import Spent, add_usage
from memoryhub.models import AuditEntry, Job, WorkerBeat
from tests.reviews.conftest import Desk
from tests.reviews.rows import NOON, make_job, make_owner


def test_it_lists_jobs_newest_first(desk: Desk) -> None:
    old = make_job(desk.workspace, created_at=NOON)
    new = make_job(desk.workspace, state="parked", error_code="worker_lost")
    make_job(desk.elsewhere)
    rows = desk.client().get("/system/").context["page"].rows
    assert [row.job.id for row in rows] == [new.id, old.id]
    parked = desk.client().get("/system/?state=parked")
    assert [row.job.id for row in parked.context["page"].rows] == [new.id]
    assert "worker_lost" in parked.content.decode()


def test_it_says_when_workers_were_seen(desk: Desk) -> None:
    WorkerBeat.objects.create(name="worker-7", seen_at=NOON)
    assert "worker-7" in desk.client().get("/system/").content.decode()


def test_an_operator_queues_a_parked_job_again(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    job = make_job(desk.workspace, owner=owner, state="parked", attempts=3, error_code="worker_lost")
    response = desk.client().post(reverse("reviews:requeue", args=[job.id]), follow=True)
    assert "queued again" in response.content.decode()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert OrmQ.objects.count() == 1
    entry = AuditEntry.objects.get(action="job.requeued")
    assert (entry.actor_kind, entry.actor_id, entry.transport) == ("user", str(desk.operator.pk), "page")
    assert (entry.owner_id, entry.object_id) == (owner.id, job.id)


def test_a_job_that_is_not_parked_any_more_is_left_alone(desk: Desk) -> None:
    for job in (make_job(desk.workspace, state="done"), make_job(desk.elsewhere, state="parked")):
        response = desk.client().post(reverse("reviews:requeue", args=[job.id]), follow=True)
        assert "not parked any more" in response.content.decode()
        assert Job.objects.get(id=job.id).state == job.state
    assert desk.client().post(reverse("reviews:requeue", args=[uuid4()])).status_code == 302
    assert not AuditEntry.objects.filter(action="job.requeued").exists()


def test_a_viewer_sees_no_button(desk: Desk) -> None:
    make_job(desk.workspace, state="parked")
    assert "Queue again" in desk.client().get("/system/").content.decode()
    assert "Queue again" not in desk.client(desk.viewer).get("/system/").content.decode()


def test_it_says_how_the_model_provider_does_and_what_it_cost(desk: Desk, settings: Settings) -> None:
    page = desk.client().get("/system/").content.decode()
    assert "not used" in page and "Tokens sent" not in page
    settings.EXTRACTOR, settings.CHAT_URL, settings.CHAT_MODEL = "model", "https://models.example/v1", "m-1"
    note_failure("models.example:m-1", code="http_429", retry_after=300)
    spent = Spent(calls=1234, failures=2, prompt_tokens=500_000, completion_tokens=2_000, cost=0.75)
    today = timezone.now().date()
    for workspace in (desk.workspace, desk.elsewhere):
        add_usage(
            workspace_id=workspace.id,
            day=today,
            model="models.example:m-1",
            purpose="extraction",
            spent=spent,
        )
    add_usage(
        workspace_id=desk.workspace.id, day=NOON.date(), model="old-model", purpose="extraction", spent=spent
    )
    page = desk.client().get("/system/").content.decode()
    for shown in (
        "not answering",
        "models.example:m-1",
        "too many questions (429)",
        "1,234",
        "500,000",
        "0.7500",
    ):
        assert shown in page
    assert ("old-model" in page) == (today - NOON.date() < timedelta(days=30))


def test_tokens_and_cost_are_charted_by_day_with_the_numbers_beneath(desk: Desk) -> None:
    assert desk.client().get("/charts/model-usage/").json()["data"][0]["x"] == []
    today = timezone.now().date()
    for workspace, back in ((desk.workspace, 0), (desk.workspace, 2), (desk.elsewhere, 1)):
        add_usage(
            workspace_id=workspace.id,
            day=today - timedelta(days=back),
            model="m-1",
            purpose="extraction",
            spent=Spent(calls=1, prompt_tokens=900, completion_tokens=100 + back, cost=0.5),
        )
    figure = desk.client().get("/charts/model-usage/").json()
    sent, answered, cost = figure["data"]
    assert len(sent["x"]) == 30 and sent["x"][-1] == today.isoformat()
    assert (sent["y"][-3:], answered["y"][-3:], cost["y"][-3:]) == (
        [900, 0, 900],
        [102, 0, 100],
        [0.5, 0.0, 0.5],
    )
    page = desk.client().get("/system/").content.decode()
    assert 'data-chart="/charts/model-usage/"' in page
    assert page.count("<td>2") >= 30 or all(day in page for day in sent["x"])


def test_it_says_how_the_embedder_does(desk: Desk, settings: Settings) -> None:
    settings.EMBEDDER, settings.EMBEDDER_URL = "openai", "https://models.example/v1"
    settings.EMBEDDER_MODEL, settings.EMBEDDER_DIMS = "e-1", 8
    note_failure("openai:models.example:e-1:8", code="wrong_dimensions")
    page = desk.client().get("/system/").content.decode()
    assert "openai:models.example:e-1:8" in page and "vectors of another length" in page


def test_it_rejects_get(desk: Desk) -> None:
    job = make_job(desk.workspace, state="parked")
    assert desk.client().get(reverse("reviews:requeue", args=[job.id])).status_code == 405
