"""All legs in two statements, and a report of what each did. Legs that are read together report the same time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.backends.utils import CursorWrapper

from memoryhub.language.embedders import Vectors
from memoryhub.recall import documents as document_leg
from memoryhub.recall import gate, meaning, procedures, shared
from memoryhub.recall import relations as relation_leg
from memoryhub.recall.answers import Excluded, Leg
from memoryhub.recall.documents import DocumentRow, document_rows, documents_read
from memoryhub.recall.events import EventRow, event_rows, events_read, kept_out_by
from memoryhub.recall.forms import FormRow, form_rows, forms_read
from memoryhub.recall.fusing import fuse
from memoryhub.recall.items import ItemRow, item_rows, items_read
from memoryhub.recall.looking import Asked
from memoryhub.recall.meaning import Near
from memoryhub.recall.relations import Path, path_rows, relations_read
from memoryhub.recall.things import Things, things_of, things_read
from memoryhub.recall.together import Read, read_together

LEAST_POOL = 60
AS_OF_POOL = 1_000
NO_VECTORS = "no vectors now: answered by words, forms and events"


@dataclass(frozen=True, slots=True)
class Query:
    """The question as a vector of one model; None when there is none, and why (`embedding`)."""

    vector: Vectors | None
    model: str
    embedding: Leg


@dataclass(frozen=True, slots=True)
class Found:
    """What the legs loaded. `kept_out` are events that a rule keeps out, with the rule; `gated` what is about something else,
    says nothing or is beaten by the owner's own value."""

    near: Near
    forms: list[FormRow]
    events: list[EventRow]
    items: list[ItemRow]
    documents: list[DocumentRow]
    relations: list[Path]
    kept_out: dict[UUID, str]
    legs: dict[str, Leg]
    gated: tuple[Excluded, ...] = ()
    called: tuple[procedures.Called, ...] = ()
    things: Things = field(default_factory=Things)

    def loaded(self) -> set[UUID]:
        return (
            {row.id for row in self.forms}
            | {row.id for row in self.events}
            | {row.id for row in self.items}
            | {entry.target_id for entry in self.gated}
        )


def look(cursor: CursorWrapper, asked: Asked, query: Query) -> Found:
    """Two statements: what is near the question, of the owner and of documents; then the rows themselves, some of which
    are only known by then."""
    watch = _Stopwatch()
    known, question = asked.known, asked.question
    nearby = read_together(cursor, _nearby(asked, query))
    alongside = shared.shared_hits(nearby.get("shared", ()))
    nearest = meaning.nearest(nearby["near"], limit=_pool(asked))
    near = shared.with_shared(nearest, alongside)
    documents = document_rows(nearby.get("documents", ()))
    watch.lap("nearby")
    ids = list({**near.hits, **dict.fromkeys(question.pointed)})
    rows = read_together(cursor, _rows(asked, ids))
    fused = fuse(
        form_rows(rows["forms"], known=known), owner_id=known.owner_id, layers=shared.layers_in(known)
    )
    forms, events = fused.forms, event_rows(rows["events"])
    watch.lap("rows")
    legs = _report(nearest, forms, events, asked, query, watch.laps)
    legs[shared.LEG] = shared.report(asked, len(alongside), watch.laps["nearby"])
    legs["documents"] = document_leg.report(documents, asked, watch.laps["nearby"])
    paths = path_rows(rows["relations"], question=question)
    legs[relation_leg.LEG] = relation_leg.report(paths, watch.laps["rows"])
    called = procedures.called(rows[procedures.LEG], asked)
    legs[procedures.LEG] = procedures.report(called, asked, watch.laps["rows"])
    return Found(
        near,
        forms,
        events,
        item_rows(rows["items"], known=known),
        documents,
        paths,
        _kept_out(events, asked),
        legs,
        fused.excluded,
        things=things_of(rows["things"]),
        called=tuple(called),
    )


