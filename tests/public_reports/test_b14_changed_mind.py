"""B14: a changed mind leaves one current value and its history."""

from __future__ import annotations

import pytest

from api.queries.forms import chain_of
from api.queries.memories import history_of
from memoryhub.models import MemoryItem, Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.public_reports.telling import active_items, chain, outcomes, recalled, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


STORIES = [
    (
        ("my favourite tea is oolong", "these days my favourite tea is jasmine"),
        ("favourite", "tea", "oolong", "jasmine"),
        ("which tea does she like best", "oolong", "jasmine"),
    ),
    (
        ("我不爱看恐怖片", "最近我开始喜欢看恐怖片了"),
        ("attitude", "恐怖片", "dislikes", "likes"),
        ("恐怖片", "不爱看", "喜欢看恐怖片"),
    ),
]


@pytest.mark.parametrize(("said", "slot", "asked"), STORIES)
def test_b14_the_later_word_stands_and_the_earlier_is_kept(
    owner: Owner, source: Source, said: tuple[str, str], slot: tuple[str, ...], asked: tuple[str, ...]
) -> None:
    first, second = tell(owner, source, *said)
    assert set(outcomes(second)) == {"superseded"}

    field, subject, was, now = slot
    assert chain(owner, field) == [(was, "superseded"), (now, "active")]
    versions = list(chain_of(owner.id, "preferences", field, subject).order_by("version"))
    assert [version.event_id for version in versions] == [first.id, second.id]
    assert versions[0].superseded_by_version == versions[1].version

    (item,) = active_items(owner)
    old = MemoryItem.objects.of(owner.id).get(status="superseded")
    assert (old.event_id, item.event_id, old.superseded_by_seq) == (first.id, second.id, item.seq)
    assert [step.id for step in history_of(owner.id, item.id)] == [old.id, item.id]
    assert history_of(owner.id, old.id) == history_of(owner.id, item.id)


@pytest.mark.parametrize(("said", "slot", "asked"), STORIES)
def test_b14_recall_gives_only_the_later_value_as_current(
    owner: Owner, source: Source, said: tuple[str, str], slot: tuple[str, ...], asked: tuple[str, ...]
) -> None:
    tell(owner, source, *said)
    query, _, now = asked
    block = recalled(owner, source, query, kinds=("form", "semantic"))
    assert now in block
    old = MemoryItem.objects.of(owner.id).get(status="superseded")
    assert old.content not in block
