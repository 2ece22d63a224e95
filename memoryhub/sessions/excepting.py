"""A value that was meant for this once: it holds in the conversation it was said in, and goes with it."""

from __future__ import annotations

from contextlib import suppress

from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import Change
from memoryhub.sessions.asking import NewSlot, check_slots
from memoryhub.sessions.contexts import WHOLE, context_of
from memoryhub.sessions.filling import KIND_OF_FORM
from memoryhub.sessions.opening import take_session
from memoryhub.sessions.setting import set_in, writing_of
from memoryhub.writing.acts import Act

EXCEPTION = "exception"


def keep_for_the_session(change: Change, *, act: Act) -> bool:
    """Set the proposed value in the session it was said in, never to be promoted; False when there is no open session or no value.

    In the transaction of the answer.
    """
    ref = change.change_set.session_ref
    said = change.candidate or {}
    value = said.get("value")
    if not ref or said.get("kind") != "form" or said.get("operation") != "set":
        return False
    kind = KIND_OF_FORM.get(change.form_type, "") if change.form_subject else ""
    slot = NewSlot(
        context=context_of(kind, change.form_subject) if kind else WHOLE,
        name=change.field_name,
        value=value,
        event_id=change.event_id,
        quote=change.quote,
        importance=change.importance,
        confidence=change.confidence,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        fate="dropped",
        fate_code=EXCEPTION,
        change_id=change.id,
    )
    with suppress(InvalidInput, NotFound, WrongMove):
        check_slots([slot])
        session = take_session(owner_id=change.owner_id, given=ref, source=act.source)
        set_in([slot], writing=writing_of(session, source=act.source, now=act.now))
        return True
    return False
