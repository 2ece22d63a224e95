"""Questions that came again, as the desk shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memoryhub.models import Owner, RepeatedQuestion, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.scopes import across


@dataclass(frozen=True, kw_only=True, slots=True)
class RepeatRow:
    """A question that came again: both recalls in the owner's words, and by what they are known as one subject."""

    id: UUID
    owner_id: UUID
    owner_ref: str
    earlier_id: UUID
    later_id: UUID
    earlier: str
    later: str
    earlier_at: datetime
    at: datetime
    earlier_session: str
    later_session: str
    sign: str

    @property
    def place(self) -> Key:
        return moment_place(self.at, self.id)


def list_repeats(*, workspace: Workspace, cursor: Cursor | None) -> Page[RepeatRow]:
    """A page of repeats, the newest first: one statement in a scope. Owners being erased are left out."""
    with across(workspace):
        repeats = RepeatedQuestion.objects.filter(beyond(cursor, column="at"), workspace_id=workspace.id)
        repeats = repeats.exclude(owner__state=Owner.State.ERASING).select_related(
            "owner", "earlier", "later"
        )
        found = list(repeats.order_by(*order(cursor, column="at"))[: PAGE_SIZE + 1])
    return page_of([_row(row) for row in found], cursor=cursor)


def _row(row: RepeatedQuestion) -> RepeatRow:
    return RepeatRow(
        id=row.id,
        owner_id=row.owner_id,
        owner_ref=row.owner.ref,
        earlier_id=row.earlier_id,
        later_id=row.later_id,
        earlier=row.earlier.query,
        later=row.later.query,
        earlier_at=row.earlier_at,
        at=row.at,
        earlier_session=row.earlier.session_ref,
        later_session=row.later.session_ref,
        sign=row.sign,
    )
