"""Finding and opening sessions. A session is called by the agent's own ref; of several with one ref only the last can be open."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from django.db.models import Case, Q, QuerySet, Value, When

from memoryhub import idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.language.text import find_text_fault
from memoryhub.models import Event, Session
from memoryhub.sessions.durability import commit_asynchronously
from memoryhub.writing.source import Source

LONGEST_REF = 200


@run_again_when_busy
def open_session(*, owner_id: UUID, ref: str, source: Source) -> tuple[Session, bool]:
    """The open session of this ref, opened when there is none, and whether it is new. Raises InvalidInput for an unusable ref, and the owner errors."""
    fault = find_text_fault(ref, field="session", max_length=LONGEST_REF)
    if fault or not ref.strip():
        code = fault.code if fault else "blank"
        raise InvalidInput(
            f"a session is called by 1 to {LONGEST_REF} characters", field="session", code=code
        )
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="session", write=True):
        idempotency.take_claim()
        commit_asynchronously()
        session, is_new = open_in(owner_id=owner_id, ref=ref, source=source)
        idempotency.keep_answer({"session": str(session.id), "is_new": is_new})
    return session, is_new


def open_in(*, owner_id: UUID, ref: str, source: Source) -> tuple[Session, bool]:
    """As `open_session`, inside the caller's transaction; the session's row is locked. Also answers whether it is new."""
    fresh = Session(owner_id=owner_id, workspace_id=source.workspace_id, ref=ref, agent_id=source.agent_id)
    Session.objects.bulk_create([fresh], ignore_conflicts=True)
    session = (
        Session.objects.of(owner_id).select_for_update(no_key=True).get(ref=ref, state=Session.State.OPEN)
    )
    return session, session.id == fresh.id


def find_session(*, owner_id: UUID, given: str) -> Session | None:
    """The session a path names, by ref or by id: the open one, else the one opened last."""
    return _named(owner_id, given).first()


def take_session(*, owner_id: UUID, given: str, source: Source, is_open: bool = True) -> Session:
    """The session, locked until the transaction ends.

    One that is known by its events alone is opened. Raises NotFound, and WrongMove for one that has ended (`is_open`).
    """
    found = _named(owner_id, given).select_for_update(no_key=True).first()
    if found is None:
        if not Event.objects.of(owner_id).filter(session_ref=given).exists():
            raise NotFound
        return open_in(owner_id=owner_id, ref=given, source=source)[0]
    if is_open and found.state != Session.State.OPEN:
        raise WrongMove("the session has ended", field="session")
    return found


def _named(owner_id: UUID, given: str) -> QuerySet[Session]:
    named = Q(ref=given)
    with suppress(ValueError):
        named |= Q(id=UUID(given))
    open_first = Case(When(state=Session.State.OPEN, then=Value(0)), default=Value(1))
    return Session.objects.of(owner_id).filter(named).order_by(open_first, "-opened_at", "-id")
