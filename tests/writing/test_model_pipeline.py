"""Events read by a model through the whole write path, with a provider that misbehaves: nothing lost, nothing out of order."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from memoryhub.jobs.sweeping import sweep
from memoryhub.models import (
    AuditEntry,
    Event,
    FieldVersion,
    Job,
    MemoryItem,
    ModelUsage,
    Owner,
    ProviderState,
)
from memoryhub.writing.candidates import Role
from memoryhub.writing.pipeline import requeue_failed_event
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.model_server import (
    KEY,
    ModelServer,
    Reply,
    about_field,
    events_in,
    running_model_server,
    sentence,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with running_model_server() as running:
        settings.EXTRACTOR = "model"
        settings.CHAT_URL = running.url
        settings.CHAT_MODEL = "m-1"
        settings.CHAT_KEY = KEY
        settings.CHAT_TIMEOUT = 2.0
        settings.CHAT_CONCURRENCY = 1
        settings.CHAT_OPTIONS = {"temperature": 0}
        settings.CHAT_PRICE_PROMPT, settings.CHAT_PRICE_COMPLETION = 1.0, 10.0
        settings.PRIVATE_ENDPOINTS = True
        running.script = budgets
        yield running


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def budgets(body: dict[str, Any]) -> Reply:
    """Reads 'My budget is N yuan' as the model would."""
    entries = []
    for event in events_in(body):
        if "budget" in event["text"]:
            amount = event["text"].split()[3]
            entries.append(
                about_field(event["event"], event["text"].rstrip("."), "user_profile", "budget", amount)
            )
    return Reply(text=json.dumps(entries))


def tell(owner: Owner, source: Source, *texts: str) -> None:
    record_events(owner_id=owner.id, events=[NewEvent(content=text) for text in texts], source=source)


def states(owner: Owner) -> list[tuple[str, int]]:
    return [
        (event.state, event.attempts) for event in Event.objects.of(owner.id).order_by("recorded_at", "id")
    ]


def codes(owner: Owner) -> list[list[str]]:
    events = Event.objects.of(owner.id).order_by("recorded_at", "id")
    return [[verdict.get("code", "") for verdict in event.outcome] for event in events]


def values(owner: Owner) -> list[Any]:
    return list(FieldVersion.objects.of(owner.id).order_by("version").values_list("value", flat=True))


def time_passes() -> None:
    """The provider's pause is over and the sweep hands out what has waited."""
    ProviderState.objects.update(open_until=Now() - timedelta(seconds=1))
    Job.objects.filter(state="queued").update(queued_at=Now() - timedelta(minutes=2))
    sweep()
    work_off_the_queue()


def test_several_events_are_read_with_one_question_and_settled_one_by_one(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    tell(owner, source, "My budget is 5000 yuan.", "Hello!", "My budget is 7000 yuan.")
    work_off_the_queue()
    assert server.events_seen == [["My budget is 5000 yuan.", "My budget is 7000 yuan."]]
    assert values(owner) == ["5000", "7000"]
    assert states(owner) == [("processed", 1)] * 3
    usage = ModelUsage.objects.get()
    assert (usage.calls, usage.failures, usage.prompt_tokens, usage.completion_tokens) == (1, 0, 100, 20)
    assert float(usage.cost) == 0.0003
    assert (usage.model, usage.purpose) == ("127.0.0.1:m-1", "extraction")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(text=""), "answer_empty"),
        (Reply(text=None), "answer_empty"),
        (Reply(text=None, refusal="I can't help with that."), "answer_refused"),
        (Reply(text="I'm sorry, I can't help with that."), "answer_without_list"),
        (Reply(text='[{"event": 1, "kind": "fie'), "answer_cut_off"),
        (Reply(text='["likes tea"]'), "answer_of_another_shape"),
        (Reply(status=400), "request_refused"),
    ],
)
def test_an_answer_that_is_no_use_leaves_the_event_visible_and_it_is_read_again(
    server: ModelServer, owner: Owner, source: Source, reply: Reply, code: str
) -> None:
    server.replies = [reply] * 3
    tell(owner, source, "My budget is 5000 yuan.")
    work_off_the_queue()
    assert (states(owner), codes(owner), values(owner)) == ([("failed", 3)], [[code]], [])
    event = Event.objects.of(owner.id).get()
    assert requeue_failed_event(workspace_id=source.workspace_id, owner_id=owner.id, event_id=event.id)
    work_off_the_queue()
    assert (states(owner), values(owner)) == ([("processed", 1)], ["5000"])
    assert ModelUsage.objects.get().failures == 3


