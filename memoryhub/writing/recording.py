"""Step 1 of the write path: append what happened. One transaction: event rows, their search entries, one job.

Nothing is read into the events here beyond what decides whether they may be found (trust, role, instruction-like text).
`occurred_at` without an offset is taken as UTC, everywhere.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryhub import audit, idempotency, owner_keys
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import IdempotencyConflict, InvalidInput, TooManyUnprocessed
from memoryhub.jobs.ledger import enqueue
from memoryhub.language.masking import masked
from memoryhub.language.text import find_text_fault
from memoryhub.models import Event, Job, Owner, new_id
from memoryhub.policies import Policy, current_policy
from memoryhub.search_index import NewEntry, add_entries, event_text, is_cleared
from memoryhub.writing.candidates import Role, Verdict
from memoryhub.writing.corroboration import document_of
from memoryhub.writing.quotas import Overdraft, take
from memoryhub.writing.screening import beside_content, screen
from memoryhub.writing.source import Source
from memoryhub.writing.verdicts import as_json

MOST_EVENTS = 500
EVENTS_PER_JOB = 100
MOST_METADATA_CHARACTERS = 16_000
RETRY_AFTER_SECONDS = 5
FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Dates within an event are read relative to it; far outside the calendar they cannot be."""
MASKABLE = (
    "content",
    "actor",
    "subject",
    "before",
    "after",
    "reason",
    "alternatives",
    "metadata",
    "form_subject",
)
"""What of an event may hold a secret; masked before it is stored when the settings say so."""
ROLES = frozenset(Event.Role.values)
LENGTHS = {
    "actor": 200,
    "subject": 200,
    "action": 40,
    "session_ref": 200,
    "reason": 1000,
    "form_type": 60,
    "form_subject": 200,
    "field_name": 60,
    "idempotency_key": 255,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class NewEvent:
    """One event as it was sent. Everything but the content and its time may be left out."""

    content: str = ""
    occurred_at: datetime | None = None
    role: Role = "user"
    actor: str = ""
    subject: str = ""
    action: str = "message"
    session_ref: str = ""
    before: Any = None
    after: Any = None
    reason: str = ""
    alternatives: tuple[str, ...] = ()
    caused_by_id: UUID | None = None
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None
    is_test: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class EventResult:
    """What became of one event of a request, in the order they were sent."""

    index: int
    status: Literal["recorded", "duplicate", "refused"]
    event_id: UUID | None = None
    code: str = ""
    field: str = ""
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedBatch:
    """`job_id` is the job that will process the events; None when none was new."""

    results: tuple[EventResult, ...]
    job_id: UUID | None = None
    job_ids: tuple[UUID, ...] = ()
    overdraft: Overdraft | None = None
    """The write quota that some of the events are over; they are kept, and read when it allows."""


@run_again_when_busy
def record_events(*, owner_id: UUID, events: Sequence[NewEvent], source: Source) -> RecordedBatch:
    """Append up to 500 events of one owner; a faulty one is refused by itself and the others are stored.

    A key that was used before with the same body gives the first event again ('duplicate'), with another body the event is
    refused (`idempotency_key_reused`). Raises InvalidInput for an empty or too long list, TooManyUnprocessed when the owner's
    or the workspace's backlog is over the policy's limit, and the owner errors of `database.scope`. Events over a write quota
    are stored all the same and wait (`overdraft`).
    """
    if not 1 <= len(events) <= MOST_EVENTS:
        raise InvalidInput(f"1 to {MOST_EVENTS} events", field="events", code="batch_size")
    results: dict[int, EventResult] = {}
    sound: dict[int, NewEvent] = {}
    for index, event in enumerate(events):
        fault = event_fault(index, event)
        if fault:
            results[index] = fault
        else:
            sound[index] = event
    if not sound:
        return RecordedBatch(results=tuple(results[index] for index in sorted(results)))
    prints = {index: _fingerprint(owner_id, event) for index, event in sound.items()}
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="record", write=True):
        idempotency.take_claim()
        owner = Owner.objects.get(id=owner_id)
        policy = current_policy(workspace_id=source.workspace_id).policy
        _check_backlog(owner, policy)
        _refuse_unknown_causes(owner_id, sound, results)
        stored = _append(owner, sound, prints, source, results)
        job_ids = _queue(owner, stored)
        if stored:
            audit.record(
                audit.entry(
                    action="events.recorded",
                    workspace_id=owner.workspace_id,
                    owner_id=owner.id,
                    object_kind="event",
                    object_id=stored[0].id,
                    content="".join(event.content for event in stored).encode("utf-8", "surrogatepass"),
                    details={"count": len(stored)},
                )
            )
        overdraft = _hold_back(stored, source, policy)
        batch = RecordedBatch(
            results=tuple(results[index] for index in sorted(results)),
            job_id=job_ids[-1] if job_ids else None,
            job_ids=tuple(job_ids),
            overdraft=overdraft,
        )
        idempotency.keep_answer(as_answer(batch))
    return batch


