"""The workspace's vocabulary as the write path reads it, and whether a relation may be said in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from memoryhub.language.names import name_key
from memoryhub.language.values import normalise_value
from memoryhub.models import EntityKind, Relation, RelationKind
from memoryhub.writing.candidates import RelationCandidate

LONGEST_NAME = 200
LONGEST_VALUE = 500
OWN_KIND = {"user": "person", "team": "team", "project": "project", "domain": "team"}
"""What an owner himself is in the vocabulary."""

LOOSE_KINDS = frozenset({"product", "category", "service", "preference"})
"""Kinds that words alone do not tell apart."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The kinds in use, by name."""

    entities: dict[str, EntityKind]
    relations: dict[str, RelationKind]


def load_vocabulary(*, workspace_id: UUID) -> Vocabulary:
    """Two statements."""
    entities = EntityKind.objects.filter(workspace_id=workspace_id, active=True)
    relations = RelationKind.objects.filter(workspace_id=workspace_id, active=True)
    return Vocabulary({kind.name: kind for kind in entities}, {kind.name: kind for kind in relations})


def named_in_full(candidate: RelationCandidate, *, owner_kind: str) -> RelationCandidate:
    """The candidate with the owner's own kind where an end is the owner himself."""
    if candidate.from_name or candidate.from_kind:
        return candidate
    return replace(candidate, from_kind=OWN_KIND[owner_kind])


def check_relation(candidate: RelationCandidate, *, vocabulary: Vocabulary) -> str:
    """Why the vocabulary has no such relation, as a code; '' when it has. Pure."""
    kind = vocabulary.relations.get(candidate.relation)
    if kind is None:
        return "relation_not_allowed"
    if candidate.from_kind not in vocabulary.entities:
        return "entity_kind_not_allowed"
    if kind.from_kinds and candidate.from_kind not in kind.from_kinds:
        return "end_not_allowed"
    if kind.target != RelationKind.Target.ENTITY:
        return _check_value(candidate, kind) or _check_attributes(candidate, kind)
    return _check_target(candidate, kind, vocabulary) or _check_attributes(candidate, kind)


def _check_value(candidate: RelationCandidate, kind: RelationKind) -> str:
    if candidate.to_name or candidate.to_kind:
        return "takes_a_value"
    if candidate.operation == "remove" and not candidate.value:
        return ""
    if not candidate.value.strip():
        return "value_missing"
    if len(candidate.value) > LONGEST_VALUE:
        return "value_too_long"
    if kind.target == RelationKind.Target.DATE:
        try:
            date.fromisoformat(normalise_value(candidate.value, "date"))
        except ValueError:
            return "not_a_date"
    return ""


def _check_target(candidate: RelationCandidate, kind: RelationKind, vocabulary: Vocabulary) -> str:
    if candidate.value:
        return "takes_an_entity"
    if candidate.operation == "remove" and kind.single and not candidate.to_name:
        return ""
    if candidate.to_kind not in vocabulary.entities:
        return "entity_kind_not_allowed"
    if kind.to_kinds and candidate.to_kind not in kind.to_kinds:
        return "end_not_allowed"
    if not name_key(candidate.to_name):
        return "name_missing"
    if max(len(candidate.to_name), len(candidate.from_name)) > LONGEST_NAME:
        return "name_too_long"
    ends = [
        (k, name_key(n))
        for k, n in ((candidate.from_kind, candidate.from_name), (candidate.to_kind, candidate.to_name))
    ]
    return "same_ends" if ends[0] == ends[1] else ""


def _check_attributes(candidate: RelationCandidate, kind: RelationKind) -> str:
    given = {
        "strength": candidate.strength,
        "impact": candidate.impact,
        "resolution": candidate.resolution or None,
    }
    if any(value is not None and name not in kind.attributes for name, value in given.items()):
        return "attribute_not_allowed"
    if candidate.strength is not None and not 0 <= candidate.strength <= 1:
        return "strength_out_of_range"
    if candidate.impact is not None and not 1 <= candidate.impact <= 3:
        return "impact_out_of_range"
    if candidate.resolution and candidate.resolution not in Relation.Resolution.values:
        return "unknown_resolution"
    return ""


def value_of(candidate: RelationCandidate, kind: RelationKind) -> str:
    """The plain value as it is stored: a date as ISO, words as they were said."""
    if kind.target == RelationKind.Target.DATE and candidate.value:
        return normalise_value(candidate.value, "date")
    return candidate.value.strip()


def norm_of(*, relation: str, value: str, strength: float | None, impact: int | None, resolution: str) -> str:
    """Equal for relations of one place that say the same."""
    return f"{relation}|{normalise_value(value, 'text') if value else ''}|{strength}|{impact}|{resolution}"
