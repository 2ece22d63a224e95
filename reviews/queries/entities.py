"""The people and things of an owner as the desk shows them: the list, the picture, and one of them with everything about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from memoryhub.language.names import name_key
from memoryhub.models import Change, Entity, MemoryItem, Owner, Relation
from memoryhub.models.entity import SAME_AS
from memoryhub.relating.things import Names, Thing, find_thing, names_at, told_of, with_aliases
from reviews.queries.scopes import of

MOST_THINGS = 200
MOST_RELATIONS = 300
MOST_DRAWN = 40
MOST_MEMORIES = 20
MOST_PAST = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class ThingRow:
    thing: Thing
    n_relations: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Graph:
    """What holds now: things with how many relations each has, most first, and the relations, the newest first."""

    things: Sequence[ThingRow]
    relations: Sequence[Relation]
    names: Names
    more: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class AliasRow:
    """Another name of a thing, and the change set that said so."""

    entity: Entity
    change_set_id: UUID | None
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ThingDetail:
    thing: Thing
    is_told: bool
    aliases: Sequence[AliasRow]
    relations: Sequence[Relation]
    past: Sequence[Relation]
    memories: Sequence[MemoryItem]
    others: Sequence[Thing]


def graph_of(*, owner: Owner) -> Graph:
    """Five statements, whatever there is."""
    with of(owner):
        names = names_at(owner_id=owner.id, valid_at=Now(), known_at=Now())
        held = Relation.objects.of(owner.id).whole().holding(valid_at=Now(), known_at=Now())
        relations = list(held.exclude(slot=SAME_AS).order_by("-seq")[: MOST_RELATIONS + 1])
        told = told_of(owner_id=owner.id, names=names, valid_at=Now(), known_at=Now())
        things = with_aliases(told.order_by("-id")[:MOST_THINGS], owner_id=owner.id, names=names)
    counts = Counter(names.root(end) for row in relations for end in _ends(row))
    rows = [ThingRow(thing=thing, n_relations=counts[thing.id]) for thing in things]
    rows.sort(key=lambda row: (-row.n_relations, row.thing.entity.key))
    return Graph(
        things=rows,
        relations=relations[:MOST_RELATIONS],
        names=names,
        more=len(relations) > MOST_RELATIONS,
    )


def _ends(relation: Relation) -> list[UUID]:
    return [relation.from_entity_id, *([relation.to_entity_id] if relation.to_entity_id else [])]


def thing_detail(*, owner: Owner, entity_id: UUID) -> ThingDetail | None:
    """One thing under all its names; None when the owner has no such entity."""
    with of(owner):
        names = names_at(owner_id=owner.id, valid_at=Now(), known_at=Now())
        thing = find_thing(owner_id=owner.id, entity_id=entity_id, names=names)
        if thing is None:
            return None
        told = told_of(owner_id=owner.id, names=names, valid_at=Now(), known_at=Now())
        about = Q(from_entity_id__in=thing.members) | Q(to_entity_id__in=thing.members)
        rows = Relation.objects.of(owner.id).whole().filter(about).exclude(slot=SAME_AS).order_by("-seq")
        held = rows.holding(valid_at=Now(), known_at=Now())
        relations = list(held[:MOST_RELATIONS])
        others = with_aliases(
            told.exclude(id__in=thing.members).order_by("kind__name", "key")[:MOST_THINGS],
            owner_id=owner.id,
            names=names,
        )
        return ThingDetail(
            thing=thing,
            is_told=told.filter(id=thing.id).exists(),
            aliases=_aliases(owner, thing),
            relations=relations,
            past=list(rows.exclude(id__in=[row.id for row in relations])[:MOST_PAST]),
            memories=_memories(owner, thing),
            others=[other for other in others if not other.entity.is_owner],
        )


def _aliases(owner: Owner, thing: Thing) -> list[AliasRow]:
    rows = Relation.objects.of(owner.id).filter(
        slot=SAME_AS, status=Relation.Status.ACTIVE, from_entity_id__in=[alias.id for alias in thing.aliases]
    )
    said = {row.from_entity_id: row for row in rows}
    changes = Change.objects.of(owner.id).filter(
        target_id__in=[row.id for row in said.values()], state=Change.State.APPLIED
    )
    sets = dict(changes.order_by("created_at", "id").values_list("target_id", "change_set_id"))
    return [
        AliasRow(entity=alias, change_set_id=sets.get(said[alias.id].id), since=said[alias.id].valid_from)
        for alias in thing.aliases
        if alias.id in said
    ]


def _memories(owner: Owner, thing: Thing) -> list[MemoryItem]:
    bearing = [entity.name for entity in (thing.entity, *thing.aliases) if entity.name]
    named = Q(entities__overlap=bearing) | Q(subject_entity__in=[name_key(name) for name in bearing])
    items = MemoryItem.objects.of(owner.id).filter(named, status=MemoryItem.Status.ACTIVE)
    return list(items.order_by("-seq")[:MOST_MEMORIES]) if bearing else []
