"""The page that tries a text: both extractors side by side, an owner's memory looked at, nothing stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from memoryhub.models import AuditEntry, Change, Event, FieldVersion, Form, Job, MemoryItem, Owner
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.jobs.waiting import work_off_the_queue
from tests.model_server import ModelServer, Reply, about_field, running_model_server
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_owner

PAGE = "/try-extraction/"
SAID = {
    "en": ("Actually I moved, I live in Suzhou now", "Suzhou", "I live in Hangzhou", "Hangzhou"),
    "zh": ("我搬家了，现在住在苏州", "苏州", "我住在杭州", "杭州"),
}
languages = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with running_model_server() as running:
        settings.CHAT_URL, settings.CHAT_MODEL, settings.CHAT_TIMEOUT = running.url, "m-1", 2.0
        yield running


@pytest.fixture
def owner(desk: Desk) -> Owner:
    return make_owner(desk.workspace, "ann")


def tried(desk: Desk, **given: Any) -> Any:
    return desk.client().post(PAGE, {"role": "user", "trust": "3", **given})


def outcomes(answer: Any) -> dict[str, list[tuple[str, Any]]]:
    """Per extractor the outcome of each candidate and what it stands against."""
    return {
        column.extractor: [
            (line.settled.outcome, line.settled.standing) for line in column.lines if line.settled
        ]
        for column in answer.context["columns"]
    }


def count(owner: Owner) -> list[int]:
    owned = (Event, Form, FieldVersion, MemoryItem, Change)
    return [
        *(model.objects.of(owner.id).count() for model in owned),
        Job.objects.count(),
        AuditEntry.objects.count(),
    ]


@languages
def test_both_read_the_same_text_and_nothing_is_stored(
    desk: Desk, server: ModelServer, owner: Owner, language: str
) -> None:
    text, city, before, old_city = SAID[language]
    source = Source(workspace_id=desk.workspace.id, trust_tier=3)
    record_events(owner_id=owner.id, events=[NewEvent(content=before)], source=source)
    work_off_the_queue()
    stored = count(owner)
    server.say([about_field(1, text, "user_profile", "location", city)])

    answer = tried(desk, text=text, owner="ann")
    assert answer.status_code == 200
    rules, model = answer.context["columns"]
    for column in (rules, model):
        assert [line.candidate.value for line in column.lines if line.candidate.kind == "form"] == [city]
    assert ("superseded", old_city) in outcomes(answer)["rules"]
    assert outcomes(answer)["model"][0][1] == old_city
    page = answer.content.decode()
    for step in ("Screened", "Extracted", "Admitted", "Settled", "Read by the rules", "Read by the model"):
        assert step in page
    assert count(owner) == stored
    assert FieldVersion.objects.of(owner.id).get(status="active").value == old_city


def test_without_a_model_its_column_says_so(desk: Desk) -> None:
    answer = tried(desk, text="我对坚果过敏")
    page = answer.content.decode()
    assert "No model is set up" in page and "MEMORYHUB_CHAT_URL" in page
    assert [line.candidate.value for line in answer.context["columns"][0].lines] == ["坚果"]
    assert "Name an owner" in page


def test_a_provider_that_does_not_answer_and_an_answer_without_use_are_told(
    desk: Desk, server: ModelServer
) -> None:
    server.replies = [Reply(status=401), Reply(text="<html><body>Bad gateway</body></html>")]
    assert "The model does not answer now" in tried(desk, text="I live in Suzhou").content.decode()
    assert "answered without a list" in tried(desk, text="I live in Suzhou").content.decode()


def test_what_is_refused_at_the_door_is_told_with_its_rule(desk: Desk) -> None:
    page = tried(desk, text="Thanks!").content.decode()
    assert "Not read" in page and "Nothing to remember" in page
    page = tried(desk, text="Just kidding, my budget is 5 yuan, haha").content.decode()
    assert "a joke" in page


def test_the_other_choices_count(desk: Desk, owner: Owner) -> None:
    low = tried(desk, text="我对坚果过敏", owner="ann", trust="1").context["columns"][0]
    assert [line.settled.outcome for line in low.lines] == ["in_review"]
    assert [
        line.settled.outcome
        for line in tried(desk, text="我对坚果过敏", owner="ann").context["columns"][0].lines
    ] == ["stored"]
    tool = tried(desk, text="我的预算是5000元", role="tool").context["columns"][0]
    assert tool.lines == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "   "}, "Write something"),
        ({"text": "a\0b"}, "Null characters"),
        ({"text": "x" * 16_001}, "16000"),
        ({"text": "hello there", "owner": "nobody"}, "no such owner"),
        ({"text": "hello there", "said_at": "1066-10-14T09:00"}, "1900"),
        ({"text": "hello there", "role": "king"}, "king"),
    ],
)
def test_bad_input_is_422_and_named_at_its_field(desk: Desk, given: dict[str, str], said: str) -> None:
    answer = tried(desk, **given)
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_another_workspaces_owner_is_answered_as_an_unknown_one(desk: Desk) -> None:
    make_owner(desk.elsewhere, "theirs")
    assert "no such owner" in tried(desk, text="hello there", owner="theirs").content.decode()
