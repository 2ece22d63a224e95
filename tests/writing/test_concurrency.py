"""Many writers of one thing at one moment: one effect, one standing value, and no error for anybody."""

from __future__ import annotations

import pytest

from memoryhub.exceptions import VersionMoved
from memoryhub.models import AuditEntry, Change, Event, FieldVersion, Job, MemoryItem, Owner, SearchEntry
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace
from tests.threads import at_once

WRITERS = 50


@pytest.fixture
def source(committing_module_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def outcomes(answers: list[Verdict | Exception]) -> list[str]:
    raised = [answer for answer in answers if isinstance(answer, Exception)]
    assert raised == []
    return sorted(answer.outcome for answer in answers if isinstance(answer, Verdict))


@pytest.mark.slow
def test_fifty_writers_of_one_slot_leave_one_active_version(source: Source, owner: Owner) -> None:
    def write(number: int) -> Verdict:
        return write_field(
            owner_id=owner.id, form_type="user_profile", field="budget", value=1000 + number, source=source
        )

    found = outcomes(at_once(WRITERS, write))
    versions = FieldVersion.objects.of(owner.id)
    assert versions.filter(status="active").count() == 1
    assert set(found) <= {"stored", "superseded", "historical"}
    assert found.count("stored") == 1
    # Every writer made one version, each numbered once, and every change tells of one.
    assert sorted(versions.values_list("version", flat=True)) == list(range(1, WRITERS + 1))
    assert Change.objects.of(owner.id).filter(state="applied").count() == WRITERS
    live = SearchEntry.objects.of(owner.id).filter(kind="field_version", known_until=None)
    assert live.count() == 1
    assert live.get().target_id == versions.get(status="active").id
    # The chain leads forward to the standing value without a gap.
    numbers = set(versions.values_list("version", flat=True))
    successors = versions.filter(status="superseded").values_list("superseded_by_version", flat=True)
    assert set(successors) <= numbers


def test_writers_of_different_members_of_one_field_all_win(source: Source, owner: Owner) -> None:
    def write(number: int) -> Verdict:
        return write_field(
            owner_id=owner.id, form_type="user_profile", field="pet", value=f"pet {number % 5}", source=source
        )

    found = outcomes(at_once(15, write))
    assert (found.count("stored"), found.count("reinforced")) == (5, 10)
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 5


def test_twenty_workers_with_the_same_new_fact_make_one_item(source: Source, owner: Owner) -> None:
    events = record_events(
        owner_id=owner.id, events=[NewEvent(content="The office is in Porto")] * 20, source=source
    )

    def write(number: int) -> Verdict:
        return write_memory(
            owner_id=owner.id,
            content="The office is in Porto",
            item_kind="semantic",
            quote="The office is in Porto",
            evidence_event_id=events.results[number].event_id,
            source=source,
        )

    found = outcomes(at_once(20, write))
    assert (found.count("stored"), found.count("reinforced")) == (1, 19)
    item = MemoryItem.objects.of(owner.id).get()
    assert item.status == "active"
    evidence = {item.event_id, *item.sources.values_list("event_id", flat=True)}
    assert evidence == {result.event_id for result in events.results}


def test_writers_of_one_attribute_leave_one_active_item_and_a_chain(source: Source, owner: Owner) -> None:
    def write(number: int) -> Verdict:
        return write_memory(
            owner_id=owner.id,
            content=f"The favourite tea is number {number}",
            item_kind="semantic",
            subject_entity="owner",
            attribute="favourite tea",
            value=f"number {number}",
            source=source,
        )

    outcomes(at_once(20, write))
    items = MemoryItem.objects.of(owner.id)
    assert items.filter(status="active").count() == 1
    assert sorted(items.values_list("seq", flat=True)) == list(range(1, 21))


def test_of_twenty_edits_of_one_version_one_wins_and_the_others_are_told(
    source: Source, owner: Owner
) -> None:
    first = write_memory(owner_id=owner.id, content="Draft", item_kind="semantic", source=source)
    assert first.target_id is not None
    item_id = first.target_id

    def edit(number: int) -> Verdict:
        changes = {"content": f"Final {number}"}
        return edit_memory(owner_id=owner.id, item_id=item_id, expected_seq=1, changes=changes, source=source)

    answers = at_once(20, edit)
    assert sum(isinstance(answer, Verdict) for answer in answers) == 1
    assert sum(isinstance(answer, VersionMoved) for answer in answers) == 19
    assert MemoryItem.objects.of(owner.id).filter(status="active").count() == 1


def test_of_twenty_writers_who_name_the_version_they_saw_one_wins(source: Source, owner: Owner) -> None:
    def write(number: int) -> Verdict:
        return write_field(
            owner_id=owner.id,
            form_type="user_profile",
            field="budget",
            value=number,
            expected_version=0,
            source=source,
        )

    answers = at_once(20, write)
    assert sum(isinstance(answer, Verdict) for answer in answers) == 1
    assert sum(isinstance(answer, VersionMoved) for answer in answers) == 19


def test_writers_of_fields_and_items_of_one_owner_do_not_block_each_other(
    source: Source, owner: Owner
) -> None:
    def write(number: int) -> Verdict:
        if number % 2:
            return write_field(
                owner_id=owner.id, form_type="user_profile", field="budget", value=number, source=source
            )
        return write_memory(owner_id=owner.id, content=f"Fact {number}", item_kind="semantic", source=source)

    assert len(outcomes(at_once(16, write))) == 16


def test_a_hundred_posts_of_one_event_are_one_event(source: Source, owner: Owner) -> None:
    def post(number: int) -> str:
        batch = record_events(
            owner_id=owner.id,
            events=[NewEvent(content="I moved to Porto", idempotency_key="k")],
            source=source,
        )
        return f"{batch.results[0].event_id}"

    answers = at_once(100, post)
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert set(answers) == {str(Event.objects.of(owner.id).get().id)}
    assert Job.objects.filter(owner_id=owner.id, kind="process_events").count() == 1
    assert SearchEntry.objects.of(owner.id).count() == 1
    assert AuditEntry.objects.filter(owner_id=owner.id, action="events.recorded").count() == 1
