"""Every event that was read says by what."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from memoryhub.models import Event
from memoryhub.writing.candidates import Role
from memoryhub.writing.read_by import rules_version
from memoryhub.writing.recording import NewEvent, record_event
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.model_server import KEY, ModelServer, running_model_server
from tests.writing.test_model_pipeline import budgets

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with running_model_server() as running:
        settings.EXTRACTOR = "model"
        settings.CHAT_URL, settings.CHAT_MODEL, settings.CHAT_KEY = running.url, "m-1", KEY
        settings.PRIVATE_ENDPOINTS = True
        running.script = budgets
        yield running


def read(content: str, *, role: Role = "user") -> str:
    source = make_source(make_workspace())
    owner = make_owner(source)
    record_event(owner_id=owner.id, event=NewEvent(content=content, role=role), source=source)
    work_off_the_queue()
    event = Event.objects.of(owner.id).get()
    assert event.state == "processed"
    return str(event.learned.get("extractor", ""))


def test_the_rules_sign_with_their_digest() -> None:
    assert re.fullmatch(r"rules-[0-9a-f]{8}", rules_version())
    assert read("My budget is 5000 euros") == rules_version()


def test_a_model_signs_with_its_name_and_prompt_and_leaves_others_turns_to_the_rules(
    server: ModelServer,
) -> None:
    assert read("My budget is 5000 euros") == "m-1 / extraction-en-1"
    assert read("我的预算是5000元") == "m-1 / extraction-zh-1"
    assert read("I will send you the offer tomorrow", role="assistant") == rules_version()
