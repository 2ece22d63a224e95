"""The read path, end to end. Two short transactions with the embedding of the question between them.

Six statements whatever the owner has stored: one about the owner, then meaning, forms, events, items and the trace.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.backends.utils import CursorWrapper

from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.language.embedders import Embedder, EmbeddingUnavailable, Vectors, current_embedder
from memoryhub.language.text import find_text_fault
from memoryhub.models import MemoryItem
from memoryhub.recall import gathering
from memoryhub.recall.answers import KINDS, Caller, Excluded, Leg, Ranked, RecallAnswer, RecallRequest
from memoryhub.recall.asking import Question, ask
from memoryhub.recall.assembling import MOST_EXCLUDED, Block, assemble
from memoryhub.recall.block import new_nonce
from memoryhub.recall.events import EventRow, kept_out_by, load_events
from memoryhub.recall.forms import FormRow, load_forms
from memoryhub.recall.items import ItemRow, load_items
from memoryhub.recall.knowing import Known, look_up
from memoryhub.recall.looking import Moment
from memoryhub.recall.meaning import Near, near
from memoryhub.recall.ranking import rank
from memoryhub.recall.timeline import timeline
from memoryhub.recall.tracing import make_durable, trace

LONGEST_QUERY = 4_000
MOST_ENTITIES = 50
MOST_TOP_K = 200
LEAST_POOL = 60
AS_OF_POOL = 500
NO_VECTORS = "no vectors now: answered by words, forms and events"
ITEM_KINDS = tuple(MemoryItem.Kind.values)


@dataclass(slots=True)
class _Found:
    near: Near
    forms: list[FormRow]
    events: list[EventRow]
    items: list[ItemRow]
    legs: dict[str, Leg]
    kept_out: dict[UUID, str]
    """Events that a rule keeps out, and the rule."""

    def loaded(self) -> set[UUID]:
        return (
            {row.id for row in self.forms} | {row.id for row in self.events} | {row.id for row in self.items}
        )


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
    known = look_up(workspace_id=workspace_id, owner_id=owner_id)
    if known.is_frozen:
        return RecallAnswer(recall_id=None, owner_id=owner_id, state="owner_frozen")
    moment = _moment(request, known)
    question = ask(
        text=request.query, entities=request.entities, fields=known.fields, now=moment.clock, zone=known.zone
    )
    chosen = embedder or current_embedder()
    vector, embedding = _embed(chosen, question)
    with (
        scope(workspace_id=workspace_id, owners=known.owner_ids, purpose="recall"),
        prepared_cursor() as cursor,
    ):
        make_durable(cursor, durability=known.policy.recall_durability)
        found = _look(cursor, known, request, question, moment, vector, chosen.name)
        found.legs["meaning"] = _with_embedding(found.legs["meaning"], embedding)
        ranked = _rank(found, known, request, question, moment)
        block = _assemble(found, ranked, known, request, question, moment)
        spent = (time.perf_counter() - started) * 1000
        recall_id = None
        if not request.evaluation:
            recall_id = trace(
                cursor,
                known=known,
                request=request,
                caller=caller,
                block=block,
                legs=found.legs,
                milliseconds=spent,
            )
    return RecallAnswer(
        recall_id=recall_id,
        owner_id=owner_id,
        text=block.text,
        tokens=block.tokens,
        budget_tokens=_budget(request, known),
        served=block.served,
        ranked=tuple(ranked),
        excluded=block.excluded,
        excluded_counts=block.excluded_counts,
        legs=found.legs,
        policy_version_id=known.policy_version_id,
        valid_at=moment.valid_at,
        known_at=moment.known_at,
        milliseconds=(time.perf_counter() - started) * 1000,
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


def _budget(request: RecallRequest, known: Known) -> int:
    asked = known.policy.budget_tokens if request.budget_tokens is None else request.budget_tokens
    return min(asked, known.policy.most_budget_tokens)


def _top_k(request: RecallRequest, known: Known) -> int:
    return known.policy.top_k if request.top_k is None else request.top_k


def _moment(request: RecallRequest, known: Known) -> Moment:
    return Moment(
        valid_at=request.valid_at or known.now,
        known_at=request.known_at or known.now,
        clock=request.clock or request.valid_at or known.now,
        is_now=request.valid_at is None and request.known_at is None,
    )


def _embed(embedder: Embedder, question: Question) -> tuple[Vectors | None, Leg]:
    if not question.text.strip():
        return None, Leg(state="skipped", note="empty query")
    started = time.perf_counter()
    try:
        vector = embedder.embed_query(question.text)
    except EmbeddingUnavailable:
        return None, Leg(state="degraded", note=NO_VECTORS)
    return vector, Leg(state="ok", milliseconds=(time.perf_counter() - started) * 1000)


def _with_embedding(leg: Leg, embedding: Leg) -> Leg:
    return Leg(
        state=embedding.state,
        found=leg.found,
        milliseconds=leg.milliseconds + embedding.milliseconds,
        note=embedding.note or leg.note,
    )


def _item_kinds(request: RecallRequest) -> Sequence[str]:
    return [kind for kind in ITEM_KINDS if not request.kinds or kind in request.kinds]


def _wants(request: RecallRequest, kind: str) -> bool:
    return not request.kinds or kind in request.kinds


def _look(
    cursor: CursorWrapper,
    known: Known,
    request: RecallRequest,
    question: Question,
    moment: Moment,
    vector: Vectors | None,
    model: str,
) -> _Found:
    """All legs, one statement each."""
    clock = _Stopwatch()
    item_kinds = _item_kinds(request)
    wanted = {
        "event": _wants(request, "event"),
        "field_version": _wants(request, "form"),
        "item": bool(item_kinds),
    }
    limit = max(LEAST_POOL if moment.is_now else AS_OF_POOL, 4 * _top_k(request, known))
    nearest = near(
        cursor,
        owner_id=known.owner_id,
        search_no=known.search_no,
        tokens=question.tokens,
        names=question.names,
        kinds=[kind for kind, is_wanted in wanted.items() if is_wanted],
        vector=vector,
        model=model,
        live=moment.is_now,
        limit=limit,
    )
    spent_near = clock.lap()
    ids = list(nearest.hits)
    forms = load_forms(cursor, known=known, moment=moment, fields=list(question.fields), ids=ids)
    spent_forms = clock.lap()
    events = load_events(
        cursor,
        owner_id=known.owner_id,
        moment=moment,
        ids=ids,
        times=question.times,
        recent="recent" in question.intents or request.kinds == ("event",) or not question.tokens,
    )
    spent_events = clock.lap()
    items = load_items(cursor, owner_id=known.owner_id, moment=moment, ids=ids, kinds=item_kinds)
    holding = [row for row in forms if row.holds]
    legs = {
        "rules": Leg(state="ok", found=sum(row.safety or row.is_rule for row in holding)),
        "forms": Leg(
            state="ok" if question.fields else "skipped",
            found=sum(row.field_id in question.fields for row in holding),
            milliseconds=spent_forms,
            note="" if question.fields else "no field named",
        ),
        "events": Leg(
            state="ok",
            found=sum(bool({"time", "key", "recent"} & set(row.whys)) for row in events),
            milliseconds=spent_events,
        ),
        "meaning": Leg(
            state="ok",
            found=len(nearest.hits),
            milliseconds=spent_near + clock.lap(),
            note="" if nearest.compared or vector is None else NO_VECTORS,
        ),
        "words": Leg(state="ok", found=nearest.word_hits),
        "entities": Leg(
            state="ok" if question.names else "skipped",
            found=nearest.named,
        ),
    }
    return _Found(nearest, forms, events, items, legs, _kept_out(events, request, question, moment))


def _kept_out(
    events: Sequence[EventRow], request: RecallRequest, question: Question, moment: Moment
) -> dict[UUID, str]:
    history = "history" in question.intents or not moment.is_now
    rules = {
        event.id: kept_out_by(event, asks_for_history=history, asks_for_events="event" in request.kinds)
        for event in events
        if set(event.whys) != {"key"}  # what only the timeline looks at is told there or nowhere
    }
    return {event_id: rule for event_id, rule in rules.items() if rule}


def _rank(
    found: _Found, known: Known, request: RecallRequest, question: Question, moment: Moment
) -> list[Ranked]:
    candidates = gathering.form_candidates(
        found.forms, question=question, near=found.near, known=known, wanted=_wants(request, "form")
    )
    if _wants(request, "event"):
        candidates += gathering.event_candidates(
            [event for event in found.events if event.id not in found.kept_out],
            near=found.near,
            known=known,
            moment=moment,
            policy=known.policy,
            least_heat=0.0 if "event" in request.kinds else known.policy.least_recalled_heat,
        )
    candidates += gathering.item_candidates(found.items, near=found.near, known=known)
    return rank(candidates, question=question, asked=request.entities, moment=moment, policy=known.policy)


def _assemble(
    found: _Found,
    ranked: Sequence[Ranked],
    known: Known,
    request: RecallRequest,
    question: Question,
    moment: Moment,
) -> Block:
    steps = timeline(
        found.forms,
        found.events,
        owner_id=known.owner_id,
        question=question,
        moment=moment,
        policy=known.policy,
        language=known.language,
    )
    block = assemble(
        ranked,
        steps,
        moment=moment,
        policy=known.policy,
        language=known.language,
        zone=known.zone,
        budget=_budget(request, known),
        top_k=_top_k(request, known),
        nonce=new_nonce(),
    )
    return _with_hidden(block, found)


def _with_hidden(block: Block, found: _Found) -> Block:
    """Adds what the legs came upon and the hard filters kept out: events by their rule, others that do not hold."""
    loaded = found.loaded()
    hidden = [
        *(Excluded(kind="event", target_id=event_id, rule=rule) for event_id, rule in found.kept_out.items()),
        *(
            Excluded(kind="item", target_id=target_id, rule="does_not_hold")
            for target_id in found.near.hits
            if target_id not in loaded
        ),
    ]
    counts = Counter(block.excluded_counts) + Counter(entry.rule for entry in hidden)
    return replace(block, excluded=(*block.excluded, *hidden)[:MOST_EXCLUDED], excluded_counts=dict(counts))


class _Stopwatch:
    """Milliseconds since the last lap."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def lap(self) -> float:
        now = time.perf_counter()
        spent, self._last = (now - self._last) * 1000, now
        return spent
