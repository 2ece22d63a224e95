"""Time passes: values whose time is over are deprecated, and sessions that nobody speaks in any more end.

Safe to run at any time and more than once. Nothing depends on it being on time: whoever reads looks at the clock himself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from memoryhub.database.scope import scope
from memoryhub.exceptions import NotFound, OwnerErasing, OwnerFrozen, UnknownOwner, WrongMove
from memoryhub.models import Owner, Session, SessionSlot
from memoryhub.policies import current_policy
from memoryhub.sessions.ending import end_session
from memoryhub.writing.source import Source

MOST_AT_ONCE = 200
"""Owners, and sessions, of a workspace in one run; the rest is for the next."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Expired:
    """How many values ran out, and how many sessions ended."""

    slots: int = 0
    sessions: int = 0


def expire_sessions(*, workspace_id: UUID, now: datetime) -> Expired:
    """Deprecate what ran out before `now`, and end sessions in which nothing stands and nothing was said for a while."""
    return Expired(
        slots=sum(
            _time_out(workspace_id, owner_id, now) for owner_id in _owners_of_expired(workspace_id, now)
        ),
        sessions=sum(
            _end(workspace_id, owner_id, session_id) for owner_id, session_id in _idle(workspace_id, now)
        ),
    )


def _owners_of_expired(workspace_id: UUID, now: datetime) -> list[UUID]:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        expired = SessionSlot.objects.filter(
            workspace_id=workspace_id,
            state=SessionSlot.State.ACTIVE,
            expires_at__lte=now,
            owner__state=Owner.State.ACTIVE,
        )
        return list(expired.order_by().values_list("owner_id", flat=True).distinct()[:MOST_AT_ONCE])


def _time_out(workspace_id: UUID, owner_id: UUID, now: datetime) -> int:
    try:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="session", write=True):
            expired = SessionSlot.objects.of(owner_id).filter(
                state=SessionSlot.State.ACTIVE, expires_at__lte=now
            )
            # As everybody who changes slots: the session first.
            sessions = Session.objects.of(owner_id).filter(id__in=expired.values("session_id"))
            list(sessions.select_for_update(no_key=True).order_by("id").values_list("id"))
            return expired.update(
                state=SessionSlot.State.DEPRECATED, reason=SessionSlot.Reason.TIMEOUT, deprecated_at=Now()
            )
    except (OwnerErasing, OwnerFrozen, UnknownOwner):
        return 0


def _idle(workspace_id: UUID, now: datetime) -> list[tuple[UUID, UUID]]:
    policy = current_policy(workspace_id=workspace_id).policy
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        standing = SessionSlot.objects.filter(
            workspace_id=workspace_id,
            owner_id=OuterRef("owner_id"),
            session_id=OuterRef("id"),
            state=SessionSlot.State.ACTIVE,
        )
        idle = Session.objects.filter(
            workspace_id=workspace_id,
            state=Session.State.OPEN,
            active_at__lte=now - timedelta(minutes=policy.session_idle_minutes),
            owner__state=Owner.State.ACTIVE,
        ).exclude(Exists(standing))
        return list(idle.order_by("active_at").values_list("owner_id", "id")[:MOST_AT_ONCE])


def _end(workspace_id: UUID, owner_id: UUID, session_id: UUID) -> int:
    """1 when it was ended now; one that cannot be ended is left for the next run and does not stop the others."""
    source = Source(workspace_id=workspace_id, trust_tier=1, transport="job")
    try:
        end_session(owner_id=owner_id, given=str(session_id), source=source, ended_by="timeout")
    except (NotFound, WrongMove, OwnerErasing, OwnerFrozen, UnknownOwner) as error:
        log.info("session_not_ended", session=str(session_id), code=error.code)
        return 0
    return 1
