"""An owner's sessions, and what one of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from memoryhub.models import Owner, Session, Workspace
from memoryhub.sessions.looking import SessionView, SlotView, read_session
from memoryhub.sessions.measuring import HitRate, session_hit_rate
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.scopes import across, of


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionRow:
    """`n_values` are those that are active, whether or not their time is over."""

    session: Session
    n_values: int

    @property
    def place(self) -> Key:
        return moment_place(self.session.opened_at, self.session.id)


def list_sessions(*, owner: Owner, cursor: Cursor | None) -> Page[SessionRow]:
    """One page, opened last first."""
    active = Count("slots", filter=Q(slots__state="active"))
    rows = Session.objects.of(owner.id).filter(beyond(cursor, column="opened_at")).annotate(n_values=active)
    with of(owner):
        found = list(rows.order_by(*order(cursor, column="opened_at"))[: PAGE_SIZE + 1])
    return page_of([SessionRow(session=row, n_values=row.n_values) for row in found], cursor=cursor)


def show_session(*, owner: Owner, given: str) -> SessionView | None:
    """What the session called `given` holds and held; None when the owner has none of that name."""
    with of(owner):
        return read_session(owner_id=owner.id, given=given)


def last_versions(view: SessionView) -> list[SlotView]:
    """The newest version of every name, in order of contexts and names: the report of an ended session."""
    last: dict[tuple[str, str], SlotView] = {}
    for context in view.contexts:
        for slot in context.history:
            last[slot.context, slot.name] = slot
    return list(last.values())


def hit_rate(*, workspace: Workspace, now: datetime) -> HitRate:
    with across(workspace):
        return session_hit_rate(workspace_id=workspace.id, now=now)
