"""From what the legs loaded to candidates of one shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from memoryhub.recall import wording
from memoryhub.recall.asking import Question
from memoryhub.recall.documents import MOST_AUTHORITY, DocumentRow, is_stale
from memoryhub.recall.events import EventRow, heat_of
from memoryhub.recall.forms import FormRow
from memoryhub.recall.fusing import confidence_of
from memoryhub.recall.items import ItemRow
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Moment
from memoryhub.recall.meaning import Hit, Near
from memoryhub.recall.ranking import Candidate

EVENT_IMPORTANCE = 0.5
KEY_EVENT_IMPORTANCE = 0.8


def _legs(first: Iterable[str], hit: Hit | None) -> tuple[str, ...]:
    legs = list(first)
    if hit and hit.cosine is not None:
        legs.append("meaning")
    if hit and hit.by_words:
        legs.append("words")
    if hit and hit.by_name:
        legs.append("entities")
    return tuple(legs)


def form_candidates(
    rows: Sequence[FormRow], *, question: Question, near: Near, known: Known, wanted: bool
) -> list[Candidate]:
    """Values that hold: rules and safety attributes always, and, when forms are `wanted`, named ones and near ones.

    A named field is an exact answer only when the form has no subject or the question mentions it: 'budget of Atlas' is
    not answered exactly by the budget of another project.
    """
    found = []
    for row in rows:
        is_pointed = row.id in question.pointed
        is_named = row.field_id in question.fields or is_pointed
        is_always = row.safety or row.is_rule
        if not row.holds or not (is_always or (wanted and (is_named or row.id in near.hits))):
            continue
        hit = near.of(row.id)
        first = [
            *(["rules"] if is_always else []),
            *(["forms"] if is_named else []),
            *(["pointers"] if is_pointed else []),
        ]
        is_exact = is_pointed or (is_named and (not row.subject or question.mentions(row.subject)))
        found.append(_form(row, hit, _legs(first, hit), is_exact, known))
    return found


def _form(row: FormRow, hit: Hit | None, legs: tuple[str, ...], is_exact: bool, known: Known) -> Candidate:
    return Candidate(
        kind="rule" if row.is_rule else "form",
        target_id=row.id,
        owner_id=row.owner_id,
        text=wording.form_text(row, known.language, known.zone_info),
        occurred_at=row.valid_from,
        confirmed_at=max(row.valid_from, row.last_confirmed_at or row.valid_from),
        importance=row.importance,
        certainty=wording.certainty_of(basis=row.basis, is_rule=row.is_rule),
        source=row.role or row.basis,
        confidence=confidence_of(
            owner_id=row.owner_id,
            asked=known.owner_id,
            basis=row.basis,
            confidence=row.confidence,
            policy=known.policy,
        ),
        trust_tier=row.trust_tier,
        names=(row.subject,) if row.subject else (),
        event_ids=(row.event_id,) if row.event_id else (),
        legs=legs,
        hit=hit,
        key_attribute=row.key_attribute,
        is_exact=is_exact,
        being_confirmed=row.being_confirmed,
        form_type=row.form_type,
        form_subject=row.subject,
        field_name=row.field,
    )


def event_candidates(
    rows: Sequence[EventRow],
    *,
    near: Near,
    known: Known,
    moment: Moment,
    least_heat: float,
    pointed: frozenset[UUID] = frozenset(),
) -> list[Candidate]:
    """Events that their meaning or a named time brought, and recent ones that are not colder than `least_heat`.

    Key events that nothing else brought are left to the timeline.
    """
    found = (_event(row, near.of(row.id), known, moment, least_heat) for row in rows)
    return [
        _pointed(candidate) if row.id in pointed else candidate
        for row, candidate in zip(rows, found, strict=True)
        if "meaning" in row.whys or "events" in candidate.legs
    ]


def _pointed(candidate: Candidate) -> Candidate:
    return replace(candidate, legs=("pointers", *candidate.legs), is_exact=True)


def _event(row: EventRow, hit: Hit | None, known: Known, moment: Moment, least_heat: float) -> Candidate:
    heat = heat_of(row, moment=moment, policy=known.policy)
    is_open = "recent" in row.whys and heat >= least_heat
    first = ["events"] if "time" in row.whys or is_open else []
    return Candidate(
        kind="event",
        target_id=row.id,
        owner_id=known.owner_id,
        text=wording.decision_text(row, known.language)
        if row.is_key
        else wording.event_text(row, known.language),
        occurred_at=row.occurred_at,
        confirmed_at=row.occurred_at,
        importance=KEY_EVENT_IMPORTANCE if row.is_key else EVENT_IMPORTANCE,
        certainty="said_by_agent" if row.role == "assistant" else "fact",
        source=row.role,
        trust_tier=row.trust_tier,
        names=tuple(name for name in (row.actor, row.subject, row.form_subject, *row.entities) if name),
        event_ids=(row.id,),
        legs=_legs(first, hit),
        hit=hit,
        is_in_time="time" in row.whys,
        being_confirmed=row.is_open,
        partly_superseded=row.standing in {"partly_superseded", "superseded"},
        heat=heat,
    )


def item_candidates(rows: Sequence[ItemRow], *, near: Near, known: Known) -> list[Candidate]:
    return [_item(row, near.of(row.id), known) for row in rows]


def _item(row: ItemRow, hit: Hit | None, known: Known) -> Candidate:
    return Candidate(
        kind="item",
        target_id=row.id,
        owner_id=row.owner_id,
        text=row.content,
        occurred_at=row.valid_from,
        confirmed_at=max(row.valid_from, row.last_confirmed_at or row.valid_from),
        importance=row.importance,
        certainty=wording.certainty_of(basis=row.basis, is_rule=False),
        source=row.basis,
        trust_tier=row.trust_tier,
        item_kind=row.kind,
        confidence=confidence_of(
            owner_id=row.owner_id,
            asked=known.owner_id,
            basis=row.basis,
            confidence=row.confidence,
            policy=known.policy,
        ),
        names=tuple(name for name in (row.subject_entity, *row.entities) if name),
        event_ids=row.event_ids,
        legs=_legs([], hit),
        hit=hit,
        key_attribute=row.key_attribute,
        being_confirmed=row.being_confirmed,
    )


def document_candidates(rows: Sequence[DocumentRow], *, known: Known, moment: Moment) -> list[Candidate]:
    """Passages in force: of a policy's confidence, weighed by authority / 5, as fresh as their last verification."""
    return [_document(row, known, moment) for row in rows]


def _document(row: DocumentRow, known: Known, moment: Moment) -> Candidate:
    stale = is_stale(row, known=known, moment=moment)
    return Candidate(
        kind="document",
        target_id=row.id,
        owner_id=row.owner_id,
        text=wording.document_text(row, known.language, known.zone_info, is_stale=stale),
        occurred_at=row.valid_from,
        confirmed_at=row.last_verified_at,
        importance=row.authority / MOST_AUTHORITY,
        certainty="policy",
        source="document",
        trust_tier=row.trust_tier,
        item_kind="knowledge",
        legs=_legs(["documents"], row.hit),
        hit=row.hit,
        confidence=known.policy.confidence_policy,
        weight=row.authority / MOST_AUTHORITY,
    )
