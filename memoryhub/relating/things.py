"""Things under all their names: which entity rows mean one thing, and which things are told of. Read only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memoryhub.language.names import name_key
from memoryhub.models import Entity, Relation
from memoryhub.models.as_of import Moment
from memoryhub.models.entity import SAME_AS

MOST_STEPS = 8
"""How many names in a row are followed to the one a thing is known by; as the recall leg does."""


@dataclass(frozen=True, slots=True)
class Names:
    """Which entity rows are other names of which, at one moment. A row that is not here stands for itself."""

    above: dict[UUID, UUID] = field(default_factory=dict)

    def root(self, entity_id: UUID) -> UUID:
        """The row whose name the thing is known by."""
        for _ in range(MOST_STEPS):
            if entity_id not in self.above:
                return entity_id
            entity_id = self.above[entity_id]
        return entity_id

    def members(self, entity_id: UUID) -> set[UUID]:
        """Every row that means the same thing, the one given too."""
        root = self.root(entity_id)
        return {root, entity_id} | {each for each in self.above if self.root(each) == root}


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing under the name it is known by; `aliases` are its other names."""

    entity: Entity
    aliases: tuple[Entity, ...]

    @property
    def id(self) -> UUID:
        return self.entity.id

    @property
    def members(self) -> set[UUID]:
        return {self.entity.id, *(alias.id for alias in self.aliases)}


def names_at(*, owner_id: UUID, valid_at: Moment, known_at: Moment) -> Names:
    """One statement. Call inside a scope of the owner, as everything here."""
    same = Relation.objects.of(owner_id).holding(valid_at=valid_at, known_at=known_at).filter(slot=SAME_AS)
    pairs = same.order_by("seq").values_list("from_entity_id", "to_entity_id")
    return Names({start: end for start, end in pairs if end is not None})


def told_of(*, owner_id: UUID, names: Names, valid_at: Moment, known_at: Moment) -> QuerySet[Entity]:
    """The entities that are told of: each thing once, under the name it is known by, while something is believed about it."""
    holding = Relation.objects.of(owner_id).holding(valid_at=valid_at, known_at=known_at)
    about = holding.filter(Q(from_entity_id=OuterRef("id")) | Q(to_entity_id=OuterRef("id")))
    entities = Entity.objects.of(owner_id).exclude(id__in=list(names.above)).select_related("kind")
    return entities.filter(Exists(about) | Q(id__in={names.root(each) for each in names.above}))


def find_thing(*, owner_id: UUID, entity_id: UUID, names: Names) -> Thing | None:
    """The thing that an entity row means; None when the owner has no such row."""
    rows = {
        row.id: row
        for row in Entity.objects.of(owner_id).filter(id__in=names.members(entity_id)).select_related("kind")
    }
    if entity_id not in rows:
        return None
    root = rows.pop(names.root(entity_id))
    return Thing(root, tuple(sorted(rows.values(), key=lambda row: row.key)))


def with_aliases(entities: Iterable[Entity], *, owner_id: UUID, names: Names) -> list[Thing]:
    """The things of these rows with all their names: one statement."""
    entities = list(entities)
    wanted = {entity.id: names.members(entity.id) - {entity.id} for entity in entities}
    others = Entity.objects.of(owner_id).filter(id__in=set().union(*wanted.values()) if wanted else set())
    rows = {row.id: row for row in others.select_related("kind")}
    return [
        Thing(
            entity,
            tuple(sorted((rows[each] for each in wanted[entity.id] if each in rows), key=lambda r: r.key)),
        )
        for entity in entities
    ]


def ids_of_name(*, owner_id: UUID, name: str, kind: str, names: Names) -> set[UUID]:
    """Every row of the things that bear this name; of one kind when `kind` is given."""
    rows = Entity.objects.of(owner_id).filter(key=name_key(name))
    if kind:
        rows = rows.filter(kind__name=kind)
    return set().union(*(names.members(row_id) for row_id in rows.values_list("id", flat=True)))


def relations_by_end(
    relations: QuerySet[Relation], *, starts: Collection[UUID]
) -> dict[UUID, list[Relation]]:
    """Relations that start at these rows, by row."""
    found: dict[UUID, list[Relation]] = defaultdict(list)
    for relation in relations.filter(from_entity_id__in=starts).order_by("seq"):
        found[relation.from_entity_id].append(relation)
    return found
