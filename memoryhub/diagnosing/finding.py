"""What of one owner says what was expected: events, values, sentences and changes that never came to be, cleared or not.

Found by the same words, by most of the words and by meaning; every statement names the owner, and nobody else's rows are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q

from memoryhub.database.prepared import HalfVec, prepared_cursor
from memoryhub.diagnosing.answers import Expected, How
from memoryhub.diagnosing.likeness import is_related, likeness
from memoryhub.language.embedders import Vectors
from memoryhub.language.tokens import owner_prefix, query_tokens
from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Review, SearchEntry, SessionSlot
from memoryhub.recall.wording import value_text

MOST_BY_WORDS = 60
MOST_NEAR = 20
MOST_SAME = 20
MOST_HIDDEN = 200
MOST_CHANGES = 300
MOST_OF_FIELD = 50
MOST_SLOTS = 200
UNMADE = ("proposed", "rejected", "expired", "withdrawn", "reverted")
"""Changes that made nothing that stands: what they propose is found in them alone."""

_NEAR = f"""
UNION ALL
(SELECT v.entry_id, -(v.v <#> %(vector)s::halfvec)::real FROM memoryhub_searchvector v
 WHERE v.owner_id = %(owner)s AND v.kind = ANY(%(kinds)s)
   AND v.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.name = %(model)s)
 ORDER BY v.v <#> %(vector)s::halfvec, v.entry_id LIMIT {MOST_NEAR})"""
_FIND = f"""
WITH found (id, cosine) AS (
  SELECT w.entry_id, NULL::real FROM mh_lexical(%(owner)s, %(tokens)s, %(kinds)s, false, {MOST_BY_WORDS}) w
  UNION ALL
  (SELECT s.id, NULL FROM memoryhub_searchentry s WHERE s.owner_id = %(owner)s AND s.kind = ANY(%(kinds)s)
     AND strpos(lower(s.text), %(same)s) > 0 ORDER BY s.occurred_at DESC, s.id LIMIT {MOST_SAME})
  UNION ALL
  (SELECT s.id, NULL FROM memoryhub_searchentry s WHERE s.owner_id = %(owner)s AND NOT s.cleared AND s.kind = ANY(%(kinds)s)
   ORDER BY s.occurred_at DESC, s.id LIMIT {MOST_HIDDEN}){{near}}
)
SELECT s.kind, s.target_id, s.text, max(f.cosine)
FROM found f JOIN memoryhub_searchentry s ON s.owner_id = %(owner)s AND s.id = f.id
GROUP BY s.kind, s.target_id, s.text
"""
_KINDS = ["event", "field_version", "item"]


@dataclass(slots=True)
class Bearers:
    """What says it, by id, with how. `hidden` are events that recall may not see."""

    events: dict[UUID, Event] = field(default_factory=dict)
    versions: dict[UUID, FieldVersion] = field(default_factory=dict)
    items: dict[UUID, MemoryItem] = field(default_factory=dict)
    changes: dict[UUID, Change] = field(default_factory=dict)
    slots: dict[UUID, SessionSlot] = field(default_factory=dict)
    how: dict[UUID, How] = field(default_factory=dict)
    hidden: frozenset[UUID] = frozenset()
    reviews: dict[UUID, UUID] = field(default_factory=dict)
    """The newest review of a change, by the change."""
    outlived: set[UUID] = field(default_factory=set)
    """Events that something came of that is judged in their place."""


def find_bearers(
    *, owner_id: UUID, search_no: int, expected: Expected, vector: Vectors | None, model: str
) -> Bearers:
    """Call inside a scope of the owner. A fixed number of statements, whatever the owner has."""
    bearers = Bearers()
    if expected.text:
        _by_text(bearers, owner_id, search_no, expected.text, vector, model)
    elif expected.target_id is not None:
        _by_id(bearers, owner_id, expected.target_id)
    else:
        _by_field(bearers, owner_id, expected)
    _add_what_came_of_events(bearers, owner_id, expected.text)
    _add_sources(bearers, owner_id)
    return bearers


def _by_text(
    bearers: Bearers, owner_id: UUID, search_no: int, text: str, vector: Vectors | None, model: str
) -> None:
    prefix = owner_prefix(search_no)
    given: dict[str, Any] = {
        "owner": owner_id,
        "tokens": [prefix + token for token in query_tokens(text)],
        "kinds": _KINDS,
        "same": text.strip().lower(),
    }
    if vector is not None:
        given |= {"vector": HalfVec(vector), "model": model}
    with prepared_cursor() as cursor:
        cursor.execute(_FIND.format(near=_NEAR if vector is not None else ""), given)
        rows: list[tuple[str, UUID, str, float | None]] = cursor.fetchall()
    told = {
        (kind, target): how
        for kind, target, said, cosine in rows
        if (how := likeness(text, said, cosine=cosine))
    }
    bearers.how |= {target: how for (_kind, target), how in told.items()}
    by_kind = {kind: [target for one, target in told if one == kind] for kind in _KINDS}
    bearers.events |= _rows(Event, owner_id, by_kind["event"])
    bearers.versions |= _rows(FieldVersion, owner_id, by_kind["field_version"])
    bearers.items |= _rows(MemoryItem, owner_id, by_kind["item"])
    _add_changes(
        bearers,
        Change.objects.of(owner_id).filter(Q(state__in=UNMADE)),
        lambda change: likeness(text, text_of_change(change)) or likeness(text, change.quote),
    )
    _add_slots(bearers, owner_id, text)


def _add_slots(bearers: Bearers, owner_id: UUID, text: str) -> None:
    """Values of conversations that are not cleared yet, whether or not they still stand."""
    rows = SessionSlot.objects.of(owner_id).filter(cleared_at=None).select_related("session")
    for slot in rows.order_by("-set_at", "-id")[:MOST_SLOTS]:
        if how := likeness(text, value_text(slot.value, "en")) or likeness(text, slot.quote):
            bearers.slots[slot.id] = slot
            bearers.how[slot.id] = how


def _by_id(bearers: Bearers, owner_id: UUID, target_id: UUID) -> None:
    items = MemoryItem.objects.of(owner_id).filter(Q(id=target_id) | Q(first_id=target_id))
    bearers.items |= {row.id: row for row in items}
    bearers.events |= _rows(Event, owner_id, [target_id])
    bearers.versions |= _rows(FieldVersion, owner_id, [target_id])
    for change in Change.objects.of(owner_id).filter(id=target_id):
        if change.state in UNMADE:
            bearers.changes[change.id] = change
        elif change.target_id:
            bearers.versions |= _rows(FieldVersion, owner_id, [change.target_id])
            bearers.items |= _rows(MemoryItem, owner_id, [change.target_id])
    known = [*bearers.items, *bearers.events, *bearers.versions, *bearers.changes]
    bearers.how |= dict.fromkeys(known, "id")


def _by_field(bearers: Bearers, owner_id: UUID, expected: Expected) -> None:
    """Every value of the field, newest first; the newest that holds counts, not an earlier one."""
    place = Q(field__name=expected.field, field__form_type__name=expected.form_type)
    versions = FieldVersion.objects.of(owner_id).filter(place)
    changes = Change.objects.of(owner_id).filter(
        state__in=UNMADE, form_type=expected.form_type, field_name=expected.field
    )
    if expected.subject:
        versions = versions.filter(form__subject=expected.subject)
        changes = changes.filter(form_subject=expected.subject)
    rows = versions.select_related("field__form_type", "form").order_by("-known_from", "-id")[:MOST_OF_FIELD]
    bearers.versions |= {row.id: row for row in rows}
    _add_changes(bearers, changes, lambda _change: "field")
    if not bearers.versions and not bearers.changes:
        what = f"{expected.form_type}.{expected.field}"
        refused = Event.objects.of(owner_id).filter(outcome__contains=[{"field": what}])
        bearers.events |= {row.id: row for row in refused.order_by("-occurred_at", "-id")[:MOST_OF_FIELD]}
    bearers.how |= dict.fromkeys([*bearers.versions, *bearers.events], "field")


def _add_changes(bearers: Bearers, rows: Any, how_of: Callable[[Change], How | None]) -> None:
    for change in rows.order_by("-created_at", "-id")[:MOST_CHANGES]:
        if how := how_of(change):
            bearers.changes[change.id] = change
            bearers.how[change.id] = how


def _rows(model: Any, owner_id: UUID, ids: Iterable[UUID]) -> dict[UUID, Any]:
    rows = model.objects.of(owner_id).filter(id__in=list(ids))
    if model is FieldVersion:
        rows = rows.select_related("field__form_type", "form")
    return {row.id: row for row in rows}


def _add_what_came_of_events(bearers: Bearers, owner_id: UUID, text: str) -> None:
    """Values, sentences and open or fallen changes that the found events gave or confirmed, as far as they are about it."""
    if not bearers.events:
        return
    named = {
        UUID(verdict[key]): event
        for event in bearers.events.values()
        for verdict in event.outcome
        for key in ("target_id", "change_id")
        if verdict.get(key)
    }
    came_of = Q(event_id__in=list(bearers.events)) | Q(id__in=list(named))

    def take(row: Any, into: dict[UUID, Any], *texts: str) -> None:
        turn = bearers.events.get(row.event_id) or named[row.id]
        if row.id not in into and text and not is_related(text, turn.content, *texts):
            return
        into[row.id] = row
        bearers.how.setdefault(row.id, bearers.how[turn.id])
        bearers.outlived.add(turn.id)

    versions = FieldVersion.objects.of(owner_id).filter(came_of)
    for version in versions.select_related("field__form_type", "form"):
        take(version, bearers.versions, value_text(version.value, "en"), version.form.subject, version.quote)
    for item in MemoryItem.objects.of(owner_id).filter(came_of):
        take(item, bearers.items, item.content, item.quote)
    for change in Change.objects.of(owner_id).filter(came_of, state__in=UNMADE):
        take(change, bearers.changes, text_of_change(change), change.form_subject, change.quote)


def _add_sources(bearers: Bearers, owner_id: UUID) -> None:
    """The reviews of the changes, and which of the events are hidden."""
    reviews = Review.objects.of(owner_id).filter(change_id__in=list(bearers.changes))
    bearers.reviews = dict(reviews.order_by("created_at", "id").values_list("change_id", "id"))
    entries = SearchEntry.objects.of(owner_id).filter(
        kind="event", target_id__in=list(bearers.events), cleared=False
    )
    bearers.hidden = frozenset(entries.values_list("target_id", flat=True))


def text_of_change(change: Change) -> str:
    """What a change would have written, as one text."""
    after = change.after or {}
    said = after.get("content") or after.get("value")
    return value_text(said, "en") if said is not None else ""
