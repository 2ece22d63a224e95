"""Structured writes: what is stored, what waits, what is refused, and that nothing is silent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memoryhub.exceptions import InvalidInput, NotFound, OwnerFrozen, UnknownOwner, VersionMoved
from memoryhub.models import AuditEntry, Change, FieldVersion, MemoryItem, Owner, SearchEntry, new_id
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def budget(owner: UUID, source: Source, value: object, day: int = 0, **given: object) -> Verdict:
    return write_field(
        owner_id=owner,
        form_type="user_profile",
        field="budget",
        value=value,
        source=source,
        valid_from=NOON + timedelta(days=day),
        **given,  # type: ignore[arg-type]
    )


def chain(owner: UUID) -> list[tuple[object, str, int | None]]:
    rows = FieldVersion.objects.of(owner).order_by("version")
    return [(row.value, row.status, row.superseded_by_version) for row in rows]


def test_a_first_value_is_stored_with_change_audit_and_search_entry(owner: UUID, source: Source) -> None:
    verdict = budget(owner, source, 5000)
    assert verdict.outcome == "stored"
    assert chain(owner) == [(5000, "active", None)]
    change = Change.objects.of(owner).get()
    assert (change.action, change.state, change.target_id) == ("create", "applied", verdict.target_id)
    assert (
        AuditEntry.objects.filter(owner_id=owner, object_id=change.id, action="change.applied").count() == 1
    )
    assert SearchEntry.objects.of(owner).get().target_id == verdict.target_id


def test_a_newer_value_supersedes_and_the_chain_points_forward(owner: UUID, source: Source) -> None:
    budget(owner, source, 5000)
    verdict = budget(owner, source, "5万", day=1)
    assert verdict.outcome == "superseded"
    assert chain(owner) == [(5000, "superseded", 2), ("5万", "active", None)]
    old = FieldVersion.objects.of(owner).get(version=1)
    assert old.valid_until == NOON + timedelta(days=1)
    assert old.closed_at is not None and old.known_until is None
    assert SearchEntry.objects.of(owner).filter(known_until=None).count() == 1


def test_the_same_value_written_otherwise_reinforces(owner: UUID, source: Source) -> None:
    budget(owner, source, "50万")
    verdict = budget(owner, source, 500000, day=1)
    assert verdict.outcome == "reinforced"
    assert len(chain(owner)) == 1


def test_an_older_value_arriving_late_is_history(owner: UUID, source: Source) -> None:
    budget(owner, source, 2, day=10)
    verdict = budget(owner, source, 1, day=0)
    assert verdict.outcome == "historical"
    assert chain(owner) == [(2, "active", None), (1, "historical", None)]
    assert FieldVersion.objects.of(owner).get(version=2).valid_until == NOON + timedelta(days=10)


def test_a_correction_closes_the_old_value_in_known_time(owner: UUID, source: Source) -> None:
    event = record_event(
        owner_id=owner, event=NewEvent(content="刚才说错了，我的预算是八千", occurred_at=NOON), source=source
    )
    budget(owner, source, 5000)
    verdict = budget(
        owner,
        source,
        8000,
        day=1,
        evidence_event_id=event.results[0].event_id,
        quote="我的预算是八千",
        explicit_correction=True,
        world_change=False,
    )
    assert verdict.outcome == "superseded"
    old = FieldVersion.objects.of(owner).get(version=1)
    new = FieldVersion.objects.of(owner).get(version=2)
    assert old.known_until is not None and old.valid_until is None
    assert new.valid_from == old.valid_from


def test_a_value_that_begins_later_is_scheduled_beside_the_current_one(owner: UUID, source: Source) -> None:
    budget(owner, source, 1)
    verdict = write_field(
        owner_id=owner,
        form_type="user_profile",
        field="budget",
        value=2,
        source=source,
        valid_from=datetime.now(UTC) + timedelta(days=30),
    )
    assert verdict.outcome == "scheduled"
    assert [status for _, status, _ in chain(owner)] == ["active", "scheduled"]


def test_a_field_outside_the_whitelist_is_refused_and_the_refusal_is_kept(
    owner: UUID, source: Source
) -> None:
    verdict = write_field(
        owner_id=owner, form_type="user_profile", field="shoe_size", value="44", source=source
    )
    assert (verdict.outcome, verdict.code) == ("refused", "field_not_allowed")
    entry = AuditEntry.objects.get(owner_id=owner, action="write.refused")
    assert entry.details == {"code": "field_not_allowed", "what": "user_profile.shoe_size"}


@pytest.mark.parametrize(
    ("value", "code"),
    [("soon", "wrong_type"), ([1], "wrong_type"), (None, "wrong_type"), ("", "blank_value")],
)
def test_a_value_of_the_wrong_type_is_refused(owner: UUID, source: Source, value: object, code: str) -> None:
    assert budget(owner, source, value).code == code
    assert chain(owner) == []


def test_a_key_attribute_without_evidence_waits_for_a_person(owner: UUID, source: Source) -> None:
    verdict = write_field(
        owner_id=owner, form_type="user_profile", field="allergies", value="坚果", source=source
    )
    assert (verdict.outcome, verdict.code) == ("in_review", "evidence_missing")
    assert chain(owner) == []
    again = write_field(
        owner_id=owner, form_type="user_profile", field="allergies", value="坚果 ", source=source
    )
    assert (again.code, again.change_id) == ("already_proposed", verdict.change_id)


def test_a_low_trust_source_never_supersedes_a_higher_one(owner: UUID, source: Source) -> None:
    budget(owner, source, 1)
    low = make_source(workspace_id=source.workspace_id, trust_tier=2)
    verdict = budget(owner, low, 2, day=1)
    assert (verdict.outcome, verdict.code) == ("in_review", "lower_trust")
    assert chain(owner) == [(1, "active", None)]


def test_a_write_below_the_threshold_says_session_only(owner: UUID, source: Source) -> None:
    verdict = budget(owner, source, 1, importance=0.4)
    assert (verdict.outcome, verdict.code) == ("session_only", "low_importance")


def test_a_frozen_owner_is_not_written(owner: UUID, source: Source) -> None:
    Owner.objects.filter(id=owner).update(state="frozen")
    with pytest.raises(OwnerFrozen):
        budget(owner, source, 1)


def test_an_owner_of_another_workspace_is_unknown(owner: UUID) -> None:
    stranger = make_source(make_workspace())
    with pytest.raises(UnknownOwner):
        budget(owner, stranger, 1)


def test_evidence_must_be_an_event_of_the_owner(owner: UUID, source: Source) -> None:
    with pytest.raises(NotFound):
        budget(owner, source, 1, evidence_event_id=new_id())


def test_a_quote_that_is_not_in_the_event_goes_no_further_than_review(owner: UUID, source: Source) -> None:
    event = record_event(owner_id=owner, event=NewEvent(content="my budget is 900"), source=source)
    verdict = budget(
        owner, source, 9000, evidence_event_id=event.results[0].event_id, quote="my budget is 9000"
    )
    assert (verdict.outcome, verdict.code) == ("in_review", "quote_not_in_event")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("contract renews on 3 March", "contract renews on 4 March"),
        ("budget 5,000", "budget 50,000"),
        ("parcel KX-117 arrived", "parcel KX-118 arrived"),
        ("gate B12", "gate B13"),
        ("合同三月三日续签", "合同三月四日续签"),
    ],
)
def test_b12_texts_that_differ_in_a_detail_are_different_facts(
    owner: UUID, source: Source, first: str, second: str
) -> None:
    one = write_memory(owner_id=owner, content=first, item_kind="semantic", source=source)
    two = write_memory(owner_id=owner, content=second, item_kind="semantic", source=source)
    assert (one.outcome, two.outcome) == ("stored", "stored")
    assert MemoryItem.objects.of(owner).filter(status="active").count() == 2
    again = write_memory(owner_id=owner, content=f"{second}。", item_kind="semantic", source=source)
    assert (again.outcome, again.target_id) == ("reinforced", two.target_id)


def test_another_value_of_the_same_attribute_supersedes_the_item(owner: UUID, source: Source) -> None:
    def tea(content: str, value: str, day: int) -> Verdict:
        return write_memory(
            owner_id=owner,
            content=content,
            item_kind="semantic",
            subject_entity="owner",
            attribute="favourite tea",
            value=value,
            source=source,
            valid_from=NOON + timedelta(days=day),
        )

    first = tea("The user's favourite tea is oolong", "oolong", 0)
    second = tea("The user's favourite tea is jasmine", "jasmine", 1)
    assert second.outcome == "superseded"
    assert first.target_id is not None
    assert second.target_id is not None
    old = MemoryItem.objects.of(owner).get(id=first.target_id)
    new = MemoryItem.objects.of(owner).get(id=second.target_id)
    assert (old.status, old.superseded_by_seq, new.status) == ("superseded", new.seq, "active")
    late = tea("The user's favourite tea is mint", "mint", -5)
    assert late.outcome == "historical"


def test_editing_keeps_what_was_not_asked_to_change(owner: UUID, source: Source) -> None:
    first = write_memory(
        owner_id=owner,
        content="The office is in Lisbon",
        item_kind="semantic",
        entities=("Lisbon",),
        metadata={"category": "place", "project": "x"},
        source=source,
    )
    assert first.target_id is not None
    verdict = edit_memory(
        owner_id=owner,
        item_id=first.target_id,
        expected_seq=1,
        changes={"content": "The office is in Porto", "metadata": {"project": None}},
        source=source,
    )
    old, new = MemoryItem.objects.of(owner).order_by("seq")
    assert verdict.target_id == first.target_id == new.memory_id == old.id
    assert (old.status, old.superseded_by_seq, old.content) == ("superseded", 2, "The office is in Lisbon")
    assert (new.content, new.entities, new.metadata) == (
        "The office is in Porto",
        ["Lisbon"],
        {"category": "place"},
    )
    with pytest.raises(VersionMoved):
        edit_memory(
            owner_id=owner, item_id=first.target_id, expected_seq=1, changes={"content": "no"}, source=source
        )


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_the_database_cannot_hold_is_refused(owner: UUID, source: Source, text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        write_memory(owner_id=owner, content=text, item_kind="semantic", source=source)
    assert caught.value.field == "content"
