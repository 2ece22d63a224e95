"""B12: texts that differ in a number, a date or a code are different facts, however alike their vectors are."""

from __future__ import annotations

import pytest

from memoryhub.models import MemoryItem, Owner
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.builders import make_owner, make_source, make_workspace
from tests.public_reports.telling import active_items, outcomes, recalled, tell

pytestmark = pytest.mark.django_db

PAIRS = [
    ("contract renews on 3 March", "contract renews on 4 March", "4 March"),
    ("budget 5,000", "budget 50,000", "50,000"),
    ("parcel KX-117 arrived", "parcel KX-118 arrived", "KX-118"),
    ("gate B12", "gate B13", "B13"),
    ("合同3月3日续签", "合同3月4日续签", "3月4日"),
    ("包裹KX-117到了", "包裹KX-118到了", "KX-118"),
]


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


@pytest.mark.parametrize(("first", "second", "detail"), PAIRS)
def test_b12_the_second_is_never_skipped_as_a_duplicate(
    owner: Owner, source: Source, first: str, second: str, detail: str
) -> None:
    (_, event) = tell(owner, source, first, second)
    assert set(outcomes(event)) <= {"stored", "superseded"}
    assert outcomes(event)
    assert detail in recalled(owner, source, second)


@pytest.mark.parametrize(("first", "second", "detail"), PAIRS)
def test_b12_a_written_sentence_tells_stored_and_merged_apart(
    owner: Owner, source: Source, first: str, second: str, detail: str
) -> None:
    answers = [
        write_memory(owner_id=owner.id, content=text, item_kind="semantic", source=source).outcome
        for text in (first, second, second)
    ]
    assert answers == ["stored", "stored", "reinforced"]
    assert len(active_items(owner)) == 2
    assert detail in recalled(owner, source, second)


@pytest.mark.parametrize(("first", "second", "detail"), PAIRS)
def test_b12_of_one_slot_the_second_supersedes_the_first(
    owner: Owner, source: Source, first: str, second: str, detail: str
) -> None:
    answers = [
        write_memory(
            owner_id=owner.id, content=text, item_kind="semantic", source=source,
            subject_entity="owner", attribute="the same", value="one value for both",
        ).outcome
        for text in (first, second)
    ]  # fmt: skip
    assert answers == ["stored", "superseded"]
    assert [item.content for item in active_items(owner)] == [second]
    assert MemoryItem.objects.of(owner.id).count() == 2
