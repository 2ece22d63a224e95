"""B25: a memory stays in the language and the script it was said in, product words untouched."""

from __future__ import annotations

import pytest

from memoryhub.models import Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.public_reports.telling import active_items, recalled, tell

pytestmark = pytest.mark.django_db

SIMPLIFIED = ["我喜欢用 Notion 记笔记", "我们项目从 MySQL 换到了 PostgreSQL"]
TRADITIONAL = ["我喜歡喝烏龍茶", "我不喜歡開視訊會議"]
ENGLISH = ["I love sourdough bread", "We switched from Vue to React"]


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def test_b25_chinese_items_stay_chinese_with_their_product_words(owner: Owner, source: Source) -> None:
    tell(owner, source, *SIMPLIFIED)
    texts = [item.content for item in active_items(owner)]
    assert len(texts) == 2
    assert all(text.startswith("用户") for text in texts)
    assert "Notion" in texts[0]
    assert "MySQL" in texts[1]
    assert "PostgreSQL" in texts[1]


def test_b25_traditional_stays_traditional(owner: Owner, source: Source) -> None:
    tell(owner, source, *TRADITIONAL)
    texts = [item.content for item in active_items(owner)]
    assert [text[:2] for text in texts] == ["用戶", "用戶"]
    assert "烏龍茶" in texts[0]
    assert "視訊會議" in texts[1]


def test_b25_an_english_turn_of_the_same_owner_gives_english_items(owner: Owner, source: Source) -> None:
    tell(owner, source, *SIMPLIFIED, *ENGLISH)
    texts = [item.content for item in active_items(owner)]
    english = [text for text in texts if text.isascii()]
    assert len(english) == 2
    assert all(text.startswith("The ") for text in english)


@pytest.mark.parametrize(
    ("told", "asked", "found"),
    [
        (SIMPLIFIED, "用什么记笔记", "Notion"),
        (TRADITIONAL, "喜歡喝什麼茶", "烏龍茶"),
        (ENGLISH, "which bread does she like", "sourdough"),
    ],
)
def test_b25_a_question_in_the_language_of_the_items_finds_them(
    owner: Owner, source: Source, told: list[str], asked: str, found: str
) -> None:
    tell(owner, source, *told)
    assert found in recalled(owner, source, asked)
