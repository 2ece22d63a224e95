"""How a conversation came out: resolved, escalated to a person, or the same question once more."""

from __future__ import annotations

from uuid import UUID

from django.db.models.functions import Now

from memoryhub import audit, idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.models import Session
from memoryhub.sessions.opening import take_session
from memoryhub.writing.source import Source


@run_again_when_busy
def note_outcome(*, owner_id: UUID, given: str, outcome: str, source: Source) -> UUID:
    """Write down the outcome of a session, open or ended; the last one counts. Answers the session's id.

    Raises InvalidInput for an unknown outcome, NotFound for an unknown session.
    """
    if outcome not in Session.Outcome.values:
        known = ", ".join(Session.Outcome.values)
        raise InvalidInput(f"one of {known}", field="outcome", code="unknown_outcome")
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="session", write=True):
        idempotency.take_claim()
        session = take_session(owner_id=owner_id, given=given, source=source, is_open=False)
        Session.objects.of(owner_id).filter(id=session.id).update(outcome=outcome, outcome_at=Now())
        audit.record(
            audit.entry(
                action="session.outcome",
                workspace_id=source.workspace_id,
                owner_id=owner_id,
                object_kind="session",
                object_id=session.id,
                details={"outcome": outcome},
            )
        )
        idempotency.keep_answer({"session": str(session.id)})
    return session.id
