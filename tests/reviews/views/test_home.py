from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from memoryhub.keys import mint_key
from memoryhub.models import WorkerBeat
from memoryhub.workspaces import create_agent
from tests.reviews.conftest import Desk
from tests.reviews.rows import (
    make_change,
    make_event,
    make_item,
    make_job,
    make_owner,
    make_review,
    make_version,
)
from tests.reviews.whitelist_pages import approver, propose


def test_without_events_it_shows_the_three_first_steps(desk: Desk) -> None:
    page = desk.client().get("/").content.decode()
    assert "Three steps to the first memory" in page
    assert "http://testserver/api/v1/events/?wait=1" in page


def test_the_curl_line_of_the_first_steps_is_a_request_that_the_api_takes(desk: Desk) -> None:
    page = unescape(desk.client().get("/").content.decode())
    command = re.search(r"<pre id=\"step-event\">(.*?)</pre>", page, re.DOTALL)
    assert command
    method, address = re.search(r"-X (\w+) 'http://testserver(\S+)\?wait=1'", command[1]).groups()  # type: ignore[union-attr]
    body = re.search(r"-d '(.*)'", command[1])
    assert body
    agent = create_agent(workspace=desk.workspace, name="first-agent")
    token = mint_key(agent=agent, label="test").token
    response = Client().generic(
        method,
        address,
        body[1],
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "1732980000"},
    )
    assert response.status_code == 202, response.content
    assert "first-user" in desk.client().get("/owners/").content.decode()


def test_it_counts_what_there_is(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_event(owner)
    make_version(owner)
    make_version(owner, "old", field="user_profile.pet", status="archived")
    make_item(owner)
    make_item(owner, status="retracted")
    make_change(owner, state="proposed")
    make_change(owner, state="applied")
    overview = desk.client().get("/").context["overview"]
    counted = (overview.owners, overview.events_day, overview.fields, overview.items, overview.proposed)
    assert counted == (1, 1, 1, 1, 1)


def test_events_of_yesterday_are_not_of_today(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_event(owner, recorded_at=timezone.now() - timedelta(hours=25))
    assert desk.client().get("/").context["overview"].events_day == 0


def test_refusals_are_counted_by_reason(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    mood = {"outcome": "refused", "kind": "event", "code": "mood"}
    make_event(owner, outcome=[mood, {**mood, "code": "greeting"}])
    make_event(owner, outcome=[mood, {**mood, "outcome": "stored"}])
    make_event(owner, outcome=[mood], recorded_at=timezone.now() - timedelta(days=8))
    response = desk.client().get("/")
    assert response.context["overview"].refused == [("mood", 2), ("greeting", 1)]
    assert "a mood" in response.content.decode()


def test_a_missed_worker_is_said(desk: Desk) -> None:
    make_event(make_owner(desk.workspace))
    assert "No worker has been seen yet" in desk.client().get("/").content.decode()
    WorkerBeat.objects.create(name="w", seen_at=timezone.now() - timedelta(minutes=6))
    assert "No worker was seen for five minutes" in desk.client().get("/").content.decode()
    WorkerBeat.objects.update(seen_at=timezone.now())
    assert "No worker" not in desk.client().get("/").content.decode()


def test_job_health_has_the_oldest_waiting_job(desk: Desk) -> None:
    make_job(desk.workspace, state="queued", created_at=timezone.now() - timedelta(hours=2))
    make_job(desk.workspace, state="running")
    make_job(desk.workspace, state="parked", created_at=timezone.now() - timedelta(days=2))
    make_job(desk.elsewhere, state="parked")
    jobs = desk.client().get("/").context["overview"].jobs
    assert (jobs.queued, jobs.running, jobs.parked) == (1, 1, 1)
    assert timedelta(hours=1) < timezone.now() - jobs.oldest_at < timedelta(hours=3)


def test_the_chart_counts_days_of_the_workspace(desk: Desk) -> None:
    make_event(make_owner(desk.workspace))
    figure = desk.client().get("/charts/events-per-day/").json()
    assert len(figure["data"][0]["x"]) == 14
    assert figure["data"][0]["y"] == [0] * 13 + [1]


def test_it_counts_what_waits_for_this_very_person_and_leads_there(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    review = make_review(
        make_change(owner, state="proposed"), state="second_review", first_user_id=desk.operator.pk
    )
    other = make_review(make_change(owner, state="proposed"))
    version = propose(desk)
    first, second = desk.client(), desk.client(approver(desk))
    User.objects.get(username="anna").groups.add(Group.objects.get(name="reviewer"))
    assert "Waiting for you:" not in first.get("/").content.decode(), "he said the first yes, and proposed it"
    assert "Waiting for you:" not in desk.client(desk.viewer).get("/").content.decode()
    page = unescape(second.get("/").content.decode())
    assert "1 proposal that needs a second yes" in page and "1 policy</a>" in page
    queue = second.get("/review/?tab=second").content.decode()
    assert str(review.id) in queue and str(other.id) not in queue
    listed = second.get("/policies/?state=proposed").content.decode()
    assert f"/policies/{version.number}/" in listed and "/policies/1/" not in listed
