"""Setting the values of a session. The session's row is locked, so that of two writers one comes after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from django.db.models.functions import Greatest, Now

from memoryhub import idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.models import Event, Session, SessionSlot
from memoryhub.policies import Policy, current_policy
from memoryhub.sessions.asking import NewSlot, check_slots, field_of, key_of, reason_to_hold, without_secrets
from memoryhub.sessions.durability import commit_asynchronously
from memoryhub.sessions.moves import Move, Version, bring_back, remove_value, set_value
from memoryhub.sessions.opening import take_session
from memoryhub.writing.quotas import take_or_refuse
from memoryhub.writing.source import Source
from memoryhub.writing.whitelist import Whitelist, load_whitelist

MOST_STANDING = 200
"""Active values of one session."""

type Outcome = Literal["kept", "set", "restored", "removed", "nothing"]
_OUTCOMES: dict[str, Outcome] = {
    "keep": "kept",
    "set": "set",
    "restore": "restored",
    "remove": "removed",
    "nothing": "nothing",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Writing:
    """What setting needs besides the slots: the locked session, who writes, and the rules."""

    session: Session
    source: Source
    whitelist: Whitelist
    policy: Policy
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotResult:
    """What became of one slot. `version` is the one that stands now (0: none)."""

    context: str
    name: str
    outcome: Outcome
    version: int
    slot_id: UUID | None = None
    held_for: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "context": self.context,
            "name": self.name,
            "outcome": self.outcome,
            "version": self.version,
            "held_for": self.held_for,
        }


@run_again_when_busy
def set_slots(
    *,
    owner_id: UUID,
    given: str,
    slots: Sequence[NewSlot],
    source: Source,
    now: datetime,
    replace: bool = False,
) -> list[SlotResult]:
    """Set values of the session called `given`; a value of None empties its slot.

    With `replace` the other values of the contexts that are named are emptied. Raises NotFound for an unknown session or event,
    WrongMove for an ended session, InvalidInput for unusable slots, VersionMoved when a slot is not at the version named, and
    QuotaExceeded: a request counts as one write.
    """
    check_slots(slots)
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="session", write=True):
        commit_asynchronously()
        session = take_session(owner_id=owner_id, given=given, source=source)
        _check_events(owner_id, slots)
        writing = writing_of(session, source=source, now=now)
        take_or_refuse(owner_id=owner_id, document="", source=source, policy=writing.policy)
        wanted = [*slots, *(_emptied(session, slots) if replace else ())]
        return set_in(wanted, writing=writing)


@run_again_when_busy
def restore_slot(
    *, owner_id: UUID, given: str, context: str, name: str, source: Source, now: datetime, version: int | None
) -> SlotResult:
    """Go back to an earlier value of a slot: to `version`, or to the value before the standing one.

    Raises NotFound for an unknown session or slot, WrongMove for an ended session or when there is no such earlier value.
    """
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="session", write=True):
        idempotency.take_claim()
        commit_asynchronously()
        session = take_session(owner_id=owner_id, given=given, source=source)
        result = restore_in(
            context, name, writing=writing_of(session, source=source, now=now), version=version
        )
        idempotency.keep_answer(result.as_json())
    return result


def writing_of(session: Session, *, source: Source, now: datetime) -> Writing:
    return Writing(
        session=session,
        source=source,
        whitelist=load_whitelist(workspace_id=source.workspace_id),
        policy=current_policy(workspace_id=source.workspace_id).policy,
        now=now,
    )


def set_in(slots: Sequence[NewSlot], *, writing: Writing) -> list[SlotResult]:
    """Set the slots inside the caller's transaction, in their order; the session is locked."""
    rows = _rows_of(writing.session, {(slot.context, slot.name) for slot in slots})
    results = []
    for slot in map(without_secrets, slots):
        history = rows.setdefault((slot.context, slot.name), [])
        results.append(_set_one(slot, history, writing))
    _keep_alive({slot.context for slot in slots}, writing)
    standing = SessionSlot.objects.of(writing.session.owner_id).filter(
        session_id=writing.session.id, state=SessionSlot.State.ACTIVE
    )
    if standing[: MOST_STANDING + 1].count() > MOST_STANDING:
        raise InvalidInput(
            f"a session holds at most {MOST_STANDING} values", field="slots", code="too_many_slots"
        )
    return results


def restore_in(context: str, name: str, *, writing: Writing, version: int | None = None) -> SlotResult:
    """Bring an earlier value back inside the caller's transaction. Raises NotFound and WrongMove."""
    history = _rows_of(writing.session, {(context, name)}).get((context, name), [])
    if not history:
        raise NotFound("no such slot", field="name")
    move = bring_back(_versions(history), number=version, now=writing.now)
    restored = next(row for row in history if row.version == move.restored)
    slot = NewSlot(
        context=context,
        name=name,
        value=restored.value,
        event_id=restored.event_id,
        quote=restored.quote,
        importance=restored.importance,
        confidence=restored.confidence,
        form_type=restored.form_type,
        form_subject=restored.form_subject,
        field_name=restored.field_name,
    )
    result = _apply(move, slot, history, writing)
    _keep_alive({context}, writing)
    return result