def _rows(asked: Asked, ids: Sequence[UUID]) -> dict[str, Read]:
    """The reads of the second statement; `ids` are of what was near."""
    known, question, moment = asked.known, asked.question, asked.moment
    return {
        "forms": forms_read(known=known, moment=moment, fields=list(question.fields), ids=ids),
        "events": events_read(
            owner_id=known.owner_id,
            moment=moment,
            ids=ids,
            times=question.times,
            recent=asked.asks_for_recent,
        ),
        "items": items_read(
            owner_ids=shared.readers(known, asked.item_kinds),
            moment=moment,
            ids=ids,
            kinds=asked.item_kinds,
        ),
        "relations": relations_read(asked),
        procedures.LEG: procedures.procedures_read(known=known, moment=moment),
        "things": things_read(asked),
    }


def held_to_what_is_named(found: Found, asked: Asked, contexts: Iterable[str]) -> Found:
    """Without what is only about another order, ticket, project, product or person than the one named (recall.gate).

    `contexts` are those of the session that matter for the question.
    """
    known = {**found.things.kinds, **gate.subjects_of(found.forms)}
    names = gate.asked_names(
        "\n".join((asked.question.text, *asked.request.entities)),
        contexts=contexts,
        subjects=[(kind, name) for name, kind in known.items()],
        pointed=[name for each in asked.resolved for name in each.names],
        loose=found.things.loose,
        same=found.things.same,
    )
    passed = gate.let_pass(names, forms=found.forms, events=found.events, items=found.items, known=known)
    return replace(
        found,
        forms=passed.forms,
        events=passed.events,
        items=passed.items,
        kept_out={key: rule for key, rule in found.kept_out.items() if key in {e.id for e in passed.events}},
        gated=(*found.gated, *passed.excluded),
        legs={**found.legs, gate.LEG: passed.leg},
    )


def _pool(asked: Asked) -> int:
    return max(LEAST_POOL if asked.moment.is_now else AS_OF_POOL, 4 * asked.top_k)


def _nearby(asked: Asked, query: Query) -> dict[str, Read]:
    wanted = {
        "event": asked.wants("event"),
        "field_version": asked.wants("form"),
        "item": bool(asked.item_kinds),
    }
    reads = {
        "near": meaning.near_read(
            owner_id=asked.known.owner_id,
            search_no=asked.known.search_no,
            tokens=asked.question.tokens,
            names=asked.question.names,
            kinds=[kind for kind, is_wanted in wanted.items() if is_wanted],
            vector=query.vector,
            model=query.model,
            live=asked.moment.is_now,
        )
    }
    passages = documents_read(asked, vector=query.vector, model=query.model)
    along = shared.shared_read(asked, vector=query.vector, model=query.model)
    return reads | ({"documents": passages} if passages else {}) | ({"shared": along} if along else {})


def _kept_out(events: Sequence[EventRow], asked: Asked) -> dict[UUID, str]:
    rules = {
        event.id: kept_out_by(
            event, asks_for_history=asked.asks_for_history, asks_for_events=asked.asks_for_events
        )
        for event in events
        if set(event.whys) != {"key"}  # what only the timeline looks at is told there or nowhere
    }
    return {event_id: rule for event_id, rule in rules.items() if rule}


def _report(
    nearest: Near,
    forms: Sequence[FormRow],
    events: Sequence[EventRow],
    asked: Asked,
    query: Query,
    spent: dict[str, float],
) -> dict[str, Leg]:
    named = asked.question.fields
    holding = [row for row in forms if row.holds]
    is_blind = query.vector is not None and not nearest.compared
    return {
        "rules": Leg(state="ok", found=sum(row.safety or row.is_rule for row in holding)),
        "forms": Leg(
            state="ok" if named else "skipped",
            found=sum(row.field_id in named for row in holding),
            milliseconds=spent["rows"],
            note="" if named else "no field named",
        ),
        "events": Leg(
            state="ok",
            found=sum(bool({"time", "key", "recent"} & set(row.whys)) for row in events),
            milliseconds=spent["rows"],
        ),
        "meaning": Leg(
            state=query.embedding.state,
            found=len(nearest.hits),
            milliseconds=spent["nearby"] + query.embedding.milliseconds,
            note=query.embedding.note or (NO_VECTORS if is_blind else ""),
        ),
        "words": Leg(state="ok", found=nearest.word_hits),
        "entities": Leg(state="ok" if asked.question.names else "skipped", found=nearest.named),
    }


class _Stopwatch:
    """Milliseconds by lap."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = (now - self._last) * 1000
        self._last = now
