"""'Why did it not know?': one answer per step, told by one owner's story."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memoryhub.diagnosing.answers import STEPS, Diagnosis, Expected
from memoryhub.diagnosing.diagnosing import diagnose
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Event, FieldVersion, MemoryItem
from memoryhub.recall.answers import Caller, RecallRequest
from tests.recall.stories import NOON, Story, begin
from tests.sessions.talking import talk


def why(
    story: Story,
    expected: str | UUID,
    query: str = "What do you know?",
    *,
    recall_id: UUID | None = None,
    **asked: Any,
) -> Diagnosis:
    """`expected` is a text, an id, or a field as `@form_type.field`."""
    wanted = Expected(target_id=expected) if isinstance(expected, UUID) else Expected(text=expected)
    if isinstance(expected, str) and expected.startswith("@"):
        form_type, _dot, field = expected[1:].partition(".")
        wanted = Expected(form_type=form_type, field=field)
    return diagnose(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        expected=wanted,
        caller=Caller(),
        request=None if recall_id else RecallRequest(query=query, **asked),
        recall_id=recall_id,
    )


def step(
    story: Story, expected: str | UUID, query: str = "What do you know?", **asked: Any
) -> tuple[str, str]:
    first = why(story, expected, query, **asked).first
    return first.step, first.code


@pytest.fixture(scope="module")
def story(committing_module_db: str) -> Story:
    """Ann: what she said, what was learned of it, what waits, what was replaced, what has run out."""
    ann = begin()
    ann.say("Hello there!", "I live in Leeds.")
    ann.say("The wallpaper of the guest room looks like a map of old Venice.", "我对坚果过敏。")
    ann.say("I live in York now.")
    ann.say(
        "Budget set",
        role="tool",
        action="change",
        form_type="user_profile",
        field_name="budget",
        after="a lot",
    )
    ann.say("Please close the branch in Hull.", role="assistant")
    ann.item("Keeps a parrot called Polly.")
    ann.item("Pays all invoices by wire.", importance=0.95)
    ann.item("Has a season ticket of the zoo.", valid_until=NOON + timedelta(days=1), valid_from=NOON)
    for number in range(12):
        ann.item(f"Reads a novel about sailing, volume {number + 10}.")
    ann.index()
    return ann


SAILING = "Which novel about sailing, volume 10?"


def test_the_answer_is_the_first_step_that_lost_it(story: Story) -> None:
    assert step(story, "Her sister studies medicine in Oslo") == ("never_recorded", "nothing_says_it")
    assert step(story, "Hello there!") == ("screened", "greeting")
    assert step(story, "close the branch in Hull") == ("screened", "role_not_mined")
    assert step(story, "wallpaper of the guest room", "Which bird?")[0] == "not_extracted"
    assert step(story, "@user_profile.budget", "What is the budget?") == ("not_admitted", "wrong_type")
    assert step(story, "Pays all invoices by wire") == ("waiting_for_review", "evidence_missing")
    assert step(story, "I live in Leeds", "Where does she live?") == ("superseded", "superseded")
    assert step(story, "season ticket of the zoo", "Which ticket?")[0] == "expired_or_cold"
    assert step(story, "Keeps a parrot", "Which parrot?", kinds=("event",)) == (
        "filtered",
        "kind_not_asked_for",
    )
    assert step(story, "Reads a novel about sailing, volume 21", SAILING) == ("outranked", "top_k")
    assert (
        step(story, "Reads a novel about sailing, volume 11", SAILING, budget_tokens=60)[0] == "cut_by_budget"
    )
    assert step(story, "Keeps a parrot", "Which parrot does she keep?") == ("served", "fragments")
    assert step(story, "她对坚果过敏", "有什么零食推荐") == ("served", "rules")


def test_the_answer_names_where_it_was_lost(story: Story) -> None:
    lost = why(story, "Reads a novel about sailing, volume 21", SAILING).first
    assert lost.place and lost.last_served and lost.place.rank > lost.last_served.rank
    assert lost.place.score < lost.last_served.score and lost.place.parts and lost.last_served.parts
    replaced = why(story, "I live in Leeds", "Where does she live?").first
    assert (replaced.form_type, replaced.field_name, replaced.version) == ("user_profile", "location", 1)
    assert replaced.successor_version == 2 and replaced.ended_at
    event = Event.objects.of(story.owner.id).get(content="I live in Leeds.")
    assert replaced.event_id == event.id
    waits = why(story, "Pays all invoices by wire").first
    assert waits.review_id and waits.change_id and waits.agent_id == story.source.agent_id
    refused = why(story, "@user_profile.budget").first
    assert refused.verdict["code"] == "wrong_type" and refused.event_id


def test_a_logged_recall_is_looked_into_as_it_was(story: Story) -> None:
    asked = story.recall("Where does she live, in York or Leeds?")
    recall_id = asked.recall_id
    assert recall_id
    assert why(story, "I live in York now", recall_id=recall_id).first.step == "served"
    late = story.item("Moved her boat to Hull marina.").target_id
    story.index()
    assert late
    found = why(story, late, recall_id=recall_id)
    assert (found.first.step, found.first.code) == ("never_recorded", "learned_later")
    assert (found.question, found.recall_id) == ("Where does she live, in York or Leeds?", recall_id)
    assert found.asked_at < datetime.now(UTC)


def test_an_id_and_a_field_are_followed_as_words_are(story: Story) -> None:
    item = MemoryItem.objects.of(story.owner.id).get(content__contains="Polly")
    assert step(story, item.id, "Which parrot does she keep?") == ("served", "fragments")
    versions = {
        row.version: row.id for row in FieldVersion.objects.of(story.owner.id).filter(field__name="location")
    }
    assert step(story, versions[1], "Where does she live?")[0] == "superseded"
    assert step(story, "@user_profile.location", "Where does she live?") == ("served", "forms")
    assert step(story, "@user_profile.occupation") == ("never_recorded", "nothing_says_it")


def test_what_a_conversation_holds_is_followed_too(story: Story) -> None:
    chat = talk(story=begin(source=story.source))
    for address in ("3 Elm Road", "12 Main Street"):
        chat.put("order:A", "address", address)
    chat.put("order:B", "address", "7 Oak Lane")
    asked = {"query": "What is the address of order A?", "session_ref": chat.ref}
    assert step(chat.story, "12 Main Street", **asked) == ("served", "session")
    assert step(chat.story, "7 Oak Lane", **asked) == ("filtered", "other_context")
    assert step(chat.story, "3 Elm Road", **asked)[0] == "superseded"
    assert step(chat.story, "12 Main Street") == ("filtered", "another_session")


def test_nobody_elses_ids_words_or_recalls_are_found(story: Story) -> None:
    bob = begin(source=story.source)
    bob.item("Collects stamps of Iceland.")
    bob.index()
    theirs = MemoryItem.objects.of(bob.owner.id).get().id
    recall_id = bob.recall("Which stamps?").recall_id
    assert step(story, "Collects stamps of Iceland") == ("never_recorded", "nothing_says_it")
    for wanted, recall in ((theirs, None), (uuid4(), None), ("parrot", recall_id), ("parrot", uuid4())):
        with pytest.raises(NotFound):
            why(story, wanted, recall_id=recall)


@pytest.mark.parametrize(
    ("expected", "field", "code"),
    [
        ("?!…", "expected", "blank"),
        ("a\0b", "expected", "nul_character"),
        ("@user_profile.shoes", "field", "field_not_allowed"),
    ],
)
def test_what_cannot_be_looked_for_is_named(story: Story, expected: str, field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        why(story, expected)
    assert (refused.value.field, refused.value.code) == (field, code)


def test_every_step_has_its_place_on_the_way() -> None:
    assert len(STEPS) == len(set(STEPS)) == 11
