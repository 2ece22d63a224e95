"""Entities by name: which row a name means, made when it is new. Read and written in the owner's turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import connection
from django.db.models import Q

from memoryhub.language.names import name_key, skeleton
from memoryhub.models import Entity, Relation, new_id
from memoryhub.models.entity import SAME_AS
from memoryhub.writing.acts import Act
from memoryhub.writing.aligning import LOOKALIKE
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.vocabulary import LOOSE_KINDS, Vocabulary


@dataclass(frozen=True, slots=True)
class Ends:
    """The rows of both ends, as far as they are there."""

    start: Entity | None
    end: Entity | None


def look_for_ends(candidate: RelationCandidate, *, act: Act) -> Ends:
    """The entities that the candidate names and that are known already: one statement."""
    keys = [name_key(name) for name in (candidate.from_name, candidate.to_name) if name]
    found = list(
        Entity.objects.of(act.owner.id).filter(Q(key__in=keys) | Q(is_owner=True)).select_related("kind")
    )
    start = _named(found, candidate.from_kind, candidate.from_name, loose=candidate.loose)
    end = (
        _named(found, candidate.to_kind, candidate.to_name, loose=candidate.loose)
        if candidate.to_name
        else None
    )
    return Ends(start, end)


def _named(found: list[Entity], kind: str, name: str, *, loose: bool) -> Entity | None:
    if not name:
        return next((entity for entity in found if entity.is_owner), None)
    key = name_key(name)
    same = [entity for entity in found if entity.key == key]
    exact = next((entity for entity in same if entity.kind.name == kind), None)
    if exact is not None or not (loose and kind in LOOSE_KINDS):
        return exact
    return next((entity for entity in same if entity.kind.name in LOOSE_KINDS), None)


def with_ends(ends: Ends, candidate: RelationCandidate, *, vocabulary: Vocabulary, act: Act) -> Ends:
    """Both ends, each made when it is new."""
    start = ends.start or _make(candidate.from_kind, candidate.from_name, vocabulary, act)
    end = ends.end or (
        _make(candidate.to_kind, candidate.to_name, vocabulary, act) if candidate.to_name else None
    )
    return Ends(start, end)


def _make(kind: str, name: str, vocabulary: Vocabulary, act: Act) -> Entity:
    row = vocabulary.entities[kind]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_entity (owner_id, id, workspace_id, kind_id, name, key, skeleton, is_owner)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [
                act.owner.id,
                new_id(),
                act.owner.workspace_id,
                row.id,
                name.strip(),
                name_key(name),
                skeleton(name),
                not name,
            ],
        )
    entities = Entity.objects.of(act.owner.id).select_related("kind")
    return entities.get(is_owner=True) if not name else entities.get(kind=row, key=name_key(name))


def aligned_relation(candidate: RelationCandidate, *, act: Act) -> RelationCandidate:
    """The candidate; flagged when one of its names looks like a known one and is another, and when it merges what is known."""
    flags = list(candidate.flags)
    names = [name for name in (candidate.from_name, candidate.to_name) if name]
    alike = Entity.objects.of(act.owner.id).filter(skeleton__in=[skeleton(name) for name in names])
    if names and alike.exclude(key__in=[name_key(name) for name in names]).exists():
        flags.append(LOOKALIKE)
    if candidate.relation == SAME_AS and candidate.operation == "set" and _merges(candidate, act):
        flags.append(MERGES)
    return replace(candidate, flags=tuple(dict.fromkeys(flags)))


MERGES = "merges_entities"
"""Two things that are both known become one, or two people: a person looks first."""


def _merges(candidate: RelationCandidate, act: Act) -> bool:
    """Whether both names are names of people, or something else is known of both."""
    if candidate.from_kind == "person":
        return True
    ends = look_for_ends(candidate, act=act)
    if ends.start is None or ends.end is None:
        return False
    known = Relation.objects.of(act.owner.id).filter(status=Relation.Status.ACTIVE).exclude(slot=SAME_AS)
    return all(
        known.filter(Q(from_entity_id=e.id) | Q(to_entity_id=e.id)).exists() for e in (ends.start, ends.end)
    )


def would_go_round(start: Entity, end: Entity) -> bool:
    """Whether `end` is already known by the name of `start`: then they are one, and the other way round would be a circle."""
    seen, at = {end.id}, end.id
    names = dict(
        Relation.objects.of(start.owner_id)
        .filter(slot=SAME_AS, status=Relation.Status.ACTIVE)
        .values_list("from_entity_id", "to_entity_id")
    )
    while (after := names.get(at)) is not None and after not in seen:
        seen.add(after)
        at = after
    return start.id in seen
