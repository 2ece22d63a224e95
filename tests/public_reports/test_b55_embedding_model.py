"""B55: changing the embedding model is a guarded step. Over real HTTP, 768 to 1,024 dimensions, and beyond what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from memoryhub.models import EmbeddingModel, FieldVersion, Job, Owner, ProviderState, SearchVector
from memoryhub.starting import refuse_unsafe_start, tell_of_another_model
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.api.clients import AgentClient
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.model_server import ModelServer, Reply, running_model_server
from tests.public_reports.telling import outcomes, recalled, tell
from tests.public_reports.vectors_served import (
    answer,
    assert_vectors_belong_to_their_texts,
    live_texts,
    stored_vectors,
)

SAID = {
    "en": ("I live in Suzhou.", "where does she live?", "Suzhou", "Shelf {} holds the blue boxes."),
    "zh": ("我住在苏州。", "她住在哪里？", "苏州", "第{}号架子上放着蓝色的箱子。"),
}
languages = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def server(committing_db: str) -> Iterator[ModelServer]:
    with running_model_server() as running:
        yield running


def use(settings: Settings, server: ModelServer, model: str, dims: int, *, sent: int | None = None) -> str:
    """Point the settings at a model of the server, which sends vectors of `sent` numbers; the embedder's name."""
    settings.EMBEDDER, settings.EMBEDDER_URL = "openai", server.url
    settings.EMBEDDER_MODEL, settings.EMBEDDER_DIMS = f"{model}-{server.server_address[1]}", dims
    server.script = lambda body: answer(body["input"], sent or dims)
    return f"openai:127.0.0.1:{settings.EMBEDDER_MODEL}:{dims}"


@pytest.fixture
def source(server: ModelServer) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def store_fifty(owner: Owner, source: Source, sentence: str) -> None:
    for number in range(50):
        write_memory(owner_id=owner.id, content=sentence.format(number), item_kind="semantic", source=source)
    work_off_the_queue()


def states() -> dict[str, str]:
    return dict(EmbeddingModel.objects.values_list("name", "state"))


def provider_is_back() -> None:
    """As if the pause after its failures were over."""
    ProviderState.objects.update(open_until=timezone.now())


@languages
def test_b55_the_old_vectors_stay_until_the_second_run_has_replaced_them_all(
    server: ModelServer, settings: Settings, owner: Owner, source: Source, language: str
) -> None:
    said, asked, value, sentence = SAID[language]
    old = use(settings, server, "old", 768)
    other = make_owner(source)
    store_fifty(other, source, sentence)
    assert len(stored_vectors(other, old)) == 50

    new = use(settings, server, "new", 1024)
    with capture_logs() as logs:
        tell_of_another_model()
    assert [(line["event"], line["stored"], line["configured"]) for line in logs] == [
        ("embedding_model_changed", old, new)
    ]
    ready = AgentClient(None).get("/health/ready").json()
    assert (ready["ready"], ready["embedder"], ready["embedding_model"]) == (True, "degraded", new)

    (event,) = tell(owner, source, said)
    assert set(outcomes(event)) == {"stored"}
    assert FieldVersion.objects.of(owner.id).get(status="active").value == value
    assert value in recalled(owner, source, asked)
    assert set(stored_vectors(owner, new)) == live_texts(owner)
    assert sentence.format(7) in recalled(other, source, sentence.format(7))
    assert stored_vectors(other, new) == {}
    assert states() == {old: "current", new: "building"}

    asked_for: list[int] = []

    def fails_half_way(body: dict[str, Any]) -> Reply:
        asked_for.append(len(body["input"]))
        return Reply(status=503) if len(asked_for) > 1 else answer(body["input"], 1024)

    server.script = fails_half_way
    with pytest.raises(CommandError, match="still without a vector"):
        call_command("reembed")
    assert 0 < len(stored_vectors(other, new)) < 50
    assert len(stored_vectors(other, old)) == 50
    assert states() == {old: "current", new: "building"}

    provider_is_back()
    server.script = lambda body: answer(body["input"], 1024)
    before = len(server.seen)
    call_command("reembed")
    sent = [text for _, _, body in server.seen[before:] for text in body["input"]]
    assert len(sent) == 50 - asked_for[0]
    assert states() == {old: "retired", new: "current"}
    for each in (owner, other):
        assert set(stored_vectors(each, new)) == live_texts(each)
        assert_vectors_belong_to_their_texts(each, new)
    assert AgentClient(None).get("/health/ready").json()["embedder"] == "ok"
    work_off_the_queue()
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}

    assert len(stored_vectors(other, old)) == 50


@languages
def test_b55_a_model_of_another_length_than_stated_stores_nothing_and_costs_no_event(
    server: ModelServer, settings: Settings, owner: Owner, source: Source, language: str
) -> None:
    said, asked, value, _ = SAID[language]
    use(settings, server, "odd", 1024, sent=3072)
    (event,) = tell(owner, source, said)
    assert outcomes(event)
    assert value in recalled(owner, source, asked)
    assert not SearchVector.objects.of(owner.id).exists()
    with pytest.raises(CommandError, match="still without a vector"):
        call_command("reembed")
    assert not SearchVector.objects.of(owner.id).exists()
    assert ProviderState.objects.get().error_code in {"wrong_dimensions", "paused"}
    assert AgentClient(None).get("/health/ready").json()["embedder"] in {"degraded", "down"}


@languages
def test_b55_a_long_model_is_asked_for_what_is_kept(
    server: ModelServer, settings: Settings, owner: Owner, source: Source, language: str
) -> None:
    said, asked, value, _ = SAID[language]
    name = use(settings, server, "long", 1024)
    settings.EMBEDDER_ASK_FOR_DIMS = True
    server.script = lambda body: answer(body["input"], body.get("dimensions", 3072))
    tell(owner, source, said)
    assert {body["dimensions"] for _, _, body in server.seen} == {1024}
    assert set(stored_vectors(owner, name)) == live_texts(owner)
    assert value in recalled(owner, source, asked)


@pytest.mark.parametrize("dims", [0, 2048, 3072])
def test_b55_a_length_that_is_not_kept_stops_the_start_with_a_reason(
    server: ModelServer, settings: Settings, dims: int
) -> None:
    use(settings, server, "long", dims)
    with pytest.raises(ImproperlyConfigured, match="MEMORYHUB_EMBEDDER_DIMS must be 1 to 1024"):
        refuse_unsafe_start()
