"""Ending a session: what admission accepts is kept for good, the rest is cleared, and each value says what became of it.

Every last value walks the normal write path with its evidence, at the trust it came with. All of it is one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import QuotaExceeded
from memoryhub.models import ApiKey, Event, Owner, Session, SessionSlot
from memoryhub.policies import Policy, current_policy
from memoryhub.sessions.contexts import name_of
from memoryhub.sessions.fates import fate_of
from memoryhub.sessions.names import label_of
from memoryhub.sessions.opening import take_session
from memoryhub.writing.acts import Act
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Candidate, FormCandidate, Importance, ItemCandidate, Verdict
from memoryhub.writing.corroboration import document_of
from memoryhub.writing.quotas import take_or_refuse
from memoryhub.writing.screening import screen, screened_text
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.source import Source
from memoryhub.writing.structured import queue_vectors
from memoryhub.writing.verdicts import refused
from memoryhub.writing.whitelist import Whitelist, load_whitelist

UNMAPPED_IMPORTANCE = 0.5
"""Of a value that belongs to no field and whose writer did not say how much it matters: below what is kept for good."""


@run_again_when_busy
def end_session(*, owner_id: UUID, given: str, source: Source, ended_by: str = "request") -> UUID:
    """End the session and answer its id; its slots then say what was promoted or dropped, and why.

    Raises NotFound for an unknown session and WrongMove for one that has ended.
    """
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="session", write=True):
        idempotency.take_claim()
        owner = Owner.objects.select_related("workspace").get(id=owner_id)
        # Memory before sessions, as the worker that reads events takes them.
        lock_items(act=Act(owner=owner, source=source, name="end_session", now=timezone.now()))
        session = take_session(owner_id=owner_id, given=given, source=source)
        _promote_and_clear(session, owner=owner, source=source)
        _close(session, ended_by=ended_by)
        idempotency.keep_answer({"session": str(session.id)})
    return session.id


def _promote_and_clear(session: Session, *, owner: Owner, source: Source) -> None:
    """The last value of every name is settled, unless the write path has settled it already; then nothing is left of any."""
    rows = list(SessionSlot.objects.of(owner.id).filter(session_id=session.id).order_by("set_at", "id"))
    promoting = _Promoting(owner=owner, session=session, rows=rows, ender=source)
    for slot in _last_values(rows):
        if not slot.fate:
            _note_fate(slot, promoting.promote(slot))
    _clear(session)


def _last_values(rows: Sequence[SessionSlot]) -> list[SessionSlot]:
    """Of every name the newest version, when it stands or only its time was over; a corrected or emptied one is no value."""
    newest: dict[tuple[str, str], SessionSlot] = {}
    for row in rows:
        known = newest.get((row.context, row.name))
        if known is None or known.version < row.version:
            newest[row.context, row.name] = row
    return [
        row
        for row in newest.values()
        if row.state == SessionSlot.State.ACTIVE or row.reason == SessionSlot.Reason.TIMEOUT
    ]


class _Promoting:
    """Settles values one by one: an act each, because each has its own evidence and its own writer."""

    def __init__(self, *, owner: Owner, session: Session, rows: Sequence[SessionSlot], ender: Source) -> None:
        self.owner = owner
        self.session_ref = session.ref
        self.ender = ender
        self.whitelist: Whitelist = load_whitelist(workspace_id=owner.workspace_id)
        self.policy: Policy = current_policy(workspace_id=owner.workspace_id).policy
        wanted = {row.event_id for row in rows if row.event_id}
        self.events = {event.id: event for event in Event.objects.of(owner.id).filter(id__in=wanted)}
        keys = ApiKey.objects.filter(id__in={row.api_key_id for row in rows if row.api_key_id})
        self.responsible = dict(keys.values_list("id", "created_by_id"))

    def promote(self, slot: SessionSlot) -> Verdict:
        """What the write path says to the value."""
        if slot.held_for == "secret":
            return refused("secret", kind="item")
        source = self._source(slot)
        event = self.events.get(slot.event_id) if slot.event_id else None
        try:
            take_or_refuse(
                owner_id=self.owner.id, document=document_of(event), source=source, policy=self.policy
            )
        except QuotaExceeded as error:
            return refused(error.code, kind="item")
        act = Act(
            owner=self.owner,
            source=source,
            name="promote_slot",
            now=timezone.now(),
            policy=self.policy,
            event=event,
            session_ref=self.session_ref,
        )
        flags = frozenset(screen(screened_text(slot.value, slot.quote, slot.context), role="user").flags)
        settling = Settling(act=act, whitelist=self.whitelist, flags=flags)
        verdict = settle(_candidate(slot, self.owner.language), settling=settling)
        act.finish()
        queue_vectors(act)
        return verdict

    def _source(self, slot: SessionSlot) -> Source:
        """Who set the value answers for it, at the trust it was set with."""
        return Source(
            workspace_id=self.owner.workspace_id,
            trust_tier=slot.trust_tier,
            transport=self.ender.transport,
            agent_id=slot.agent_id,
            api_key_id=slot.api_key_id,
            responsible_user_id=self.responsible.get(slot.api_key_id) if slot.api_key_id else None,
        )


def _candidate(slot: SessionSlot, language: str) -> Candidate:
    """A form value when the slot belongs to a field, else a sentence about what its context is about."""
    common: dict[str, Any] = {
        "quote": slot.quote,
        "confidence": slot.confidence,
        "basis": "stated" if slot.said_by == "user" else "observed",
        "valid_from": None if slot.event_id else slot.set_at,
    }
    if slot.field_name:
        return FormCandidate(
            form_type=slot.form_type,
            subject=slot.form_subject,
            field=slot.field_name,
            value=slot.value,
            importance=_importance(slot.importance),
            **common,
        )
    thing = name_of(slot.context)
    label = label_of(slot.name, language)
    about = f"{thing} · {label}" if thing else label
    return ItemCandidate(
        item_kind="semantic",
        content=f"{about}: {slot.value}",
        entities=(thing,) if thing else (),
        subject_entity=thing or "owner",
        attribute=slot.name,
        value=str(slot.value),
        importance=_importance(UNMAPPED_IMPORTANCE if slot.importance is None else slot.importance),
        **common,
    )


def _importance(value: float | None) -> Importance | None:
    return None if value is None else Importance(value=value, parts=(("given", value),))


def _note_fate(slot: SessionSlot, verdict: Verdict) -> None:
    slot.fate, slot.fate_code = fate_of(verdict)
    slot.target_id, slot.change_id = verdict.target_id, verdict.change_id
    SessionSlot.objects.of(slot.owner_id).filter(id=slot.id).update(
        fate=slot.fate, fate_code=slot.fate_code, target_id=slot.target_id, change_id=slot.change_id
    )


def _clear(session: Session) -> None:
    """Nothing of the values is left; what was said before the last word was said was dropped for the word after it."""
    slots = SessionSlot.objects.of(session.owner_id).filter(session_id=session.id)
    slots.filter(state=SessionSlot.State.ACTIVE).update(
        state=SessionSlot.State.DEPRECATED, reason=SessionSlot.Reason.ENDED, deprecated_at=Now()
    )
    slots.filter(fate="").update(fate=SessionSlot.Fate.DROPPED, fate_code=F("reason"))
    slots.update(value=None, value_key="", quote="", cleared_at=Now())


def _close(session: Session, *, ended_by: str) -> None:
    Session.objects.of(session.owner_id).filter(id=session.id).update(
        state=Session.State.ENDED, ended_at=Now(), ended_by=ended_by
    )
    audit.record(
        audit.entry(
            action="session.ended",
            workspace_id=session.workspace_id,
            owner_id=session.owner_id,
            object_kind="session",
            object_id=session.id,
            details={"by": ended_by},
        )
    )