def _hold_back(stored: list[Event], source: Source, policy: Policy) -> Overdraft | None:
    """Count the events on the write quotas. Those over one stay, but are not read before it allows; their outcome says so."""
    if not stored:
        return None
    taken = take(
        owner_id=stored[0].owner_id,
        documents=[document_of(event) for event in stored],
        source=source,
        policy=policy,
    )
    for event, over in zip(stored, taken.overdrafts, strict=True):
        if over is not None:
            waiting = Verdict(
                outcome="waiting",
                kind="event",
                code=f"quota_of_{over.quota}",
                details={"until": over.free_at.isoformat()},
            )
            Event.objects.of(event.owner_id).filter(id=event.id).update(
                held_until=over.free_at, outcome=as_json([waiting])
            )
    return taken.worst


def as_answer(batch: RecordedBatch) -> dict[str, Any]:
    """What a request to record is answered with: ids and codes."""
    return {
        "events": [
            {
                "index": result.index,
                "status": result.status,
                "id": str(result.event_id) if result.event_id else None,
                "code": result.code,
                "field": result.field,
                "message": result.message,
            }
            for result in batch.results
        ],
        "operation": str(batch.job_id) if batch.job_id else None,
        "jobs": [str(job_id) for job_id in batch.job_ids],
        **({"overdraft": batch.overdraft.as_details()} if batch.overdraft else {}),
    }


def record_event(*, owner_id: UUID, event: NewEvent, source: Source) -> RecordedBatch:
    """Append one event; what a batch reports per item is raised here: InvalidInput or IdempotencyConflict."""
    batch = record_events(owner_id=owner_id, events=[event], source=source)
    result = batch.results[0]
    if result.code == IdempotencyConflict.code:
        raise IdempotencyConflict(result.message, field="idempotency_key")
    if result.status == "refused":
        raise InvalidInput(result.message, field=result.field, code=result.code)
    return batch


def event_fault(index: int, event: NewEvent) -> EventResult | None:
    """The first rule an event breaks. Text that PostgreSQL cannot hold is refused, never repaired."""

    def refused(name: str, code: str, message: str) -> EventResult:
        return EventResult(index=index, status="refused", field=name, code=code, message=message)

    whole = {
        name: value for name, value in asdict(event).items() if name not in ("occurred_at", "caused_by_id")
    }
    if found := find_text_fault(whole):
        limit = f" (at most {found.limit})" if found.limit else ""
        return refused(found.field, found.code, f"{found.field}: {found.code.replace('_', ' ')}{limit}")
    if event.occurred_at is not None and not FIRST_YEAR <= event.occurred_at.year <= LAST_YEAR:
        return refused("occurred_at", "out_of_range", f"occurred_at: a year from {FIRST_YEAR} to {LAST_YEAR}")
    if event.role not in ROLES:
        return refused("role", "unknown_role", "role is one of " + ", ".join(sorted(ROLES)))
    for name, most in LENGTHS.items():
        if len(getattr(event, name) or "") > most:
            return refused(name, "text_too_long", f"{name}: at most {most} characters")
    if len(event.alternatives) > 20 or any(len(other) > 200 for other in event.alternatives):
        return refused("alternatives", "text_too_long", "alternatives: at most 20 of 200 characters")
    if len(json.dumps(event.metadata, ensure_ascii=False)) > MOST_METADATA_CHARACTERS:
        return refused(
            "metadata", "text_too_long", f"metadata: at most {MOST_METADATA_CHARACTERS} characters of JSON"
        )
    if not event.content.strip() and event.after is None and event.before is None:
        return refused("content", "blank", "an event has content, or before and after")
    return None


def _fingerprint(owner_id: UUID, event: NewEvent) -> bytes:
    body = json.dumps(asdict(event), default=str, sort_keys=True, ensure_ascii=False)
    return hmac.digest(owner_keys.owner_key(owner_id), body.encode(), "sha256")


def _check_backlog(owner: Owner, policy: Policy) -> None:
    """Refuse new events while too much waits; counted no further than the limits."""
    waiting = Event.objects.filter(owner_id=owner.id, state=Event.State.ACCEPTED)
    open_jobs = Job.objects.filter(
        workspace_id=owner.workspace_id, state__in=[Job.State.QUEUED, Job.State.RUNNING]
    )
    for counted, limit, what in (
        (waiting, policy.unprocessed_events_per_owner, "events of this owner"),
        (open_jobs, policy.open_jobs_per_workspace, "jobs of this workspace"),
    ):
        if counted[: limit + 1].count() > limit:
            raise TooManyUnprocessed(
                f"more than {limit} {what} wait to be processed",
                details={"retry_after": RETRY_AFTER_SECONDS, "limit": limit},
            )


