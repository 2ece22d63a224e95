"""Entries, windows and vectors on a real database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError, InternalError, ProgrammingError

from memoryhub.database.scope import scope
from memoryhub.language.embedders import EmbeddingUnavailable, Vectors
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.models import EmbeddingModel, Event, SearchEntry, SearchSource, SearchVector, new_id
from memoryhub.search_index import (
    NewEntry,
    add_entries,
    close_entries,
    event_text,
    is_cleared,
    set_cleared,
    window_id,
)
from memoryhub.search_vectors import Filled, embed_missing, ensure_model
from memoryhub.search_windows import add_windows, make_windows, window_text
from tests.recall.stories import NOON, Story, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def story() -> Story:
    return begin(time_zone="Asia/Shanghai")


def add(story: Story, *entries: NewEntry) -> int:
    with scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="test", write=True):
        return add_entries(workspace_id=story.source.workspace_id, owner_id=story.owner.id, entries=entries)


def item(text: str, **given: object) -> NewEntry:
    values = {"kind": "item", "target_id": new_id(), "text": text, "occurred_at": NOON, **given}
    return NewEntry(**values)  # type: ignore[arg-type]


def fill(story: Story, embedder: HashedEmbedder) -> Filled:
    return embed_missing(workspace_id=story.source.workspace_id, owner_id=story.owner.id, embedder=embedder)


# --- entries --------------------------------------------------------------------------------------------------------


def test_entries_are_written_in_one_statement_with_tokens_of_their_owner(story: Story) -> None:
    assert add(story, item("住在杭州 near the Node.js office"), item("second"), item("  ")) == 2
    entry = SearchEntry.objects.of(story.owner.id).get(text__startswith="住在")
    assert entry.id == entry.target_id
    assert entry.language == "en"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tsvector_to_array(tokens) FROM memoryhub_searchentry WHERE owner_id = %s AND id = %s",
            [story.owner.id, entry.id],
        )
        tokens = cursor.fetchone()[0]
    prefixes = {token.split(":", 1)[0] for token in tokens}
    assert len(prefixes) == 1
    assert {token.split(":", 1)[1] for token in tokens} >= {"住在", "杭州", "node.js", "offic"}


def test_an_entry_that_is_there_stays_as_it_is(story: Story) -> None:
    first = item("before")
    assert add(story, first) == 1
    assert add(story, item("after", target_id=first.target_id)) == 0
    assert SearchEntry.objects.of(story.owner.id).get().text == "before"


def test_hostile_text_is_stored_as_it_is(story: Story) -> None:
    text = "it's \\ 'quoted' | & ! :* <-> \ufdfa 👨\u200d👩\u200d👧 " + "x" * 300
    assert add(story, item(text, entities=("O'Brien", 'a "b"', "{x,y}"))) == 1
    entry = SearchEntry.objects.of(story.owner.id).get()
    assert (entry.text, entry.entities) == (text, ["O'Brien", 'a "b"', "{x,y}"])


def test_an_entry_closes_once(story: Story) -> None:
    entry = item("x")
    add(story, entry)
    moment = datetime.now(UTC)
    close = {"owner_id": story.owner.id, "target_ids": [entry.target_id]}
    assert close_entries(**close, known_until=moment) == 1  # type: ignore[arg-type]
    assert close_entries(**close) == 0  # type: ignore[arg-type]
    assert SearchEntry.objects.of(story.owner.id).get().known_until == moment


def test_the_id_of_an_entry_is_that_of_its_target(story: Story) -> None:
    with pytest.raises(IntegrityError, match="entry_has_the_id_of_its_target"), transaction.atomic():
        SearchEntry.objects.create(
            owner=story.owner,
            workspace_id=story.source.workspace_id,
            kind="item",
            target_id=new_id(),
            text="x",
            tokens="",
            token_count=0,
            occurred_at=NOON,
            language="en",
        )


def test_an_event_is_searched_by_its_words_with_the_speaker_in_front() -> None:
    assert event_text(content="hello", actor="Ann") == "Ann: hello"
    assert event_text(content="hello") == "hello"
    assert event_text(content=" \n", actor="Ann") == ""


@pytest.mark.parametrize(
    ("role", "tier", "action", "flagged", "cleared"),
    [
        ("user", 3, "message", False, True),
        ("user", 4, "decision", False, True),
        ("user", 2, "message", False, False),
        ("user", 3, "message", True, False),
        ("assistant", 3, "message", False, False),
        ("assistant", 3, "commitment", False, True),
        ("assistant", 2, "commitment", False, False),
        ("tool", 4, "message", False, False),
        ("system", 4, "commitment", False, False),
    ],
)
def test_who_is_heard(role: str, tier: int, action: str, flagged: bool, cleared: bool) -> None:
    assert is_cleared(role=role, trust_tier=tier, action=action, is_flagged=flagged) is cleared


# --- the search functions -------------------------------------------------------------------------------------------


def lexical(owner_id: UUID, tokens: Sequence[str]) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM mh_lexical(%s, %s, %s, true, 200)",
            [owner_id, list(tokens), ["item", "event", "window"]],
        )
        return list(cursor.fetchall())


def test_the_lexical_function_answers_only_for_owners_of_the_scope(story: Story) -> None:
    other = begin(source=story.source)
    add(story, item("kestrel"))
    token = f"{SearchEntry.objects.of(story.owner.id).get().tokens}".split("'")[1]
    for owners, found in (
        ([story.owner.id], 1),
        ([other.owner.id], 0),
        ([other.owner.id, story.owner.id], 1),
    ):
        with scope(workspace_id=story.source.workspace_id, owners=owners, purpose="test"):
            assert len(lexical(story.owner.id, [token])) == found
    with scope(workspace_id=story.source.workspace_id, owners="workspace", purpose="desk"):
        assert lexical(story.owner.id, [token]) == []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.owner_ids', '', true)")
        assert lexical(story.owner.id, [token]) == []


def test_the_search_functions_belong_to_the_searcher_and_pin_their_path() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.proname, r.rolname, r.rolcanlogin, p.prosecdef, p.proconfig::text,"
            " has_function_privilege('public', p.oid, 'EXECUTE')"
            " FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE p.proname IN ('mh_lexical', 'mh_entities')"
            " ORDER BY 1"
        )
        rows = cursor.fetchall()
    assert rows == [
        (name, "mh_searcher", False, True, '{"search_path=pg_catalog, public"}', False)
        for name in ("mh_entities", "mh_lexical")
    ]


def test_tokens_with_quotes_are_no_query_language(story: Story) -> None:
    add(story, item("plain"))
    with scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="test"):
        assert lexical(story.owner.id, ["x' | 'y", "\\", "a & b", "''"]) == []


# --- vectors --------------------------------------------------------------------------------------------------------


class Moody(HashedEmbedder):
    """Fails on texts with a word in it, or altogether; or gives one vector too few."""

    name = "moody"

    def __init__(self, *, fails_on: str = "", is_down: bool = False, is_short: bool = False) -> None:
        self.fails_on, self.is_down, self.is_short = fails_on, is_down, is_short

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self.is_down or (self.fails_on and any(self.fails_on in text for text in texts)):
            raise EmbeddingUnavailable("moody")
        if self.is_short and len(texts) > 1:
            raise EmbeddingUnavailable("four vectors for five texts")
        return super().embed_passages(texts)


def test_an_embedding_failure_never_costs_a_fact(story: Story) -> None:
    texts = ["apples", "bread", "cursed cheese", "dates", "eggs"]
    for text in texts:
        story.item(text)
    assert fill(story, Moody(is_down=True)) == Filled(stored=0, failed=5)
    assert fill(story, Moody(fails_on="cursed")) == Filled(stored=4, failed=1)
    entries = {entry.id: entry.text for entry in SearchEntry.objects.of(story.owner.id)}
    assert sorted(entries.values()) == sorted(texts)
    for vector in SearchVector.objects.of(story.owner.id):
        expected = HashedEmbedder().embed_passages([entries[vector.entry_id]])[0]
        assert np.allclose(vector.v, expected, atol=2e-3)
        assert "cursed" not in entries[vector.entry_id]
    assert any("cursed" in entry.text for entry in story.recall("cheese", embedder=Moody()).ranked)
    assert fill(story, Moody(is_short=True)) == Filled(stored=1, failed=0)
    assert not fill(story, Moody())
    assert SearchVector.objects.of(story.owner.id).count() == 5


def test_vectors_of_two_models_stand_side_by_side_and_one_is_current(story: Story) -> None:
    add(story, item("apples"))
    fill(story, HashedEmbedder())
    fill(story, Moody())
    assert SearchVector.objects.of(story.owner.id).count() == 2
    assert dict(EmbeddingModel.objects.values_list("name", "state")) == {
        "hashed-1": "current",
        "moody": "building",
    }
    assert ensure_model(Moody()).state == "building"
    assert ensure_model(HashedEmbedder()).state == "current"


def test_what_is_closed_or_hidden_gets_no_vector(story: Story) -> None:
    closed, hidden = item("closed"), item("hidden", cleared=False)
    add(story, closed, hidden)
    close_entries(owner_id=story.owner.id, target_ids=[closed.target_id])
    assert fill(story, HashedEmbedder()) == Filled(stored=0, failed=0)
    set_cleared(owner_id=story.owner.id, event_ids=[hidden.target_id], cleared=True)
    assert fill(story, HashedEmbedder()) == Filled(stored=1, failed=0)


@pytest.mark.parametrize(
    "change", ["UPDATE memoryhub_searchvector SET dims = 3", "DELETE FROM memoryhub_searchvector"]
)
def test_a_vector_is_inserted_and_never_changed(story: Story, change: str) -> None:
    add(story, item("apples"))
    fill(story, HashedEmbedder())
    with (
        pytest.raises((ProgrammingError, InternalError)),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"{change} WHERE owner_id = %s", [story.owner.id])


# --- windows --------------------------------------------------------------------------------------------------------


def windows(story: Story) -> dict[str, str]:
    """The texts of the windows by the words of their middle event."""
    events = {event.id: event.content for event in Event.objects.of(story.owner.id)}
    rows = SearchEntry.objects.of(story.owner.id).filter(kind="window")
    assert all(row.id == window_id(row.target_id) for row in rows)
    return {events[row.target_id]: row.text for row in rows}


def test_a_window_is_made_when_the_next_turn_is_there_and_never_updated(story: Story) -> None:
    story.at = datetime(2026, 3, 2, 16, 30, tzinfo=UTC)  # the 3rd in Shanghai
    story.say("one", "two", actor="Ann")
    assert windows(story) == {"one": "3 March 2026\nAnn: one\nAnn: two"}
    story.say("three", actor="Bo")
    assert windows(story) == {
        "one": "3 March 2026\nAnn: one\nAnn: two",
        "two": "3 March 2026\nAnn: one\nAnn: two\nBo: three",
    }
    story.say("elsewhere", session_ref="s2")
    assert "three" not in windows(story)


def test_the_last_turn_gets_its_window_when_the_session_has_been_idle(story: Story) -> None:
    ids = story.say("one", "two")
    with scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="test", write=True):
        made = add_windows(
            workspace_id=story.source.workspace_id,
            owner_id=story.owner.id,
            event_ids=ids,
            zone="UTC",
            idle_before=datetime.now(UTC) + timedelta(minutes=1),
        )
    assert made == 1
    assert set(windows(story)) == {"one", "two"}
    assert make_windows(workspace_id=story.source.workspace_id, owner_id=story.owner.id) == 0


def test_a_window_names_its_events_and_an_event_without_session_has_none(story: Story) -> None:
    first, second, third = story.say("one", "two", "three")
    story.say("alone", "alone too", session_ref="")
    assert set(windows(story)) == {"one", "two"}
    sources = SearchSource.objects.of(story.owner.id).filter(entry_id=window_id(second)).order_by("position")
    assert [source.event_id for source in sources] == [first, second, third]


def test_little_trusted_turns_are_no_part_of_a_window(story: Story) -> None:
    story.say("one")
    trusted = story.source
    story.source = type(trusted)(workspace_id=trusted.workspace_id, trust_tier=1, agent_id=trusted.agent_id)
    story.say("planted")
    story.source = trusted
    story.say("yes?", role="assistant")
    story.say("two")
    made = windows(story)
    assert set(made) == {"one"}
    assert "planted" not in made["one"]
    assert "yes?" in made["one"]


def test_the_date_of_a_window_is_in_the_language_of_its_turns() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    assert window_text(texts=["你好"], occurred_at=NOON, zone=shanghai) == "2026年3月2日\n你好"
    assert window_text(texts=["hi", "yo"], occurred_at=NOON, zone=shanghai) == "2 March 2026\nhi\nyo"
