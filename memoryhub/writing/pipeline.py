"""The write path, end to end: take an owner's waiting events in order, read them, settle what they say.

Reading (screening and extraction, which may be a model's) happens outside any transaction. Settling happens in a
transaction of at most `CHUNK` events that first takes the owner's turn and drops events somebody else has processed meanwhile,
so an event takes effect exactly once however often it is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError
from django.db.models import F, Q, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone

from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import ModelUnavailable, OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.jobs.ledger import enqueue
from memoryhub.models import Agent, ApiKey, Event, Owner
from memoryhub.policies import current_policy
from memoryhub.search_index import is_cleared, set_cleared
from memoryhub.sessions.filling import fill_from_event
from memoryhub.writing.acts import Act
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Candidate, FormCandidate, Turn, Verdict
from memoryhub.writing.claims import ignored_claims
from memoryhub.writing.reading import Extractor, ExtractorName, Reading, current_extractor, read_events
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.settling_relations import settle_said_relations
from memoryhub.writing.source import Source
from memoryhub.writing.taking_back import take_back
from memoryhub.writing.verdicts import as_json, refused
from memoryhub.writing.whitelist import Whitelist, load_whitelist

CHUNK = 20
MOST_TRIES = 3
EARLIER_TURNS = 6
EARLIER_LOOKED_BACK = timedelta(days=7)


NOT_THE_EVENTS_FAULT = (
    OperationalError,
    InterfaceError,
    OwnerErasing,
    OwnerFrozen,
    UnknownOwner,
    ModelUnavailable,
)

log = structlog.get_logger(__name__)


def process_waiting_events(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    until: Sequence[UUID],
    still_working: Callable[[], None] = lambda: None,
    extractor_name: ExtractorName | None = None,
) -> None:
    """Process the owner's accepted events in (recorded_at, id) order until all of `until` are done, or none is left.

    `still_working` is called after each chunk, so that the caller can keep its lease. What goes wrong with a chunk is raised,
    for another try; an event that goes wrong alone and for the last time is marked as failed and the others go on. A model that
    gives no answer raises ModelUnavailable and costs no event a try. `extractor_name` None is the installation's extractor.
    """
    remaining = set(until)
    whitelist = load_whitelist(workspace_id=workspace_id)
    extractor = current_extractor(workspace_id=workspace_id, fields=whitelist, name=extractor_name)
    while remaining:
        chunk = _next_chunk(workspace_id, owner_id, most=min(CHUNK, extractor.most_events))
        if not chunk:
            return
        done = {event.id for event in chunk}
        try:
            done = _process_chunk(workspace_id, owner_id, chunk, whitelist, extractor)
        except NOT_THE_EVENTS_FAULT:
            raise
        except Exception as error:
            if len(chunk) > 1 or chunk[0].attempts + 1 < MOST_TRIES:
                raise
            _give_up(workspace_id, chunk[0], error)
        remaining -= done
        still_working()


def _process_chunk(
    workspace_id: UUID, owner_id: UUID, chunk: list[Event], whitelist: Whitelist, extractor: Extractor
) -> set[UUID]:
    """Read and settle, and answer which events are done with; the others are to be tried again."""
    turns = _turns(workspace_id, owner_id, chunk)
    try:
        readings = read_events(chunk, turns=[turns[event.id] for event in chunk], extractor=extractor)
    except ModelUnavailable:
        _give_back(workspace_id, owner_id, chunk)
        raise
    _give_back(workspace_id, owner_id, chunk[len(readings) :])
    _settle_chunk(workspace_id, owner_id, readings, whitelist)
    return {reading.event.id for reading in readings if not _is_to_be_read_again(reading)}


def _is_to_be_read_again(reading: Reading) -> bool:
    return bool(reading.failure) and reading.event.attempts + 1 < MOST_TRIES


@run_again_when_busy
def _give_back(workspace_id: UUID, owner_id: UUID, events: list[Event]) -> None:
    """These were not tried after all."""
    if events:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="process", write=True):
            untried = Event.objects.of(owner_id).filter(id__in=[event.id for event in events], attempts__gt=0)
            untried.update(attempts=F("attempts") - 1)


def _give_up(workspace_id: UUID, event: Event, error: Exception) -> None:
    """An event that failed by itself in its last try; a person sees it and may send it round again."""
    log.warning(
        "event_failed", event_id=str(event.id), error=type(error).__name__, attempts=event.attempts + 1
    )
    with scope(workspace_id=workspace_id, owners=[event.owner_id], purpose="process", write=True):
        _mark_failed(event, code="processing_failed")


@run_again_when_busy
def _next_chunk(workspace_id: UUID, owner_id: UUID, *, most: int) -> list[Event]:
    """The next events to try, the try already counted. One that was tried before goes alone, so it can only harm itself."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="process", write=True):
        waiting = Event.objects.of(owner_id).filter(
            Q(held_until=None) | Q(held_until__lte=Now()), state=Event.State.ACCEPTED
        )
        events = list(waiting.order_by("recorded_at", "id")[:most])
        given_up = [event for event in events if event.attempts >= MOST_TRIES]
        for event in given_up:
            _mark_failed(event, code="worker_lost")
        events = [event for event in events if event.attempts < MOST_TRIES]
        if any(event.attempts for event in events):
            first = next(index for index, event in enumerate(events) if event.attempts)
            events = events[:first] or events[:1]
        waiting.filter(id__in=[event.id for event in events]).update(attempts=F("attempts") + 1)
    if given_up and not events:
        return _next_chunk(workspace_id, owner_id, most=most)
    return events


