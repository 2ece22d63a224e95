"""B23: what the assistant, a tool or the system said is not what the user said, in one event or in several, by either extractor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from memoryhub.models import FieldVersion, MemoryItem, Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.model_server import ModelServer, Reply, about_field, events_in, running_model_server, sentence
from tests.public_reports.telling import active_items, tell

pytestmark = pytest.mark.django_db

TALK = {
    "en": (
        (
            "user: any ideas?\nassistant: many clients like early calls; you could use the Lisbon office. I live in Lisbon, my budget "
            'is 9000 yuan.\ntool: {"city": "Lisbon"} I live in Lisbon\nuser: ok thanks'
        ),
        "yes, early calls from now on",
        "The user wants early calls from now on.",
    ),
    "zh": (
        (
            "用户：有什么建议？\n助手：很多客户喜欢一早打电话；可以用里斯本办公室。我住在里斯本，我的预算是9000元。\n"
            "工具：我住在里斯本\n用户：好的，谢谢"
        ),
        "好，以后都一早打电话",
        "用户希望以后都一早打电话",
    ),
}
OTHERS = {
    "en": ("I live in Lisbon. My budget is 9000 yuan.", "The user lives in Lisbon."),
    "zh": ("我住在里斯本。我的预算是9000元。", "用户住在里斯本。"),
}
LABELS = ("user:", "assistant:", "tool:", "用户：", "助手：", "工具：", "user：", "助手:")
languages = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    """A model that tells everything it is shown as the owner's own words."""
    with running_model_server() as running:
        settings.EXTRACTOR, settings.CHAT_URL, settings.CHAT_MODEL = "model", running.url, "m-1"
        settings.CHAT_TIMEOUT = 2.0
        yield running


def assert_nothing_is_learned(owner: Owner) -> None:
    assert not FieldVersion.objects.of(owner.id).exists()
    assert not MemoryItem.objects.of(owner.id).exists()


@languages
def test_b23_one_event_with_several_voices_gives_nothing_of_the_others(
    owner: Owner, source: Source, language: str
) -> None:
    talk, said, learned = TALK[language]
    tell(owner, source, talk)
    assert_nothing_is_learned(owner)
    (event,) = tell(owner, source, said)
    (item,) = active_items(owner)
    assert (item.content, item.event_id, item.quote) == (learned, event.id, said)
    assert not any(label in item.content for label in LABELS)


@languages
@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_b23_turns_of_other_roles_are_never_mined(
    owner: Owner, source: Source, language: str, role: str
) -> None:
    (event,) = tell(owner, source, OTHERS[language][0], role=role)
    assert_nothing_is_learned(owner)
    assert event.content == OTHERS[language][0]


@languages
def test_b23_a_model_never_sees_the_other_voices_and_is_not_believed_about_them(
    server: ModelServer, owner: Owner, source: Source, language: str
) -> None:
    talk, said, learned = TALK[language]
    other, invented = OTHERS[language]

    def greedy(body: dict[str, Any]) -> Reply:
        city = "Lisbon" if language == "en" else "里斯本"
        entries = [
            entry
            for event in events_in(body)
            for entry in (
                about_field(event["event"], other[:9], "user_profile", "location", city),
                sentence(event["event"], other[:9], invented),
                sentence(event["event"], event["text"].strip() or "x", f"user: {said}"),
            )
        ]
        return Reply(text=json.dumps(entries, ensure_ascii=False))

    server.script = greedy
    tell(owner, source, talk)
    tell(owner, source, other, role="assistant")
    tell(owner, source, other, role="tool")
    assert_nothing_is_learned(owner)
    seen = json.dumps(server.events_seen, ensure_ascii=False)
    assert "Lisbon" not in seen and "里斯本" not in seen

    server.script = lambda body: Reply(text=json.dumps([sentence(1, said, learned)], ensure_ascii=False))
    (event,) = tell(owner, source, said)
    (item,) = active_items(owner)
    assert (item.content, item.event_id, item.quote) == (learned, event.id, said)
