"""What was true then, and what we believed then: eight probes over fields and items, written through the real path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from api.queries.forms import values_of
from api.queries.memories import memories_of
from memoryhub.models import FieldVersion, MemoryItem, as_of, as_of_sql, holds
from memoryhub.recall.forms import load_forms
from memoryhub.recall.items import items_read
from memoryhub.recall.knowing import look_up
from memoryhub.recall.looking import Moment
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
MID_JANUARY = datetime(2026, 1, 15, tzinfo=UTC)
FEBRUARY = datetime(2026, 2, 1, tzinfo=UTC)
MARCH = datetime(2026, 3, 1, tzinfo=UTC)
APRIL = datetime(2026, 4, 1, tzinfo=UTC)
BEFORE_ALL = datetime(2025, 6, 1, tzinfo=UTC)
NEXT_YEAR = datetime.now(UTC) + timedelta(days=400)

type Row = FieldVersion | MemoryItem


@dataclass
class Story:
    """One owner's budget or tea, and the database's clock after each step."""

    kind: str
    source: Source
    owner_id: UUID
    known: list[datetime] = field(default_factory=list)

    def say(self, value: str, valid_from: datetime) -> None:
        if self.kind == "field":
            verdict = write_field(
                owner_id=self.owner_id, form_type="preferences", field="favourite", subject="tea", value=value,
                valid_from=valid_from, source=self.source,
            )  # fmt: skip
        else:
            verdict = write_memory(
                owner_id=self.owner_id, content=f"The user's favourite tea is {value}", item_kind="semantic",
                subject_entity="owner", attribute="favourite tea", value=value, valid_from=valid_from, source=self.source,
            )  # fmt: skip
        assert verdict.outcome in ("stored", "superseded", "historical", "scheduled")
        self.look_at_the_clock()

    def correct(self, value: str) -> None:
        """The value that stands was never true; this one is."""
        if self.kind == "field":
            said = f"I meant {value}"
            event = record_event(owner_id=self.owner_id, event=NewEvent(content=said), source=self.source)
            write_field(
                owner_id=self.owner_id, form_type="preferences", field="favourite", subject="tea", value=value,
                explicit_correction=True, world_change=False, quote=said,
                evidence_event_id=event.results[0].event_id, source=self.source,
            )  # fmt: skip
        else:
            item = MemoryItem.objects.of(self.owner_id).get(status="active")
            content = f"The user's favourite tea is {value}"
            edit_memory(
                owner_id=self.owner_id, item_id=item.id, expected_seq=item.seq, changes={"content": content},
                source=self.source,
            )  # fmt: skip
        self.look_at_the_clock()

    def look_at_the_clock(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            self.known.append(cursor.fetchone()[0])

    def rows(self) -> list[Row]:
        model: Any = FieldVersion if self.kind == "field" else MemoryItem
        return list(model.objects.of(self.owner_id))


def changed(story: Story) -> None:
    story.say("oolong", JANUARY)
    story.say("jasmine", MARCH)


def corrected(story: Story) -> None:
    story.say("oolong", JANUARY)
    story.correct("jasmine")


def scheduled(story: Story) -> None:
    story.say("oolong", JANUARY)
    story.say("jasmine", NEXT_YEAR)


def told_late(story: Story) -> None:
    story.say("jasmine", MARCH)
    story.say("oolong", JANUARY)


def told_late_twice(story: Story) -> None:
    """Both late facts end when the standing value began, so in February both hold."""
    story.say("jasmine", MARCH)
    story.say("mint", MID_JANUARY)
    story.say("oolong", JANUARY)


AFTER_FIRST, AFTER_SECOND = 0, 1
DAY = timedelta(days=1)

PROBES: list[tuple[str, Callable[[Story], None], datetime, int, str | None]] = [
    ("a change, valid before it", changed, FEBRUARY, AFTER_SECOND, "oolong"),
    ("a change, valid after it", changed, APRIL, AFTER_SECOND, "jasmine"),
    ("a change, known before it", changed, APRIL, AFTER_FIRST, "oolong"),
    ("a change, known after it, at its very instant", changed, MARCH, AFTER_SECOND, "jasmine"),
    ("a correction, valid before the value", corrected, BEFORE_ALL, AFTER_SECOND, None),
    ("a correction, valid since the value", corrected, JANUARY, AFTER_SECOND, "jasmine"),
    ("a correction, known before it", corrected, APRIL, AFTER_FIRST, "oolong"),
    ("a correction, known after it", corrected, APRIL, AFTER_SECOND, "jasmine"),
    ("a scheduled value, before its day", scheduled, NEXT_YEAR - DAY, AFTER_SECOND, "oolong"),
    ("a scheduled value, on its day", scheduled, NEXT_YEAR, AFTER_SECOND, "jasmine"),
    ("a scheduled value, known before it was said", scheduled, NEXT_YEAR, AFTER_FIRST, "oolong"),
    ("a late fact, valid before the standing value", told_late, FEBRUARY, AFTER_SECOND, "oolong"),
    ("a late fact, known before it was told", told_late, FEBRUARY, AFTER_FIRST, None),
    ("a late fact, valid after it ended", told_late, APRIL, AFTER_SECOND, "jasmine"),
    ("two late facts, between them", told_late_twice, JANUARY + DAY, 2, "oolong"),
    ("two late facts, after both", told_late_twice, FEBRUARY, 2, "mint"),
]


@pytest.mark.parametrize("kind", ["field", "item"])
def test_the_eight_probes(committing_db: str, kind: str, subtests: pytest.Subtests) -> None:
    source = make_source(make_workspace())
    stories: dict[Callable[[Story], None], Story] = {}
    for name, tell, valid_at, step, expected in PROBES:
        if tell not in stories:
            stories[tell] = Story(kind=kind, source=source, owner_id=make_owner(source).id)
            tell(stories[tell])
        story = stories[tell]
        with subtests.test(name):
            answers = _answers(story, valid_at=valid_at, known_at=story.known[step])
            assert answers == dict.fromkeys(answers, expected)


def _answers(story: Story, *, valid_at: datetime, known_at: datetime) -> dict[str, str | None]:
    """What each form of the predicate answers, of two that hold the one that began last."""
    rows = story.rows()
    model: Any = FieldVersion if story.kind == "field" else MemoryItem
    by_condition = model.objects.of(story.owner_id).filter(as_of(valid_at=valid_at, known_at=known_at))
    answers = {
        "python": _taken([row for row in rows if holds(row, valid_at=valid_at, known_at=known_at)]),
        "condition": _taken(list(by_condition)),
        "sql": _taken(_by_statement(rows, story, valid_at, known_at)),
        "queryset": _only(model.objects.of(story.owner_id).holding(valid_at=valid_at, known_at=known_at)),
    }
    asked = {"valid_at": valid_at, "known_at": known_at}
    if story.kind == "field":
        answers["api"] = _only(values_of(story.owner_id, asked))
        answers["recall"] = _only(_forms_of_recall(story, valid_at, known_at))
    else:
        answers["api"] = _only(memories_of(story.owner_id, asked))
        answers["recall"] = _only(_items_of_recall(story, valid_at, known_at))
    return answers


def _only(rows: Iterable[Row]) -> str | None:
    """The one that a reader was given; none or one, never two."""
    given = [_value(row) for row in rows]
    assert len(given) <= 1
    return given[0] if given else None


def _forms_of_recall(story: Story, valid_at: datetime, known_at: datetime) -> list[Row]:
    known = look_up(workspace_id=story.source.workspace_id, owner_id=story.owner_id)
    moment = Moment(valid_at=valid_at, known_at=known_at, clock=known_at, is_now=False)
    with connection.cursor() as cursor:
        read = load_forms(cursor, known=known, moment=moment, fields=[], ids=[], everything=True)
    taken = {row.id for row in read if row.holds}
    return [row for row in story.rows() if row.id in taken]


def _items_of_recall(story: Story, valid_at: datetime, known_at: datetime) -> list[Row]:
    moment = Moment(valid_at=valid_at, known_at=known_at, clock=known_at, is_now=False)
    rows = story.rows()
    with connection.cursor() as cursor:
        ids = [row.id for row in rows]
        read = items_read(owner_ids=[story.owner_id], moment=moment, ids=ids, kinds=["semantic"])
        cursor.execute(read.sql, read.parameters)
        taken = {row[1] for row in cursor.fetchall()}
    return [row for row in rows if row.id in taken]


def _by_statement(rows: list[Row], story: Story, valid_at: datetime, known_at: datetime) -> list[Row]:
    table = "memoryhub_fieldversion" if story.kind == "field" else "memoryhub_memoryitem"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT r.id FROM {table} r WHERE r.owner_id = %(owner)s AND {as_of_sql('r')}",
            {"owner": story.owner_id, "valid_at": valid_at, "known_at": known_at},
        )
        found = {row[0] for row in cursor.fetchall()}
    return [row for row in rows if row.id in found]


def _taken(holding: list[Row]) -> str | None:
    arrived = {row.id: row.version if isinstance(row, FieldVersion) else row.seq for row in holding}
    newest = max(holding, key=lambda row: (row.valid_from, arrived[row.id]), default=None)
    return _value(newest) if newest else None


def _value(row: Row) -> str:
    return str(row.value) if isinstance(row, FieldVersion) else row.content.rsplit(" ", 1)[1]
