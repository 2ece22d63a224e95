"""What happened to an owner and what was made of it: events and changes in one order, newest first.

Events stand where they happened (`occurred_at`), changes where they were made (`created_at`). Ids are UUIDv7 over both
tables, so (time, id) is a total order and one cursor serves the merged list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from memoryhub.models import Change, Event, Owner
from reviews.as_of import AsOf
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.facts import agent_names
from reviews.queries.scopes import of
from reviews.zones import zone_named

LAST_DAY = date(9999, 12, 30)


@dataclass(frozen=True, kw_only=True, slots=True)
class TimelineFilter:
    """`kind`: events | changes | '' for both. `action` and `role` select events, so they leave the changes out.

    As of another time: what had happened by then, and had been recorded or written by the time of knowledge.
    """

    kind: str = ""
    action: str = ""
    role: str = ""
    session: str = ""
    until: date | Literal[""] = ""
    """The last day that is shown, on the owner's calendar."""
    as_of: AsOf = field(default_factory=AsOf)

    @property
    def wants_events(self) -> bool:
        return self.kind != "changes"

    @property
    def wants_changes(self) -> bool:
        return self.kind != "events" and not (self.action or self.role or self.session)


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """One row: an event or a change."""

    at: datetime
    event: Event | None = None
    change: Change | None = None
    agent: str = ""

    @property
    def place(self) -> Key:
        row = self.event or self.change
        assert row is not None
        return moment_place(self.at, row.id)


def timeline(
    *, owner: Owner, chosen: TimelineFilter, cursor: Cursor | None = None, size: int = PAGE_SIZE
) -> Page[Moment]:
    """One page of the merged list. At most three queries, whatever its length."""
    with of(owner):
        events = _events(owner, chosen, cursor, size) if chosen.wants_events else []
        changes = _changes(owner, chosen, cursor, size) if chosen.wants_changes else []
        agents = agent_names(owner.workspace_id)
    moments = [Moment(at=row.occurred_at, event=row, agent=agents.get(row.agent_id, "")) for row in events]
    moments += [Moment(at=row.created_at, change=row, agent=agents.get(row.agent_id, "")) for row in changes]
    backwards = cursor is not None and cursor.direction == "newer"
    moments.sort(key=_total_order, reverse=not backwards)
    return page_of(moments[: size + 1], cursor=cursor, size=size)


def _total_order(moment: Moment) -> tuple[datetime, bytes]:
    row = moment.event or moment.change
    assert row is not None
    return moment.at, row.id.bytes


def _events(owner: Owner, chosen: TimelineFilter, cursor: Cursor | None, size: int) -> Sequence[Event]:
    rows = Event.objects.of(owner.id).filter(beyond(cursor, column="occurred_at"))
    rows = rows.filter(action=chosen.action) if chosen.action else rows
    rows = rows.filter(role=chosen.role) if chosen.role else rows
    rows = rows.filter(session_ref=chosen.session) if chosen.session else rows
    if chosen.until:
        rows = rows.filter(occurred_at__lt=_end_of(chosen.until, owner.zone))
    if chosen.as_of.is_past:
        valid_at, known_at = chosen.as_of.moments()
        rows = rows.filter(occurred_at__lte=valid_at, recorded_at__lte=known_at)
    return list(rows.order_by(*order(cursor, column="occurred_at"))[: size + 1])


def _changes(owner: Owner, chosen: TimelineFilter, cursor: Cursor | None, size: int) -> Sequence[Change]:
    rows = Change.objects.of(owner.id).filter(beyond(cursor, column="created_at"))
    if chosen.until:
        rows = rows.filter(created_at__lt=_end_of(chosen.until, owner.zone))
    if chosen.as_of.is_past:
        rows = rows.filter(created_at__lte=chosen.as_of.moments()[1])
    return list(rows.order_by(*order(cursor, column="created_at"))[: size + 1])


def _end_of(day: date, zone: str) -> datetime:
    """When the day is over there; the end of the calendar for its last days."""
    midnight = datetime.combine(day, time.min, zone_named(zone))
    return midnight + timedelta(days=1) if day < LAST_DAY else datetime.max.replace(tzinfo=UTC)
