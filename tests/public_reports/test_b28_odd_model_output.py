"""B28: odd output of a model is parsed, or visibly fails; it is never silently lost, and the client never sees a 500."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from memoryhub.jobs.sweeping import sweep
from memoryhub.keys import mint_key
from memoryhub.models import Job, Owner
from memoryhub.workspaces import create_agent
from memoryhub.writing.pipeline import requeue_failed_event
from tests.api.clients import AgentClient
from tests.builders import make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.model_server import ModelServer, Reply, about_field, running_model_server, sentence

pytestmark = pytest.mark.django_db

SAID = {"en": ("I live in Suzhou.", "Suzhou"), "zh": ("我住在苏州。", "苏州")}
OTHER = {
    "en": ("I work as a nurse.", "nurse", "The user works as a nurse."),
    "zh": ("我的职业是护士。", "护士", "用户的职业是护士。"),
}


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with running_model_server() as running:
        settings.EXTRACTOR, settings.CHAT_URL, settings.CHAT_MODEL = "model", running.url, "m-1"
        settings.CHAT_TIMEOUT = 2.0
        yield running


@pytest.fixture
def agent() -> AgentClient:
    return AgentClient(mint_key(agent=create_agent(workspace=make_workspace(), name="a")))


def told(agent: AgentClient, *texts: str) -> list[dict[str, Any]]:
    """Record one batch, work it off, and answer the events as the API shows them, oldest first."""
    events = [{"content": text} for text in texts]
    answer = agent.post("/api/v1/events/batch/", {"owner": "ann", "events": events})
    assert answer.status_code == 202
    work_off_the_queue()
    page = agent.get("/api/v1/events/", {"owner": "ann"}).json()
    by_id = {event["id"]: event for event in page["results"]}
    return [by_id[result["id"]] for result in answer.json()["events"]]


def city(language: str, event: int = 1, **more: Any) -> dict[str, Any]:
    text, value = SAID[language]
    return about_field(event, text[:-1], "user_profile", "location", value, **more)


def stored(agent: AgentClient) -> list[Any]:
    forms = agent.get("/api/v1/forms/", {"owner": "ann"}).json()
    return [row["value"] for row in forms["results"]]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "Here {{you}} are [as asked]: {}\nAnything {{else}}?",
        "好的，{{结果}}如下：\n{}\n以上。",
    ],
)
def test_b28_fenced_and_wrapped_answers_parse(
    server: ModelServer, agent: AgentClient, language: str, around: str
) -> None:
    server.say(around.format(json.dumps([city(language)], ensure_ascii=False)))
    [event] = told(agent, SAID[language][0])
    assert event["state"] == "processed"
    assert stored(agent) == [SAID[language][1]]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("odd", "code"),
    [
        ("half", "answer_cut_off"),
        (Reply(text=""), "answer_empty"),
        (Reply(text=None), "answer_empty"),
        (Reply(text=None, refusal="no"), "answer_refused"),
        (Reply(text="抱歉，我无法处理这个请求。"), "answer_without_list"),
        (Reply(text='["住在苏州", "likes tea"]'), "answer_of_another_shape"),
        (
            Reply(text="<!doctype html><html><body>I live in [Suzhou], 苏州</body></html>"),
            "answer_without_list",
        ),
    ],
)
def test_b28_no_answer_is_a_failed_reading_of_its_event_alone(
    server: ModelServer, agent: AgentClient, language: str, odd: Any, code: str
) -> None:
    whole = json.dumps([city(language)], ensure_ascii=False)
    reply = Reply(text=whole[: len(whole) // 2]) if odd == "half" else odd
    server.replies = [reply] * 3
    [event] = told(agent, SAID[language][0])
    assert (event["state"], [verdict["code"] for verdict in event["outcome"]]) == ("failed", [code])
    assert stored(agent) == []
    # It is visible and not done with: sent round again it is read.
    server.say([city(language)])
    owner = Owner.objects.get(ref="ann")
    requeue_failed_event(workspace_id=owner.workspace_id, owner_id=owner.id, event_id=UUID(event["id"]))
    work_off_the_queue()
    again = agent.get(f"/api/v1/events/{event['id']}/", {"owner": "ann"}).json()
    assert again["state"] == "processed"
    assert stored(agent) == [SAID[language][1]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b28_a_page_in_place_of_an_answer_costs_the_event_no_try(
    server: ModelServer, agent: AgentClient, language: str
) -> None:
    server.script = lambda body: Reply(raw=b"<html><body>Bad gateway</body></html>")
    [event] = told(agent, SAID[language][0])
    assert event["state"] == "accepted"
    assert agent.get("/health/ready").json()["model"] == "degraded"
    server.script = lambda body: Reply(text=json.dumps([city(language)], ensure_ascii=False))
    Job.objects.update(queued_at=Now() - timedelta(minutes=2))
    sweep()
    work_off_the_queue()
    assert agent.get(f"/api/v1/events/{event['id']}/", {"owner": "ann"}).json()["state"] == "processed"
    assert stored(agent) == [SAID[language][1]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b28_of_a_mixed_list_the_good_are_kept_and_each_bad_one_is_reported(
    server: ModelServer, agent: AgentClient, language: str
) -> None:
    text, quote, content = OTHER[language]
    work = sentence(2, quote, content)
    server.say(
        [
            city(language, importance="high"),
            city(language),
            {**work, "confidence": 95},
            work,
            {**work, "content": None},
            about_field(2, quote, "user_profile", "occupation", quote),
        ]
    )
    first, second = told(agent, SAID[language][0], text)
    assert [first["state"], second["state"]] == ["processed", "processed"]
    codes = [
        [verdict["code"] for verdict in event["outcome"] if verdict["outcome"] == "refused"]
        for event in (first, second)
    ]
    assert codes == [["entry_bad:importance"], ["entry_bad:confidence", "entry_bad:content"]]
    assert sorted(stored(agent)) == sorted([SAID[language][1], quote])
    items = agent.get("/api/v1/memories/", {"owner": "ann"}).json()["results"]
    assert [item["content"] for item in items] == [content]