def _set_one(slot: NewSlot, history: list[SessionSlot], writing: Writing) -> SlotResult:
    versions = _versions(history)
    current = next((v.number for v in versions if v.is_active), 0)
    if slot.expected_version is not None and slot.expected_version != current:
        raise VersionMoved(
            "the slot has moved", field="version", details={"name": slot.name, "current": current}
        )
    if slot.value is None:
        move = remove_value(versions, said_by=slot.said_by, now=writing.now)
    else:
        key = key_of(slot, writing.whitelist)
        move = set_value(versions, key, said_by=slot.said_by, now=writing.now)
    return _apply(move, slot, history, writing)


def _apply(move: Move, slot: NewSlot, history: list[SessionSlot], writing: Writing) -> SlotResult:
    active = next((row for row in history if row.state == SessionSlot.State.ACTIVE), None)
    if move.reason and active is not None:
        active.state, active.reason = SessionSlot.State.DEPRECATED, move.reason
        SessionSlot.objects.of(active.owner_id).filter(id=active.id).update(
            state=active.state, reason=active.reason, deprecated_at=Now()
        )
    row = active if move.kind == "keep" else None
    if move.kind in ("set", "restore"):
        row = _row(move, slot, writing)
        row.save(force_insert=True)
        history.append(row)
    return SlotResult(
        context=slot.context,
        name=slot.name,
        outcome=_OUTCOMES[move.kind],
        version=row.version if row else 0,
        slot_id=row.id if row else None,
        held_for=row.held_for if row else "",
    )


def _row(move: Move, slot: NewSlot, writing: Writing) -> SessionSlot:
    form_type, subject, field = field_of(slot, writing.whitelist)
    return SessionSlot(
        owner_id=writing.session.owner_id,
        workspace_id=writing.session.workspace_id,
        session_id=writing.session.id,
        context=slot.context,
        name=slot.name,
        version=move.number,
        value=slot.value,
        value_key=key_of(slot, writing.whitelist),
        restored_version=move.restored,
        said_by=slot.said_by,
        form_type=form_type,
        form_subject=subject,
        field_name=field,
        event_id=slot.event_id,
        quote=slot.quote,
        importance=slot.importance,
        confidence=slot.confidence,
        trust_tier=writing.source.trust_tier,
        held_for=reason_to_hold(slot, source=writing.source, policy=writing.policy),
        agent_id=writing.source.agent_id,
        api_key_id=writing.source.api_key_id,
        touched_at=writing.now,
        expires_at=writing.now + _life(slot, writing.policy),
        fate=slot.fate,
        fate_code=slot.fate_code,
        target_id=slot.target_id,
        change_id=slot.change_id,
    )


def _life(slot: NewSlot, policy: Policy) -> timedelta:
    if slot.lifetime_seconds is not None:
        return timedelta(seconds=slot.lifetime_seconds)
    return timedelta(minutes=policy.session_slot_minutes)


def _keep_alive(contexts: Iterable[str], writing: Writing) -> None:
    """A word about a context keeps its other values: they live on as long as somebody talks about it."""
    until = writing.now + timedelta(minutes=writing.policy.session_slot_minutes)
    SessionSlot.objects.of(writing.session.owner_id).filter(
        session_id=writing.session.id,
        context__in=set(contexts),
        state=SessionSlot.State.ACTIVE,
        expires_at__gt=writing.now,
    ).update(expires_at=Greatest("expires_at", until), touched_at=writing.now)
    Session.objects.of(writing.session.owner_id).filter(id=writing.session.id).update(active_at=writing.now)


def _rows_of(session: Session, keys: set[tuple[str, str]]) -> dict[tuple[str, str], list[SessionSlot]]:
    rows = SessionSlot.objects.of(session.owner_id).filter(
        session_id=session.id, context__in={key[0] for key in keys}, name__in={key[1] for key in keys}
    )
    found: dict[tuple[str, str], list[SessionSlot]] = {}
    for row in rows.order_by("version"):
        found.setdefault((row.context, row.name), []).append(row)
    return found


def _versions(history: Sequence[SessionSlot]) -> list[Version]:
    return [
        Version(
            number=row.version,
            value_key=row.value_key,
            is_active=row.state == SessionSlot.State.ACTIVE,
            expires_at=row.expires_at,
        )
        for row in history
    ]


def _emptied(session: Session, slots: Sequence[NewSlot]) -> list[NewSlot]:
    """The standing slots of the named contexts that were not sent, each to be emptied."""
    sent = {(slot.context, slot.name) for slot in slots}
    standing = (
        SessionSlot.objects.of(session.owner_id)
        .filter(
            session_id=session.id,
            context__in={slot.context for slot in slots},
            state=SessionSlot.State.ACTIVE,
        )
        .values_list("context", "name")
    )
    return [
        NewSlot(context=context, name=name, value=None)
        for context, name in standing
        if (context, name) not in sent
    ]


def _check_events(owner_id: UUID, slots: Sequence[NewSlot]) -> None:
    wanted = {slot.event_id for slot in slots if slot.event_id}
    if not wanted:
        return
    known = set(Event.objects.of(owner_id).filter(id__in=wanted).values_list("id", flat=True))
    if wanted - known:
        raise NotFound("no such event of this owner", field="slots.event")
