"""Conflicts as the owner meets them: what a field's policy decides, what is asked, and what an answer does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memoryhub.changes.questions import answer_question
from memoryhub.models import (
    Change,
    Event,
    FieldDefinition,
    FieldVersion,
    MemoryItem,
    Owner,
    Question,
    SessionSlot,
    Tombstone,
)
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.pipeline import requeue_failed_event
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.public_reports.telling import outcomes, tell

pytestmark = pytest.mark.django_db

BEGAN = datetime.now(UTC) - timedelta(days=30)
CITIES = [("en", "Oslo", "Rome"), ("zh-hans", "杭州", "苏州")]
cities = pytest.mark.parametrize(("locale", "old", "new"), CITIES)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def policy_is(policy: str, field: str = "location") -> None:
    FieldDefinition.objects.filter(name=field).update(conflict_policy=policy)


def write(owner: Owner, source: Source, value: Any, *, days: int = 0, **given: Any) -> Verdict:
    told: dict[str, Any] = {
        "form_type": "user_profile", "field": "location", "value": value, "valid_from": BEGAN + timedelta(days=days),
    }  # fmt: skip
    return write_field(owner_id=owner.id, source=source, **told | given)


def standing(owner: Owner) -> list[Any]:
    rows = FieldVersion.objects.of(owner.id).filter(status="active").order_by("version")
    return list(rows.values_list("value", flat=True))


def values_of(owner: Owner, change_id: UUID | None) -> tuple[Any, Any]:
    """Both values of a change that waits."""
    assert change_id is not None
    change = Change.objects.of(owner.id).get(id=change_id, state="proposed")
    return (change.before or {}).get("value"), (change.after or {}).get("value")


def session_event(owner: Owner, source: Source, words: str) -> UUID:
    """An event in a conversation that says the words."""
    batch = record_events(
        owner_id=owner.id, events=[NewEvent(content=words, session_ref="chat", role="tool")], source=source
    )
    work_off_the_queue()
    assert batch.results[0].event_id
    return batch.results[0].event_id


@cities
@pytest.mark.parametrize("confidence", [0.6, 1.0])
def test_confirm_keeps_the_old_value_and_asks_however_new_or_sure_the_other_is(
    owner: Owner, source: Source, locale: str, old: str, new: str, confidence: float
) -> None:
    Owner.objects.filter(id=owner.id).update(locale=locale)
    policy_is("confirm")
    write(owner, source, old, confidence=0.6)
    verdict = write(owner, source, new, days=29, confidence=confidence)
    assert (verdict.outcome, verdict.code) == ("in_review", "confirm_with_owner")
    assert standing(owner) == [old]
    question = Question.objects.of(owner.id).get()
    assert old in question.text and new in question.text
    assert [(choice["code"], choice["value"]) for choice in question.choices] == [
        ("new", new), ("keep", old), ("exception", None),
    ]  # fmt: skip
    assert values_of(owner, question.change_id) == (old, new)


@cities
def test_until_it_is_settled_the_old_value_is_served_as_being_confirmed(
    owner: Owner, source: Source, locale: str, old: str, new: str
) -> None:
    policy_is("confirm")
    write(owner, source, old)
    write(owner, source, new, days=1)

    def served() -> list[tuple[bool, bool]]:
        answer = recall(
            workspace_id=source.workspace_id,
            owner_id=owner.id,
            request=RecallRequest(query="location 所在地", kinds=("form",)),
            caller=Caller(agent_id=source.agent_id),
        )
        assert new not in answer.text
        return [(old in entry.line, entry.being_confirmed) for entry in answer.served]

    assert served() == [(True, True)]
    answer_question(
        workspace_id=source.workspace_id, owner_id=owner.id, source=source, answer="keep",
        question_id=Question.objects.of(owner.id).get().id,
    )  # fmt: skip
    assert served() == [(True, False)]


@cities
def test_an_exception_stays_in_its_session_and_changes_nothing_for_good(
    owner: Owner, source: Source, locale: str, old: str, new: str
) -> None:
    policy_is("confirm")
    write(owner, source, old)
    event_id = session_event(owner, source, new)
    write(owner, source, new, days=1, evidence_event_id=event_id, quote=new)
    question = Question.objects.of(owner.id).get()
    answer_question(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        question_id=question.id,
        answer="exception",
        source=source,
    )
    assert standing(owner) == [old]
    slot = SessionSlot.objects.of(owner.id).get(state="active", name="location")
    assert (slot.value, slot.session.ref, slot.fate, slot.fate_code) == (new, "chat", "dropped", "exception")
    assert not Tombstone.objects.of(owner.id).exists()
    # It was meant for that once: said again it is asked again.
    assert write(owner, source, new, days=2).code == "confirm_with_owner"


@cities
def test_review_proposes_and_replace_replaces(
    owner: Owner, source: Source, locale: str, old: str, new: str
) -> None:
    policy_is("review")
    write(owner, source, old)
    proposed = write(owner, source, new, days=1, confidence=1.0)
    assert (proposed.outcome, proposed.code) == ("in_review", "conflict")
    assert values_of(owner, proposed.change_id) == (old, new)
    assert not Question.objects.of(owner.id).exists()
    policy_is("replace")
    assert write(owner, source, f"{new} 2", days=2, confidence=0.61).code == "less_confident"
    assert standing(owner) == [old]
    assert write(owner, source, new, days=3, confidence=1.0).outcome == "superseded"
    assert standing(owner) == [new]


def test_an_arrival_within_a_day_just_moves_and_beyond_it_the_policy_decides(
    owner: Owner, source: Source
) -> None:
    policy_is("confirm", "expected_arrival")

    def arrival(day: str, days: int) -> str:
        slot = {"form_type": "order", "field": "expected_arrival", "subject": "KX-117"}
        return write(owner, source, day, days=days, **slot).outcome

    assert [arrival("2026-03-10", 0), arrival("2026-03-11", 1), arrival("2026-03-14", 2)] == [
        "stored", "superseded", "in_review",
    ]  # fmt: skip
    assert standing(owner) == ["2026-03-11"]


PLACES = {
    "en": ("I live in Oslo.", "I live in Rome.", "I am allergic to nuts."),
    "zh": ("我住在杭州。", "我住在苏州。", "我对坚果过敏。"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_events_out_of_order_and_processed_again_never_revive_a_retired_value(
    owner: Owner, source: Source, language: str
) -> None:
    first, second, _ = PLACES[language]
    (newer,) = tell(owner, source, second, occurred_at=BEGAN + timedelta(days=10))
    (older,) = tell(owner, source, first, occurred_at=BEGAN)
    assert outcomes(older) == ["historical"]
    kept = standing(owner)
    versions = FieldVersion.objects.of(owner.id).count()
    items = MemoryItem.objects.of(owner.id).count()
    for event in (older, newer, older):
        Event.objects.of(owner.id).filter(id=event.id).update(state="failed")
        assert requeue_failed_event(workspace_id=source.workspace_id, owner_id=owner.id, event_id=event.id)
        work_off_the_queue()
        assert standing(owner) == kept
    assert FieldVersion.objects.of(owner.id).count() == versions
    assert MemoryItem.objects.of(owner.id).count() == items


@pytest.mark.parametrize("language", ["en", "zh"])
def test_unrelated_facts_about_one_person_never_retire_each_other(
    owner: Owner, source: Source, language: str
) -> None:
    place, _, allergy = PLACES[language]
    tell(owner, source, place, allergy, place, allergy)
    assert FieldVersion.objects.of(owner.id).exclude(status="active").count() == 0
    assert MemoryItem.objects.of(owner.id).exclude(status="active").count() == 0
    assert len(standing(owner)) == 2
