"""Who else says so. The same value said again is worth something only from somebody else, about something else, another day.

A witness is an agent (all its keys are one), the source document it read (an event's `metadata.document`) and a day. Two
witnesses are independent when all three differ; a missing document differs from every other. One source therefore stays one
witness however often it repeats itself. What an agent was served before is an echo when it comes back from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from django.db.models import Q

from memoryhub.models import Change, Event, FieldVersion, MemoryItem, RecallServed, Relation
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Circumstances

MOST_WITNESSES = 1_000

type Weight = Literal["counted", "same_day", "same_source", "lower_trust", "echo"]
"""What saying it again is worth, or why it is worth nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Witness:
    """One telling of a value. `document` is '' when none was named."""

    agent_id: UUID | None
    document: str
    day: date

    def is_independent_of(self, others: Iterable[Witness]) -> bool:
        return all(
            self.agent_id != other.agent_id
            and self.day != other.day
            and (not self.document or self.document != other.document)
            for other in others
        )


def independent(witnesses: Iterable[Witness]) -> list[Witness]:
    """The witnesses, in the order given, that are independent of each one kept before. Pure."""
    kept: list[Witness] = []
    for witness in witnesses:
        if witness.is_independent_of(kept):
            kept.append(witness)
    return kept


def corroboration(*, owner_id: UUID, target_id: UUID) -> int:
    """How many independent witnesses a value or sentence has: 1 for one source, whatever it repeats. In the caller's scope."""
    return len(independent(_witnesses(owner_id, target_id)))


def weight_of_repeat(
    *,
    standing: FieldVersion | MemoryItem | Relation,
    happened_at: datetime,
    circumstances: Circumstances,
    act: Act,
) -> Weight:
    """Whether saying the standing value again confirms it.

    It does at most once a day, and only from the owner himself (his own turn), an independent witness or a person at the desk;
    never from a source of lower trust than the value has, or of one that is not trusted; never as an echo of our own recall.
    """
    since = standing.last_confirmed_at or standing.valid_from
    is_same_event = act.event_id is not None and act.event_id == standing.event_id
    if is_same_event or happened_at.date() <= since.date():
        return "same_day"
    if circumstances.by_staff:
        return "counted"
    is_untrusted = circumstances.trust_tier <= act.policy.untrusted_up_to_tier
    if is_untrusted or circumstances.trust_tier < standing.trust_tier:
        return "lower_trust"
    if _is_echo(standing, circumstances, act):
        return "echo"
    if circumstances.owner_speaks:
        return "counted"
    witness = Witness(agent_id=act.source.agent_id, document=document_of(act.event), day=happened_at.date())
    is_new = witness.is_independent_of(_witnesses(standing.owner_id, standing.id))
    return "counted" if is_new else "same_source"


def document_of(event: Event | None) -> str:
    """The source document an event names, '' for none. A claim of its sender: it can only cost him weight, never add any."""
    named = event.metadata.get("document") if event is not None else None
    return named.strip()[:500] if isinstance(named, str) else ""


def _is_echo(standing: FieldVersion | MemoryItem | Relation, circumstances: Circumstances, act: Act) -> bool:
    """Whether this agent, or this session, was served the value before. What the owner says himself is an echo only in the
    session in which he may have been read to."""
    in_session = Q(recall__session_ref=act.session_ref, recall__agent_id=act.source.agent_id)
    by_agent = Q(recall__agent_id=act.source.agent_id)
    if act.session_ref:
        by_agent |= Q(recall__session_ref=act.session_ref)
    ids = [standing.id, *([standing.event_id] if standing.event_id else [])]
    served = RecallServed.objects.of(standing.owner_id).filter(
        workspace_id=standing.workspace_id, target_id__in=ids
    )
    return served.filter(in_session if circumstances.owner_speaks else by_agent).exists()


def _witnesses(owner_id: UUID, target_id: UUID) -> list[Witness]:
    """Who made the value and who confirmed it since, first told first; what counted for nothing or was undone is left out."""
    told = Change.objects.of(owner_id).filter(
        target_id=target_id, state=Change.State.APPLIED, after__isnull=False
    )
    rows = told.exclude(action="edit").select_related("event").order_by("created_at", "id")[:MOST_WITNESSES]
    return [
        Witness(
            agent_id=change.agent_id,
            document=document_of(change.event if change.event_id else None),
            day=min(change.event.occurred_at, change.created_at).date()
            if change.event_id
            else change.created_at.date(),
        )
        for change in rows
    ]
