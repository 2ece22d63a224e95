"""From what the worker read in an event to values of its session. In the transaction that settles the event.

Orders, tickets, parcels and tasks that are named open a context; what the extractor read about them, and what the turn says about
them by rule, are values in it. A value that admission kept out of memory for its little weight is kept for the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import Session, SessionSlot
from memoryhub.sessions.asking import MOST_SLOTS, NewSlot, check_slots
from memoryhub.sessions.contexts import WHOLE, context_of, kind_of, name_of
from memoryhub.sessions.fates import fate_of
from memoryhub.sessions.noticing import NAMED_ONLY, Noticed, notice
from memoryhub.sessions.opening import open_in
from memoryhub.sessions.setting import Writing, restore_in, set_in
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import Candidate, FormCandidate, Verdict
from memoryhub.writing.whitelist import Whitelist

_CURRENT = "current"
"""Stands for the context that was spoken of last, until it is known."""

KIND_OF_FORM = {"order": "order", "incident": "ticket"}


def fill_from_event(
    candidates: Sequence[Candidate], verdicts: Sequence[Verdict], *, act: Act, whitelist: Whitelist
) -> int:
    """Set what the act's event says in its session, and answer how many values; 0 when it says nothing for one.

    `verdicts` are those of the candidates, in the same order. Only the owner's own words fill a session, and only while they
    are fresh: what was said longer ago than a value lives, as in an import, is history.
    """
    event = act.event
    if event is None or not event.session_ref or event.role != event.Role.USER:
        return 0
    if act.now - event.occurred_at > timedelta(minutes=act.policy.session_slot_minutes):
        return 0
    noticed = notice(event.content, current=_CURRENT)
    learned = list(_learned(candidates, verdicts, event.id))
    if any(each.context == _CURRENT or kind_of(each.context) == NAMED_ONLY for each in noticed):
        noticed = _placed(noticed, _contexts_of(act.owner.id, event.session_ref))
    if not noticed and not learned:
        return 0
    session, _ = open_in(owner_id=act.owner.id, ref=event.session_ref, source=act.source)
    writing = Writing(
        session=session, source=act.source, whitelist=whitelist, policy=act.policy, now=timezone.now()
    )
    return _fill(noticed, learned, writing, event.id)


def _placed(noticed: Sequence[Noticed], contexts: Sequence[str]) -> list[Noticed]:
    """What was said without naming a context belongs to the one spoken of last, what named only a code to the one of that name;
    to nothing when there is none."""

    def place(context: str) -> str:
        if context == _CURRENT:
            return contexts[0] if contexts else ""
        if kind_of(context) == NAMED_ONLY:
            return next((known for known in contexts if name_of(known) == name_of(context)), "")
        return context

    placed = [replace(each, context=found) for each in noticed if (found := place(each.context))]
    return [each for each in placed if each.kind != "misnamed" or _is_another_of_its_kind(each)]


def _is_another_of_its_kind(noticed: Noticed) -> bool:
    """A wrong order number is corrected by an order number; a ticket beside it corrects nothing."""
    return noticed.context != noticed.value and kind_of(noticed.context) == kind_of(noticed.value)


def _contexts_of(owner_id: UUID, ref: str) -> list[str]:
    """The contexts of the open session in which something stands, the one spoken of last first."""
    return list(
        SessionSlot.objects.of(owner_id)
        .filter(session__ref=ref, session__state=Session.State.OPEN, state=SessionSlot.State.ACTIVE)
        .exclude(context=WHOLE)
        .values("context")
        .annotate(touched=Max("touched_at"))
        .order_by("-touched")
        .values_list("context", flat=True)
    )


def _learned(
    candidates: Sequence[Candidate], verdicts: Sequence[Verdict], event_id: UUID
) -> Iterator[NewSlot]:
    """Values of orders and incidents, and those that matter too little to be kept for good."""
    parcels = {
        candidate.value
        for candidate in candidates
        if isinstance(candidate, FormCandidate) and candidate.field == "tracking_number"
    }
    for candidate, verdict in zip(candidates, verdicts, strict=False):
        if not isinstance(candidate, FormCandidate) or candidate.operation != "set":
            continue
        kind = KIND_OF_FORM.get(candidate.form_type, "") if candidate.subject else ""
        if kind == "order" and candidate.subject in parcels:
            kind = "parcel"
        fate, code = fate_of(verdict)
        is_small = verdict.outcome == "session_only"
        if not (is_small or (kind and fate != "dropped")) or not isinstance(
            candidate.value, str | int | float
        ):
            continue
        yield NewSlot(
            context=context_of(kind, candidate.subject) if kind else WHOLE,
            name=candidate.field,
            value=candidate.value,
            event_id=event_id,
            quote=candidate.quote,
            importance=candidate.importance.value if candidate.importance else None,
            confidence=candidate.confidence,
            form_type=candidate.form_type,
            form_subject=candidate.subject,
            field_name=candidate.field,
            fate="" if is_small else fate,
            fate_code="" if is_small else code,
            target_id=verdict.target_id,
            change_id=verdict.change_id,
        )


def _fill(noticed: Sequence[Noticed], learned: Sequence[NewSlot], writing: Writing, event_id: UUID) -> int:
    """In the order in which it was said; what the extractor read about a slot is taken over what the rule noticed."""
    known = {(slot.context, slot.name) for slot in learned}
    wanted: dict[tuple[str, str], NewSlot] = {}
    for each in noticed:
        if each.kind != "restore" and (each.context, each.name) not in known:
            wanted[each.context, each.name] = _slot(each, event_id)
    for slot in learned:
        wanted[slot.context, slot.name] = slot
    sound = [slot for slot in wanted.values() if _is_sound(slot)][:MOST_SLOTS]
    count = len(set_in(sound, writing=writing)) if sound else 0
    for each in noticed:
        if each.kind == "restore":
            count += _restore(each, writing)
    return count


def _slot(noticed: Noticed, event_id: UUID) -> NewSlot:
    return NewSlot(
        context=noticed.context,
        name=noticed.name,
        value={"mention": name_of(noticed.context), "remove": None, "misnamed": None}.get(
            noticed.kind, noticed.value
        ),
        event_id=event_id,
        quote=noticed.quote,
    )


def _is_sound(slot: NewSlot) -> bool:
    try:
        check_slots([slot])
    except InvalidInput:
        return False
    return True


def _restore(noticed: Noticed, writing: Writing) -> int:
    """Bring the value before the last one back; without a name, of the value that was changed last. 0 when there is none."""
    name = noticed.name or _changed_last(noticed.context, writing.session)
    if not name:
        return 0
    try:
        restore_in(noticed.context, name, writing=writing)
    except (NotFound, WrongMove):
        return 0
    return 1


def _changed_last(context: str, session: Session) -> str:
    changed = SessionSlot.objects.of(session.owner_id).filter(
        session_id=session.id, context=context, version__gt=1, state=SessionSlot.State.ACTIVE
    )
    return changed.order_by("-set_at", "-id").values_list("name", flat=True).first() or ""
