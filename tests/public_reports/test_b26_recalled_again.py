"""B26: what was recalled is not learned again, as the block itself or in the assistant's words, by either extractor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from memoryhub.language.fence import RECALL_FENCE
from memoryhub.models import Event, FieldVersion, ItemSource, MemoryItem, Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.model_server import ModelServer, Reply, events_in, running_model_server, sentence
from tests.public_reports.telling import recalled, tell

pytestmark = pytest.mark.django_db

FACTS = {
    "en": ("I live in Suzhou.", "I am allergic to nuts.", "my favourite tea is oolong"),
    "zh": ("我住在苏州。", "我对坚果过敏。", "我最喜欢喝乌龙茶"),
}
SAID = {
    "en": ("what do you know about me?", "How is the weather today?", "You live in Suzhou, you are allergic to nuts and like oolong."),
    "zh": ("你都知道我什么？", "今天天气怎么样？", "您住在苏州，对坚果过敏，最喜欢喝乌龙茶。"),
}  # fmt: skip
TURNS = 10


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def state(owner: Owner) -> list[Any]:
    """Everything that could grow or rise."""
    grows = ("content", "importance", "confidence", "confirmations", "last_confirmed_at", "status")
    return [
        list(MemoryItem.objects.of(owner.id).order_by("seq").values_list(*grows)),
        list(
            FieldVersion.objects.of(owner.id).order_by("version", "id").values_list(
                "value", "importance", "confidence", "confirmations", "last_confirmed_at", "status"
            )
        ),
        ItemSource.objects.of(owner.id).count(),
    ]  # fmt: skip


def ten_turns(owner: Owner, source: Source, language: str) -> None:
    """Each with the block of a fresh recall before a line without a fact; in five of them the assistant says it in his words."""
    question, small_talk, paraphrase = SAID[language]
    for turn in range(TURNS):
        block = recalled(owner, source, question)
        assert RECALL_FENCE.opens_with("x")[:-1] in block
        (event,) = tell(owner, source, f"{block}\n{small_talk}", session_ref="loop")
        assert event.content == f"{block}\n{small_talk}"
        if turn % 2:
            tell(owner, source, paraphrase, role="assistant", session_ref="loop")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b26_ten_turns_with_the_recalled_block_add_nothing(
    owner: Owner, source: Source, language: str
) -> None:
    tell(owner, source, *FACTS[language])
    before = state(owner)
    assert before[0] and before[1]
    ten_turns(owner, source, language)
    assert state(owner) == before
    assert Event.objects.of(owner.id).count() == len(FACTS[language]) + TURNS + TURNS // 2


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    """A model that takes every line it is shown for a fact."""
    with running_model_server() as running:
        settings.CHAT_URL, settings.CHAT_MODEL, settings.CHAT_TIMEOUT = running.url, "m-1", 2.0

        def greedy(body: dict[str, Any]) -> Reply:
            entries = [
                sentence(event["event"], line.strip(), f"Ann: {line.strip()}")
                for event in events_in(body)
                for line in event["text"].splitlines()
                if line.strip()
            ]
            return Reply(text=json.dumps(entries, ensure_ascii=False))

        running.script = greedy
        yield running


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b26_a_model_is_not_shown_the_block(
    server: ModelServer, settings: Settings, owner: Owner, source: Source, language: str
) -> None:
    tell(owner, source, *FACTS[language])
    before = state(owner)
    settings.EXTRACTOR = "model"
    ten_turns(owner, source, language)
    assert state(owner) == before
    seen = json.dumps(server.events_seen, ensure_ascii=False)
    for word in ("Suzhou", "苏州", "oolong", "乌龙", "memoryhub:"):
        assert word not in seen