def _mark_failed(event: Event, *, code: str) -> None:
    Event.objects.of(event.owner_id).filter(id=event.id, state=Event.State.ACCEPTED).update(
        state=Event.State.FAILED, outcome=as_json([refused(code, kind="event")]), processed_at=Now()
    )


def _turns(workspace_id: UUID, owner_id: UUID, events: list[Event]) -> dict[UUID, Turn]:
    """Each event with the owner's last turns before it in its session: what a correction may point at."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="process"):
        owner = Owner.objects.select_related("workspace").get(id=owner_id)
        # Counted per session: a busy one must not crowd out what was said in another.
        newest = Window(RowNumber(), partition_by=["session_ref", "role"], order_by=["-recorded_at", "-id"])
        rows = (
            Event.objects.of(owner_id)
            .filter(
                session_ref__in={event.session_ref for event in events},
                role__in=[Event.Role.USER, Event.Role.ASSISTANT],
                recorded_at__lte=max(event.recorded_at for event in events),
                recorded_at__gte=min(event.recorded_at for event in events) - EARLIER_LOOKED_BACK,
            )
            .annotate(place=newest)
            .filter(place__lte=EARLIER_TURNS + len(events))
            .order_by("recorded_at", "id")
        )
        said = list(rows.values_list("session_ref", "recorded_at", "id", "role", "content"))
    return {
        event.id: Turn(
            event_id=event.id,
            text=event.content,
            role=event.role,  # type: ignore[arg-type]
            occurred_at=event.occurred_at,
            zone=owner.zone,
            locale=owner.language,
            earlier=_before(event, said, roles={Event.Role.USER}),
            heard=_before(event, said, roles={Event.Role.USER, Event.Role.ASSISTANT}),
        )
        for event in events
    }


def _before(
    event: Event, said: Sequence[tuple[str, datetime, UUID, str, str]], *, roles: set[str]
) -> tuple[str, ...]:
    """The last turns by these roles before the event in its session, oldest first; `said` holds session, time, id, role, text."""
    turns = [
        content
        for session, recorded_at, event_id, role, content in said
        if session == event.session_ref
        and role in roles
        and (recorded_at, event_id) < (event.recorded_at, event.id)
    ]
    return tuple(turns[-EARLIER_TURNS:])


@run_again_when_busy
def _settle_chunk(workspace_id: UUID, owner_id: UUID, readings: list[Reading], whitelist: Whitelist) -> None:
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="process", write=True):
        owner = Owner.objects.select_related("workspace").get(id=owner_id)
        policy = current_policy(workspace_id=workspace_id).policy
        now = timezone.now()
        turn_taker = Act(
            owner=owner, source=Source(workspace_id=workspace_id, trust_tier=1), name="turn", now=now
        )
        lock_items(act=turn_taker)
        open_ids = set(
            Event.objects.of(owner_id)
            .filter(id__in=[reading.event.id for reading in readings], state=Event.State.ACCEPTED)
            .values_list("id", flat=True)
        )
        needs_vectors = False
        for reading in readings:
            if reading.event.id in open_ids:
                act = Act(
                    owner=owner,
                    source=_source_of(reading.event),
                    name="process_event",
                    now=now,
                    policy=policy,
                    event=reading.event,
                    session_ref=reading.event.session_ref,
                )
                _settle_event(reading, act, whitelist)
                needs_vectors = True
        if needs_vectors:
            enqueue(kind="embed", workspace_id=workspace_id, owner_id=owner_id, dedupe_key=str(owner_id))


def _settle_event(reading: Reading, act: Act, whitelist: Whitelist) -> None:
    """Settle what one event says and write its outcome; its state moves in the same transaction."""
    event, extraction = reading.event, reading.extraction
    if _is_to_be_read_again(reading):
        seen = as_json([refused(reading.failure, kind="event")])
        Event.objects.of(event.owner_id).filter(id=event.id).update(outcome=seen)
        return
    settling = Settling(act=act, whitelist=whitelist, flags=frozenset(reading.screening.flags))
    verdicts: list[Verdict] = [
        settle(_numbered(candidate, event), settling=settling) for candidate in extraction.candidates
    ]
    fill_from_event(extraction.candidates, verdicts, act=act, whitelist=whitelist)
    verdicts += settle_said_relations(extraction.relations, settling=settling)
    verdicts += [refused(refusal.code, kind="event") for refusal in extraction.refusals]
    if extraction.takes_back and (undone := take_back(act=act, code=extraction.takes_back)):
        verdicts.append(undone)
    if reading.failure:
        verdicts.append(refused(reading.failure, kind="event"))
    if not reading.screening.worth_reading:
        verdicts += [refused(code, kind="event") for code in reading.screening.codes]
    if extraction.action == "commitment" and is_cleared(
        role=event.role,
        trust_tier=event.trust_tier,
        action="commitment",
        is_flagged=bool(reading.screening.flags),
    ):
        set_cleared(owner_id=event.owner_id, event_ids=[event.id], cleared=True)
    act.finish()
    learned = {
        "action": extraction.action,
        "reason": extraction.reason,
        "alternatives": list(extraction.alternatives),
        "entities": list(extraction.entities),
        "codes": [*reading.screening.codes, *ignored_claims(event.metadata)],
        "flags": list(reading.screening.flags),
        "extractor": extraction.read_by,
    }
    Event.objects.of(event.owner_id).filter(id=event.id).update(
        state=Event.State.FAILED if reading.failure else Event.State.PROCESSED,
        outcome=as_json(verdicts),
        learned={name: value for name, value in learned.items() if value},
        processed_at=Now(),
    )


def _numbered(candidate: Candidate, event: Event) -> Candidate:
    """An incident that was reported without a ticket number gets one of its own, made from its event."""
    if isinstance(candidate, FormCandidate) and candidate.form_type == "incident" and not candidate.subject:
        return replace(candidate, subject=f"I-{event.occurred_at:%y%m%d}-{event.id.hex[-6:]}")
    return candidate


def _source_of(event: Event) -> Source:
    """Who wrote the event, at the trust it was recorded with."""
    responsible = (
        ApiKey.objects.filter(agent_id=event.agent_id).values_list("created_by_id", flat=True).first()
        if event.agent_id
        else None
    )
    if responsible is None and event.agent_id:
        responsible = Agent.objects.values_list("created_by_id", flat=True).get(id=event.agent_id)
    return Source(
        workspace_id=event.workspace_id,
        trust_tier=event.trust_tier,
        transport="job",
        agent_id=event.agent_id,
        api_key_id=event.api_key_id,
        responsible_user_id=responsible,
    )


@run_again_when_busy
def requeue_failed_event(*, workspace_id: UUID, owner_id: UUID, event_id: UUID) -> bool:
    """A person sends an event round again that was given up on; False when it had not failed."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="process", write=True):
        moved = (
            Event.objects.of(owner_id)
            .filter(id=event_id, state=Event.State.FAILED)
            .update(state=Event.State.ACCEPTED, attempts=0, outcome=[], processed_at=None)
        )
        if moved:
            enqueue(
                kind="process_events",
                workspace_id=workspace_id,
                owner_id=owner_id,
                payload={"event_ids": [str(event_id)]},
            )
    return bool(moved)
