"""B30: an embedding failure never costs a fact, and no wrong vector is ever stored. Over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memoryhub.models import FieldVersion, Job, Owner, ProviderState
from memoryhub.search_vectors import embed_missing
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.model_server import ModelServer, Reply, running_model_server
from tests.public_reports.telling import recalled, tell
from tests.public_reports.vectors_served import (
    answer,
    assert_vectors_belong_to_their_texts,
    live_texts,
    stored_vectors,
)

pytestmark = pytest.mark.django_db

DIMS = 16
FACTS = {
    "en": ("I live in Suzhou.", "My budget is 5000 yuan.", "I am allergic to nuts.", "My email is ann@example.org.", "I work as a nurse."),
    "zh": ("我住在苏州。", "我的预算是5000元。", "我对坚果过敏。", "我的邮箱是 ann@example.org。", "我的职业是护士。"),
}  # fmt: skip
THIRD = {"en": "allergic", "zh": "过敏"}
ASKED = {"en": ("what is Ann allergic to?", "nuts"), "zh": ("对什么过敏？", "坚果")}


def well(body: dict[str, Any]) -> Reply:
    return answer(body["input"], DIMS)


def four_for_five(body: dict[str, Any]) -> Reply:
    return answer(body["input"][:-1], DIMS)


def wrong_dimensions(body: dict[str, Any]) -> Reply:
    rows = [{"index": place, "embedding": [1.0] * (DIMS + 1)} for place in range(len(body["input"]))]
    return Reply(raw=json.dumps({"data": rows}).encode())


def down(body: dict[str, Any]) -> Reply:
    return Reply(status=503)


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with running_model_server() as running:
        settings.EMBEDDER, settings.EMBEDDER_URL = "openai", running.url
        settings.EMBEDDER_MODEL, settings.EMBEDDER_DIMS = f"e-{running.server_address[1]}", DIMS
        running.script = well
        yield running


@pytest.fixture
def model(server: ModelServer, settings: Settings) -> str:
    return f"openai:127.0.0.1:{settings.EMBEDDER_MODEL}:{DIMS}"


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def provider_is_back(server: ModelServer) -> None:
    """It answers again, and the pause after its failures is over."""
    server.script = well
    ProviderState.objects.update(open_until=timezone.now())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b30_a_failing_text_costs_its_own_vector_and_no_fact(
    server: ModelServer, model: str, owner: Owner, source: Source, language: str
) -> None:
    def third_fails(body: dict[str, Any]) -> Reply:
        return Reply(status=500) if any(THIRD[language] in text for text in body["input"]) else well(body)

    server.script = third_fails
    tell(owner, source, *FACTS[language])
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 5
    pending = live_texts(owner) - set(stored_vectors(owner, model))
    assert pending and all(THIRD[language] in text or "allerg" in text for text in pending)
    assert_vectors_belong_to_their_texts(owner, model)
    question, said = ASKED[language]
    assert said in recalled(owner, source, question)
    provider_is_back(server)
    embed_missing(workspace_id=source.workspace_id, owner_id=owner.id)
    assert live_texts(owner) == set(stored_vectors(owner, model))
    assert_vectors_belong_to_their_texts(owner, model)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("fault", [four_for_five, wrong_dimensions, down])
def test_b30_a_provider_that_answers_wrongly_or_not_stores_no_wrong_vector_and_recall_says_so(
    server: ModelServer, model: str, owner: Owner, source: Source, language: str, fault: Any
) -> None:
    server.script = fault
    tell(owner, source, *FACTS[language])
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 5
    assert stored_vectors(owner, model) == {}
    question, said = ASKED[language]
    assert said in recalled(owner, source, question)
    provider_is_back(server)
    while embed_missing(workspace_id=source.workspace_id, owner_id=owner.id):
        pass
    assert live_texts(owner) == set(stored_vectors(owner, model))
    assert_vectors_belong_to_their_texts(owner, model)
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
