"""B30: an embedding failure never costs a fact, and no wrong vector is ever stored. Over real HTTP."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pytest_django import Settings

from memoryhub.models import EmbeddingModel, FieldVersion, Job, Owner, SearchEntry, SearchVector
from memoryhub.search_vectors import embed_missing
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.model_server import ModelServer, Reply, running_model_server
from tests.public_reports.telling import recalled, tell

pytestmark = pytest.mark.django_db

DIMS = 16
FACTS = {
    "en": ("I live in Suzhou.", "My budget is 5000 yuan.", "I am allergic to nuts.", "My email is ann@example.org.", "I work as a nurse."),
    "zh": ("我住在苏州。", "我的预算是5000元。", "我对坚果过敏。", "我的邮箱是 ann@example.org。", "我的职业是护士。"),
}  # fmt: skip
THIRD = {"en": "allergic", "zh": "过敏"}
ASKED = {"en": ("what is Ann allergic to?", "nuts"), "zh": ("对什么过敏？", "坚果")}


def vector_of(text: str) -> list[float]:
    """A vector that tells whose it is."""
    return [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:DIMS]]


def answer(texts: list[str]) -> Reply:
    rows = [{"index": place, "embedding": vector_of(text)} for place, text in enumerate(texts)]
    return Reply(raw=json.dumps({"data": rows}).encode())


def well(body: dict[str, Any]) -> Reply:
    return answer(body["input"])


def four_for_five(body: dict[str, Any]) -> Reply:
    return answer(body["input"][:-1])


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
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def stored_vectors(owner: Owner) -> dict[str, np.ndarray[Any, Any]]:
    """Text of each entry that has a vector, with the vector as it is stored."""
    rows = SearchVector.objects.of(owner.id).filter(
        model_id__in=EmbeddingModel.objects.filter(state="current")
    )
    texts = dict(SearchEntry.objects.of(owner.id).values_list("id", "text"))
    return {texts[row.entry_id]: np.asarray(row.v, dtype=np.float64) for row in rows}


def assert_vectors_belong_to_their_texts(owner: Owner) -> None:
    for text, vector in stored_vectors(owner).items():
        expected = np.asarray(vector_of(text))
        assert vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected) > 0.999


def live(owner: Owner) -> set[str]:
    entries = SearchEntry.objects.of(owner.id).filter(known_until=None, cleared=True)
    return set(entries.values_list("text", flat=True))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_failing_text_costs_its_own_vector_and_no_fact(
    server: ModelServer, owner: Owner, source: Source, language: str
) -> None:
    def third_fails(body: dict[str, Any]) -> Reply:
        return Reply(status=500) if any(THIRD[language] in text for text in body["input"]) else well(body)

    server.script = third_fails
    tell(owner, source, *FACTS[language])
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 5
    pending = live(owner) - set(stored_vectors(owner))
    assert pending and all(THIRD[language] in text or "allerg" in text for text in pending)
    assert_vectors_belong_to_their_texts(owner)
    question, said = ASKED[language]
    assert said in recalled(owner, source, question)
    server.script = well
    embed_missing(workspace_id=source.workspace_id, owner_id=owner.id)
    assert live(owner) == set(stored_vectors(owner))
    assert_vectors_belong_to_their_texts(owner)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("fault", [four_for_five, wrong_dimensions, down])
def test_a_provider_that_answers_wrongly_or_not_stores_no_wrong_vector_and_recall_says_so(
    server: ModelServer, owner: Owner, source: Source, language: str, fault: Any
) -> None:
    server.script = fault
    tell(owner, source, *FACTS[language])
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 5
    assert stored_vectors(owner) == {}
    question, said = ASKED[language]
    assert said in recalled(owner, source, question)
    server.script = well
    while embed_missing(workspace_id=source.workspace_id, owner_id=owner.id):
        pass
    assert live(owner) == set(stored_vectors(owner))
    assert_vectors_belong_to_their_texts(owner)
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
