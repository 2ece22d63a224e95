"""The read path, end to end. Two short transactions with the embedding of the question between them.

Four statements whatever the owner has stored: one about the owner and the session that is named, what is near the question
(documents too), the rows of forms, events and items, and the trace.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.language.embedders import Embedder, EmbeddingUnavailable, current_embedder
from memoryhub.language.embedders.metering import charged_to
from memoryhub.language.text import find_text_fault
from memoryhub.recall import gathering
from memoryhub.recall.answers import KINDS, Caller, Excluded, Layer, Leg, Ranked, RecallAnswer, RecallRequest
from memoryhub.recall.asking import Question, ask
from memoryhub.recall.assembling import Block, assemble, with_excluded
from memoryhub.recall.block import new_nonce
from memoryhub.recall.empty_times import empty_times
from memoryhub.recall.fusing import layers_of
from memoryhub.recall.knowing import Known, look_up
from memoryhub.recall.legs import NO_VECTORS, Found, Query, held_to_what_is_named, look
from memoryhub.recall.looking import Asked, moment_of
from memoryhub.recall.pointers import LEG as POINTERS
from memoryhub.recall.pointers import Pointer, pointed_question, pointers_in, pointing, report, resolve
from memoryhub.recall.procedures import over_budget, procedure_candidates
from memoryhub.recall.ranking import rank
from memoryhub.recall.relation_paths import relation_candidates
from memoryhub.recall.replaying import as_it_was
from memoryhub.recall.session import LEG, SessionLook, look_into_session, session_candidates
from memoryhub.recall.shared import labelled
from memoryhub.recall.timeline import timeline
from memoryhub.recall.tracing import make_durable, trace

LONGEST_QUERY = 4_000
MOST_ENTITIES = 50
MOST_TOP_K = 200


def recall(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    request: RecallRequest,
    caller: Caller,
    embedder: Embedder | None = None,
) -> RecallAnswer:
    """What is known about the owner that matters for the question, ranked, under a budget, with its trace.

    Raises UnknownOwner, OwnerErasing, and InvalidInput for a budget below 0, an unknown kind or an unusable text. A budget
    too small for the frame gives an empty block; a frozen owner an empty answer that says so; an embedder that is down
    leaves the other legs to answer (`legs['meaning'].state == 'degraded'`).
    """
    started = time.perf_counter()
    _check(request)
    asked = _read(workspace_id, owner_id, request)
    known = asked.known
    if known.is_frozen:
        return RecallAnswer(recall_id=None, owner_id=owner_id, state="owner_frozen")
    with charged_to(workspace_id):
        query = _embed(embedder or current_embedder(), asked.question)
    with (
        scope(workspace_id=workspace_id, owners=known.owner_ids, purpose="recall"),
        prepared_cursor() as cursor,
    ):
        make_durable(cursor, durability=known.policy.recall_durability)
        session = _session_of(asked)
        found = look(cursor, asked, query)
        notes = _notes(found, asked)
        found = held_to_what_is_named(found, asked, (row.context for row in session.rows))
        legs = {LEG: session.leg, POINTERS: report(asked.resolved), **found.legs}
        ranked = _rank(found, asked, session)
        block = _assemble(found, ranked, asked, session, notes)
        if untold := over_budget(found.called, block.excluded, language=known.language, budget=asked.budget):
            notes = (*untold, *notes)
            block = _assemble(found, ranked, asked, session, notes)
        recall_id = None
        if not request.evaluation and request.replayed_at is None:
            recall_id = trace(
                cursor,
                known=known,
                request=request,
                caller=caller,
                block=block,
                legs=legs,
                milliseconds=(time.perf_counter() - started) * 1000,
                session_hit=session.hit,
            )
    answer = RecallAnswer(
        recall_id=recall_id, owner_id=owner_id, legs=legs, notes=notes, session_hit=session.hit
    )
    return replace(
        _filled(answer, asked, block, ranked),
        milliseconds=(time.perf_counter() - started) * 1000,
    )


def _filled(answer: RecallAnswer, asked: Asked, block: Block, ranked: Sequence[Ranked]) -> RecallAnswer:
    return replace(
        answer,
        text=block.text,
        tokens=block.tokens,
        budget_tokens=asked.budget,
        served=block.served,
        ranked=tuple(ranked),
        excluded=block.excluded,
        excluded_counts=block.excluded_counts,
        pointers=tuple(each.answer for each in asked.resolved),
        layers=_layers(answer, asked, block, ranked),
        policy_version_id=asked.known.policy_version_id,
        valid_at=asked.moment.valid_at,
        known_at=asked.moment.known_at,
    )


def _layers(answer: RecallAnswer, asked: Asked, block: Block, ranked: Sequence[Ranked]) -> tuple[Layer, ...]:
    known, wanted = asked.known, asked.question.asked_fields
    fields = {(field.form_type, field.name) for field in known.fields if field.id in wanted}
    values = frozenset(entry.target_id for entry in ranked if (entry.form_type, entry.field_name) in fields)
    return layers_of(
        block.served,
        owner_id=known.owner_id,
        answering=values if fields else None,
        session_hit=answer.session_hit,
        has_domain=bool(known.links),
        policy=known.policy,
    )


def _check(request: RecallRequest) -> None:
    for name, text, longest in (
        ("query", request.query, LONGEST_QUERY),
        ("session", request.session_ref, 200),
        *(("entities", entity, 200) for entity in request.entities),
    ):
        if fault := find_text_fault(text, field=name, max_length=longest):
            raise InvalidInput(fault.code.replace("_", " "), field=fault.field or name, code=fault.code)
    if len(request.entities) > MOST_ENTITIES:
        raise InvalidInput(f"at most {MOST_ENTITIES} entities", field="entities", code="too_many")
    unknown = [kind for kind in request.kinds if kind not in KINDS]
    if unknown:
        raise InvalidInput(f"unknown kind; one of {', '.join(KINDS)}", field="kinds", code="unknown_kind")
    if request.budget_tokens is not None and request.budget_tokens < 0:
        raise InvalidInput("a budget is 0 or more tokens", field="budget_tokens", code="out_of_range")
    if request.top_k is not None and not 0 <= request.top_k <= MOST_TOP_K:
        raise InvalidInput(f"top_k lies between 0 and {MOST_TOP_K}", field="top_k", code="out_of_range")
    if request.min_authority is not None and not 1 <= request.min_authority <= 5:
        raise InvalidInput("authority is 1 to 5", field="min_authority", code="out_of_range")


def _read(workspace_id: UUID, owner_id: UUID, request: RecallRequest) -> Asked:
    """The question against what is known about the owner, with its pointers resolved."""
    pointers = pointers_in(request.query)
    known = _known(workspace_id, owner_id, request, pointers)
    moment = moment_of(
        known,
        valid_at=request.valid_at,
        known_at=request.known_at,
        clock=request.clock,
        is_replay=request.replayed_at is not None,
    )
    question = ask(
        text=request.query,
        entities=request.entities,
        fields=known.fields,
        now=moment.clock,
        zone=known.zone,
    )
    resolved = resolve(pointers, question=question, pointed=known.pointed, slots=known.slots)
    return Asked(
        known=known,
        request=request,
        question=pointed_question(question, resolved),
        moment=moment,
        resolved=resolved,
    )


def _known(workspace_id: UUID, owner_id: UUID, request: RecallRequest, pointers: Sequence[Pointer]) -> Known:
    known_at = request.known_at or request.replayed_at
    known = look_up(
        workspace_id=workspace_id,
        owner_id=owner_id,
        session_ref=request.session_ref,
        pointing=pointing(pointers, valid_at=request.valid_at, known_at=known_at),
    )
    return known if request.replayed_at is None or known.is_frozen else as_it_was(known, request)


def _notes(found: Found, asked: Asked) -> tuple[str, ...]:
    if not asked.wants("event"):
        return ()
    return empty_times(
        asked.question,
        found.events,
        moment=asked.moment,
        language=asked.known.language,
        zone=asked.known.zone_info,
    )


def _session_of(asked: Asked) -> SessionLook:
    return look_into_session(
        asked.known,
        question=asked.question,
        moment=asked.moment,
        session_ref=asked.request.session_ref,
        wanted=asked.wants("slot"),
    )


def _embed(embedder: Embedder, question: Question) -> Query:
    if not question.text.strip():
        return Query(None, embedder.name, Leg(state="skipped", note="empty query"))
    started = time.perf_counter()
    try:
        vector = embedder.embed_query("\n".join(filter(None, (question.text, question.searched))))
    except EmbeddingUnavailable:
        return Query(None, embedder.name, Leg(state="degraded", note=NO_VECTORS))
    spent = (time.perf_counter() - started) * 1000
    return Query(vector, embedder.name, Leg(state="ok", milliseconds=spent))


def _rank(found: Found, asked: Asked, session: SessionLook) -> list[Ranked]:
    known, moment = asked.known, asked.moment
    candidates = gathering.form_candidates(
        session.over(found.forms),
        question=asked.question,
        near=found.near,
        known=known,
        wanted=asked.wants("form"),
    )
    if asked.wants("event"):
        candidates += gathering.event_candidates(
            [event for event in found.events if event.id not in found.kept_out],
            near=found.near,
            known=known,
            moment=moment,
            least_heat=0.0 if asked.asks_for_events else known.policy.least_recalled_heat,
            pointed=asked.question.pointed,
        )
    candidates += gathering.item_candidates(found.items, near=found.near, known=known)
    candidates += gathering.document_candidates(found.documents, known=known, moment=moment)
    candidates += session_candidates(session, known=known)
    candidates += procedure_candidates(found.called, known=known)
    candidates += relation_candidates(
        found.relations,
        forms=found.forms,
        question=asked.question,
        known=known,
        wanted=asked.wants("relation"),
        told_events={row.event_id for row in found.forms if row.holds and row.event_id},
    )
    ranked = rank(
        candidates, question=asked.question, asked=asked.request.entities, moment=moment, policy=known.policy
    )
    return labelled(ranked, known=known)


def _assemble(
    found: Found, ranked: Sequence[Ranked], asked: Asked, session: SessionLook, notes: Sequence[str]
) -> Block:
    known = asked.known
    steps = timeline(
        found.forms,
        found.events,
        owner_id=known.owner_id,
        question=asked.question,
        moment=asked.moment,
        policy=known.policy,
        language=known.language,
    )
    block = assemble(
        ranked,
        steps,
        moment=asked.moment,
        policy=known.policy,
        language=known.language,
        zone=known.zone,
        budget=asked.budget,
        top_k=asked.top_k,
        nonce=new_nonce(),
        notes=notes,
    )
    return with_excluded(block, [*_hidden(found), *session.excluded(found.forms)])


def _hidden(found: Found) -> list[Excluded]:
    """What the legs came upon and the hard filters kept out: events by their rule, others that do not hold."""
    loaded = found.loaded()
    return [
        *found.gated,
        *(Excluded(kind="event", target_id=event_id, rule=rule) for event_id, rule in found.kept_out.items()),
        *(
            Excluded(kind="item", target_id=target_id, rule="does_not_hold")
            for target_id in found.near.hits
            if target_id not in loaded
        ),
    ]