def test_one_useless_answer_costs_one_try(server: ModelServer, owner: Owner, source: Source) -> None:
    server.replies = [Reply(text="")]
    tell(owner, source, "My budget is 5000 yuan.")
    work_off_the_queue()
    assert (states(owner), values(owner)) == ([("processed", 2)], ["5000"])


def test_what_stood_whole_in_an_answer_cut_off_for_good_is_kept_and_the_event_stays_failed(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    entry = about_field(1, "My budget is 5000 yuan", "user_profile", "budget", "5000")
    server.replies = [Reply(text=f"[{json.dumps(entry)}, {{", finish="length")] * 3
    tell(owner, source, "My budget is 5000 yuan.")
    work_off_the_queue()
    assert (states(owner), codes(owner), values(owner)) == (
        [("failed", 3)],
        [["", "answer_cut_off"]],
        ["5000"],
    )


def test_bad_entries_are_told_on_their_event_and_the_good_ones_stored(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    good = about_field(1, "My budget is 5000 yuan", "user_profile", "budget", "5000")
    moved = sentence(2, "moved to the Lisbon office", "The user moved to the Lisbon office.", kind="episodic")
    server.say([{**good, "importance": "high"}, good, {**moved, "confidence": 95}, moved])
    tell(owner, source, "My budget is 5000 yuan.", "We moved to the Lisbon office.")
    work_off_the_queue()
    assert codes(owner) == [["", "entry_bad:importance"], ["", "entry_bad:confidence"]]
    assert values(owner) == ["5000"]
    assert MemoryItem.objects.of(owner.id).get().content == "The user moved to the Lisbon office."


@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=500),
        Reply(status=503),
        Reply(status=429, headers={"Retry-After": "30"}),
        Reply(status=401),
        Reply(cut=True),
        Reply(wait=5),
        Reply(raw=b"<html>"),
    ],
)
def test_while_the_provider_is_away_events_wait_untried_and_are_read_in_order_when_it_is_back(
    server: ModelServer, owner: Owner, source: Source, fault: Reply
) -> None:
    server.script = lambda body: fault
    for number in range(1, 6):
        tell(owner, source, f"My budget is {number}000 yuan.")
    work_off_the_queue()
    for _ in range(3):
        time_passes()
    assert states(owner) == [("accepted", 0)] * 5
    assert {(job.state, job.attempts) for job in Job.objects.filter(kind="process_events")} == {("queued", 0)}
    assert ProviderState.objects.get().open_until is not None
    server.script = budgets
    time_passes()
    assert states(owner) == [("processed", 1)] * 5
    assert values(owner) == ["1000", "2000", "3000", "4000", "5000"]
    assert FieldVersion.objects.of(owner.id).get(status="active").value == "5000"
    state = ProviderState.objects.get()
    assert (state.failures, state.openings, state.open_until, state.error_code) == (0, 0, None, "")
    assert set(Job.objects.filter(kind="process_events").values_list("state", flat=True)) == {"done"}


