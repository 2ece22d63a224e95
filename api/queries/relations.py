"""Entities and relations as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from api.pagination import Order
from memoryhub.models import Entity, Relation
from memoryhub.models.entity import SAME_AS, RelationQuerySet
from memoryhub.relating.things import Names, Thing, ids_of_name, names_at, told_of

NEWEST_FIRST = Order(fields=("seq", "id"), kinds=(int, UUID))
LAST_MADE_FIRST = Order(fields=("id",), kinds=(UUID,))
MOST_FOLLOWED = 20
"""Further relations told with one relation."""


@dataclass(frozen=True, slots=True)
class Told:
    """A relation with what follows from its target."""

    relation: Relation
    then: tuple[Relation, ...] = field(default=())


def moment_of(asked: dict[str, Any]) -> dict[str, Any]:
    return {"valid_at": asked.get("valid_at", Now()), "known_at": asked.get("known_at", Now())}


def names_of(owner_id: UUID, asked: dict[str, Any]) -> Names:
    return names_at(owner_id=owner_id, **moment_of(asked))


def entities_of(owner_id: UUID, asked: dict[str, Any], *, names: Names) -> QuerySet[Entity]:
    """The things that are told of at the asked times."""
    entities = told_of(owner_id=owner_id, names=names, **moment_of(asked))
    if "kind" in asked:
        entities = entities.filter(kind__name=asked["kind"])
    if "name" in asked:
        entities = entities.filter(
            id__in=ids_of_name(owner_id=owner_id, name=asked["name"], kind="", names=names)
        )
    return entities


def relations_of(owner_id: UUID, asked: dict[str, Any], *, names: Names) -> RelationQuerySet:
    """The owner's relations that hold at the asked times, or have the asked status."""
    relations: RelationQuerySet = Relation.objects.of(owner_id).whole()
    if "status" in asked:
        relations = relations.filter(status=asked["status"])
    else:
        relations = relations.holding(**moment_of(asked))
    if "kind" in asked:
        relations = relations.filter(kind__name=asked["kind"])
    else:
        relations = relations.exclude(slot=SAME_AS)
    if asked.get("from_owner"):
        relations = relations.filter(from_entity__is_owner=True)
    for end in ("from", "to"):
        if end in asked:
            named = ids_of_name(
                owner_id=owner_id, name=asked[end], kind=asked.get(f"{end}_kind", ""), names=names
            )
            relations = relations.filter(**{f"{end}_entity_id__in": named})
        elif f"{end}_kind" in asked:
            relations = relations.filter(**{f"{end}_entity__kind__name": asked[f"{end}_kind"]})
    if "resolution" in asked:
        relations = relations.filter(resolution=asked["resolution"])
    return relations


def relations_about(owner_id: UUID, thing: Thing, asked: dict[str, Any]) -> RelationQuerySet:
    """What holds about a thing under any of its names, in both directions."""
    held: RelationQuerySet = (
        Relation.objects.of(owner_id).whole().holding(**moment_of(asked)).exclude(slot=SAME_AS)
    )
    ends = Q(from_entity_id__in=thing.members) | Q(to_entity_id__in=thing.members)
    about: RelationQuerySet = held.filter(ends).order_by("-seq")
    return about


def followed(rows: Sequence[Relation], owner_id: UUID, asked: dict[str, Any], *, names: Names) -> list[Told]:
    """Each relation with those of the kinds in `follow` that start at its target: one statement for all."""
    kinds = asked.get("follow", [])
    if not kinds:
        return [Told(row) for row in rows]
    starts: set[UUID] = set().union(*(names.members(row.to_entity_id) for row in rows if row.to_entity_id))
    further = Relation.objects.of(owner_id).whole().holding(**moment_of(asked))
    by_start: dict[UUID, list[Relation]] = {}
    for relation in further.filter(from_entity_id__in=starts, kind__name__in=kinds).order_by("seq"):
        by_start.setdefault(names.root(relation.from_entity_id), []).append(relation)
    return [
        Told(
            row,
            tuple(by_start.get(names.root(row.to_entity_id), [])[:MOST_FOLLOWED]) if row.to_entity_id else (),
        )
        for row in rows
    ]
