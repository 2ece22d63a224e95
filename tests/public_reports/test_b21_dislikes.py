"""B21: a dislike is stored as a dislike, with its object whole; a double negative is neither."""

from __future__ import annotations

import pytest

from memoryhub.models import FieldVersion, Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.public_reports.telling import active_items, outcomes, recalled, tell

pytestmark = pytest.mark.django_db

DISLIKES = [
    ("I can't bear mushrooms on a pizza", "mushrooms on a pizza"),
    ("I don't like group calls", "group calls"),
    ("I can not stand pop-up windows", "pop-up windows"),
    ("别给我推荐辣的", "辣的"),
    ("我受不了披萨上放蘑菇", "披萨上放蘑菇"),
    ("我不喜欢群聊电话", "群聊电话"),
]


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def attitudes(owner: Owner) -> list[tuple[str, object]]:
    rows = FieldVersion.objects.of(owner.id).filter(field__name="attitude", status="active")
    return [(row.form.subject, row.value) for row in rows.select_related("form").order_by("version")]


@pytest.mark.parametrize(("said", "topic"), DISLIKES)
def test_b21_a_dislike_keeps_its_polarity_and_its_object(
    owner: Owner, source: Source, said: str, topic: str
) -> None:
    tell(owner, source, said)
    assert attitudes(owner) == [(topic, "dislikes")]
    (item,) = active_items(owner)
    assert item.value_key == "dislikes"
    assert "prefers" not in recalled(owner, source, topic)


@pytest.mark.parametrize(
    ("double", "positive", "topic"),
    [
        ("I don't dislike jazz", "I really love jazz", "jazz"),
        ("我不是不喜欢爵士乐", "我很喜欢爵士乐", "爵士乐"),
    ],
)
def test_b21_a_double_negative_is_no_dislike_and_no_obstacle(
    owner: Owner, source: Source, double: str, positive: str, topic: str
) -> None:
    (event,) = tell(owner, source, double)
    assert outcomes(event) == ["refused"]
    assert attitudes(owner) == []
    tell(owner, source, positive)
    assert attitudes(owner) == [(topic, "likes")]


@pytest.mark.parametrize(
    ("negative", "positive", "topic"),
    [
        ("I don't like group calls", "I enjoy group calls", "group calls"),
        ("我不喜欢爬山", "我喜欢爬山", "爬山"),
    ],
)
def test_b21_a_later_liking_takes_the_conflict_path(
    owner: Owner, source: Source, negative: str, positive: str, topic: str
) -> None:
    _, event = tell(owner, source, negative, positive)
    assert "in_review" in outcomes(event)
    assert attitudes(owner) == [(topic, "dislikes")]