def test_an_open_breaker_keeps_everybody_from_asking(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    server.script = lambda body: Reply(status=401)
    for number in range(12):
        tell(owner, source, f"My budget is {number}000 yuan.")
    work_off_the_queue()
    assert len(server.seen) == 4
    other = make_owner(source)
    tell(other, source, "My budget is 9000 yuan.")
    work_off_the_queue()
    assert len(server.seen) == 4
    assert states(other) == [("accepted", 0)]


def test_what_was_answered_before_the_provider_went_is_kept_and_the_rest_waits(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    server.script = lambda body: budgets(body) if len(server.seen) == 1 else Reply(status=401)
    tell(owner, source, *(f"My budget is {number}000 yuan." for number in range(1, 13)))
    work_off_the_queue()
    assert states(owner) == [("processed", 1)] * 8 + [("accepted", 0)] * 4
    server.script = budgets
    time_passes()
    assert values(owner) == [f"{number}000" for number in range(1, 13)]


def test_only_what_the_owner_said_is_sent_and_learned(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    turns: list[tuple[Role, str]] = [
        ("user", "any ideas?"), ("assistant", "Many clients like early calls; you could use the Lisbon office."),
        ("tool", "city: Porto"), ("user", "ok thanks"), ("user", "Yes, early calls from now on."),
    ]  # fmt: skip
    server.say([sentence(1, "early calls from now on", "The user wants early calls from now on.")])
    record_events(
        owner_id=owner.id, events=[NewEvent(content=text, role=role) for role, text in turns], source=source
    )
    work_off_the_queue()
    assert server.events_seen == [["Yes, early calls from now on."]]
    item = MemoryItem.objects.of(owner.id).get()
    assert (item.content, item.quote) == (
        "The user wants early calls from now on.",
        "early calls from now on",
    )
    assert values(owner) == []


def test_memories_stay_in_the_language_they_were_said_in(
    server: ModelServer, owner: Owner, source: Source
) -> None:
    said = ["我每天用 Notion 记录会议。", "我對堅果過敏，很嚴重。", "I prefer written reports."]
    server.say(
        [
            sentence(1, "用 Notion 记录会议", "用户每天用 Notion 记录会议。"),
            sentence(1, "用 Notion 记录会议", "The user records meetings in Notion."),
            sentence(2, "對堅果過敏", "用戶對堅果過敏，很嚴重。"),
            sentence(2, "對堅果過敏", "用户对坚果过敏，很严重。"),
            sentence(3, "prefer written reports", "The user prefers written reports."),
            sentence(3, "prefer written reports", "用户喜欢书面报告。"),
        ]
    )
    tell(owner, source, *said)
    work_off_the_queue()
    contents = set(MemoryItem.objects.of(owner.id).values_list("content", flat=True))
    assert contents == {
        "用户每天用 Notion 记录会议。", "用戶對堅果過敏，很嚴重。", "The user prefers written reports.",
    }  # fmt: skip
    assert [each[-1] for each in codes(owner)] == ["other_language", "other_script", "other_language"]


def test_neither_the_key_nor_what_was_said_is_in_a_log_line_or_the_audit_trail(
    server: ModelServer, owner: Owner, source: Source, caplog: pytest.LogCaptureFixture
) -> None:
    faults = [Reply(status=401), Reply(text="no"), Reply(text="My budget is 5000 yuan."), Reply(status=400)]
    server.replies = list(faults)
    with caplog.at_level(logging.DEBUG):
        tell(owner, source, "My budget is 5000 yuan.")
        work_off_the_queue()
        for _ in range(3):
            time_passes()
    assert "model_answer_unusable" in caplog.text
    kept = caplog.text + json.dumps(list(AuditEntry.objects.values_list("details", flat=True)), default=str)
    assert KEY not in kept
    assert "5000" not in kept


def test_the_rules_still_read_when_nothing_is_set(
    server: ModelServer, owner: Owner, source: Source, settings: Settings
) -> None:
    settings.EXTRACTOR = "rules"
    tell(owner, source, "My budget is 5000 yuan")
    work_off_the_queue()
    assert server.seen == []
    assert len(values(owner)) == 1