def _refuse_unknown_causes(
    owner_id: UUID, sound: dict[int, NewEvent], results: dict[int, EventResult]
) -> None:
    causes = {event.caused_by_id for event in sound.values() if event.caused_by_id}
    if not causes:
        return
    known = set(Event.objects.filter(owner_id=owner_id, id__in=causes).values_list("id", flat=True))
    for index, event in list(sound.items()):
        if event.caused_by_id and event.caused_by_id not in known:
            del sound[index]
            results[index] = EventResult(
                index=index,
                status="refused",
                field="caused_by",
                code="unknown_event",
                message="caused_by: no such event of this owner",
            )


def _append(
    owner: Owner,
    sound: dict[int, NewEvent],
    prints: dict[int, bytes],
    source: Source,
    results: dict[int, EventResult],
) -> list[Event]:
    """Insert the events; the unique key decides who was first, also between two requests at the same moment."""
    now = timezone.now()
    rows = {index: event_row(owner, event, prints[index], source, now) for index, event in sound.items()}
    Event.objects.bulk_create(rows.values(), ignore_conflicts=True)
    keys = [row.idempotency_key for row in rows.values() if row.idempotency_key is not None]
    held = _holders(owner.id, source.agent_id, keys)
    stored = []
    for index, row in rows.items():
        first = held.get(row.idempotency_key) if row.idempotency_key is not None else None
        if first is None or first[0] == row.id:
            stored.append(row)
            results[index] = EventResult(index=index, status="recorded", event_id=row.id)
        elif hmac.compare_digest(first[1], prints[index]):
            results[index] = EventResult(index=index, status="duplicate", event_id=first[0])
        else:
            results[index] = EventResult(
                index=index,
                status="refused",
                field="idempotency_key",
                code=IdempotencyConflict.code,
                message="this key was used before with another body",
            )
    add_entries(
        workspace_id=owner.workspace_id, owner_id=owner.id, entries=[event_entry(row) for row in stored]
    )
    return stored


def _holders(owner_id: UUID, agent_id: UUID | None, keys: list[str]) -> dict[str, tuple[UUID, bytes]]:
    if not keys:
        return {}
    rows = Event.objects.filter(owner_id=owner_id, idempotency_key__in=keys)
    rows = rows.filter(agent_id=agent_id) if agent_id else rows.filter(agent=None)
    held = rows.values_list("idempotency_key", "id", "fingerprint")
    return {str(key): (event_id, bytes(mark or b"")) for key, event_id, mark in held}


def event_row(owner: Owner, event: NewEvent, fingerprint: bytes, source: Source, now: datetime) -> Event:
    """The unsaved row of an event, its secrets masked."""
    occurred_at = event.occurred_at or now
    if occurred_at.tzinfo is None:
        occurred_at = occurred_at.replace(tzinfo=UTC)
    values = asdict(replace(event, occurred_at=occurred_at))
    values["alternatives"] = list(event.alternatives)
    if settings.MASK_EVENTS:
        values |= masked({name: values[name] for name in MASKABLE})
    return Event(
        owner_id=owner.id,
        workspace_id=owner.workspace_id,
        id=new_id(),
        agent_id=source.agent_id,
        api_key_id=source.api_key_id,
        trust_tier=source.trust_tier,
        fingerprint=fingerprint if event.idempotency_key is not None else None,
        **values,
    )


def event_entry(row: Event) -> NewEntry:
    """An event is found by its own words; not when it comes from a source, or in a voice, that is not trusted to be served."""
    is_flagged = bool(screen(row.content, role="user", beside=beside_content(row)).flags)
    return NewEntry(
        kind="event",
        target_id=row.id,
        text=event_text(content=row.content, actor=row.actor),
        occurred_at=row.occurred_at,
        session_ref=row.session_ref,
        cleared=is_cleared(role=row.role, trust_tier=row.trust_tier, is_flagged=is_flagged),
    )


def _queue(owner: Owner, stored: list[Event]) -> list[UUID]:
    """One job per hundred events, taken in order; each works the owner's backlog off up to its own events."""
    return [
        enqueue(
            kind="process_events",
            workspace_id=owner.workspace_id,
            owner_id=owner.id,
            payload={"event_ids": [str(event.id) for event in stored[start : start + EVENTS_PER_JOB]]},
        )
        for start in range(0, len(stored), EVENTS_PER_JOB)
    ]
