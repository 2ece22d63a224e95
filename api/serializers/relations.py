"""Entities, relations and the vocabulary in and out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.queries.relations import Told
from api.serializers.events import EVENT_ID
from api.serializers.evidence import Claimed, as_claim
from api.serializers.fields import Flag, Instant, OwnerRef, Share, Strict, Text, Whole
from api.serializers.forms import ClockQuery
from api.serializers.verdicts import VERDICT_EXAMPLE, VerdictAnswer
from memoryhub.models import Basis, Entity, EntityKind, Relation, RelationKind
from memoryhub.relating.things import Thing
from memoryhub.writing.candidates import Importance, RelationCandidate
from memoryhub.writing.structured_relations import MOST_ALIASES
from memoryhub.writing.vocabulary import LONGEST_NAME, LONGEST_VALUE

MOST_FOLLOWED_KINDS = 10
OPERATIONS = [("set", "set"), ("remove", "remove")]


class EntityName(Strict):
    """A thing by its kind and one of its names."""

    kind = Text(max_length=60, help_text="A kind of the vocabulary.")
    name = Text(max_length=LONGEST_NAME)


class RelationWrite(Claimed):
    """`to` for another thing, `value` for a plain one (a status, a date), as the kind of the relation asks."""

    owner = OwnerRef()
    kind = Text(max_length=60, help_text="A relation kind of the vocabulary.")
    from_ = EntityName(
        required=False, allow_null=True, default=None, help_text="Left out: the owner himself."
    )
    to = EntityName(required=False, allow_null=True, default=None)
    value = Text(max_length=LONGEST_VALUE, allow_blank=True, default="")
    strength = Share(required=False, allow_null=True, default=None, help_text="Of a liking: 0 to 1.")
    impact = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=3)
    resolution = serializers.ChoiceField(choices=Relation.Resolution.choices, required=False, default="")
    operation = serializers.ChoiceField(
        choices=OPERATIONS, default="set", help_text="`remove`: it holds no longer."
    )
    world_change = Flag(default=True, help_text="False: what it takes the place of was never true.")
    session = Text(max_length=200, allow_blank=True, default="")

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's own."""
        fields = super().get_fields()
        return {name.rstrip("_"): given for name, given in fields.items()}


class EntityWrite(Claimed):
    """By which other names a thing is known."""

    owner = OwnerRef()
    kind = Text(max_length=60, help_text="A kind of the vocabulary.")
    name = Text(max_length=LONGEST_NAME, help_text="The name it is to be known by.")
    aliases = serializers.ListField(
        child=Text(max_length=LONGEST_NAME),
        min_length=1,
        max_length=MOST_ALIASES,
        help_text="Its other names.",
    )


class EntityQuery(ClockQuery):
    owner = OwnerRef()
    kind = Text(max_length=60, required=False)
    name = Text(max_length=LONGEST_NAME, required=False, help_text="Any of its names, in any spelling.")


class EntityDetailQuery(ClockQuery):
    owner = OwnerRef()


class RelationQuery(ClockQuery):
    owner = OwnerRef()
    kind = Text(
        max_length=60, required=False, help_text="`same_as` lists which names were said to be one thing."
    )
    from_owner = serializers.BooleanField(required=False, help_text="Only those of the owner himself.")
    to = Text(max_length=LONGEST_NAME, required=False, help_text="Any name of the thing it leads to.")
    to_kind = Text(max_length=60, required=False)
    from_kind = Text(max_length=60, required=False)
    resolution = serializers.ChoiceField(choices=Relation.Resolution.choices, required=False)
    status = serializers.ChoiceField(
        choices=Relation.Status.choices,
        required=False,
        help_text="Instead of the times: all with this status.",
    )
    follow = Text(
        max_length=400,
        required=False,
        help_text=(
            "Relation kinds, separated by commas: each relation comes with those of these kinds that start at its target."
        ),
    )

    def get_fields(self) -> dict[str, Any]:
        name = Text(max_length=LONGEST_NAME, required=False, help_text="Any name of the thing it starts at.")
        return {**super().get_fields(), "from": name}

    def validate_follow(self, value: str) -> list[str]:
        kinds = [kind.strip() for kind in value.split(",")]
        if len(kinds) > MOST_FOLLOWED_KINDS or not all(kinds):
            raise serializers.ValidationError(
                f"1 to {MOST_FOLLOWED_KINDS} names, separated by commas", "invalid"
            )
        return kinds


class EndAnswer(serializers.Serializer[Any]):
    """One end of a relation: `kind` and `name` are empty for the owner himself."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    name = serializers.CharField()
    is_owner = serializers.BooleanField()

    def to_representation(self, instance: Entity) -> dict[str, Any]:
        return {
            "id": str(instance.id),
            "kind": instance.kind.name,
            "name": instance.name,
            "is_owner": instance.is_owner,
        }


class PlainRelationAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    seq = serializers.IntegerField(help_text="Order of arrival within the owner.")
    kind = serializers.CharField()
    text = serializers.CharField(help_text="The relation in one sentence.")
    to = EndAnswer(allow_null=True)
    value = serializers.CharField()
    strength = serializers.FloatField(allow_null=True)
    impact = serializers.IntegerField(allow_null=True)
    resolution = serializers.CharField()
    status = serializers.ChoiceField(choices=Relation.Status.choices)
    superseded_by_seq = serializers.IntegerField(allow_null=True)
    basis = serializers.ChoiceField(choices=Basis.choices)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    trust_tier = serializers.IntegerField()
    confirmations = serializers.IntegerField()
    valid_from = Instant()
    valid_until = Instant(allow_null=True)
    known_from = Instant()
    known_until = Instant(allow_null=True)
    event = serializers.UUIDField(allow_null=True)
    quote = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "from": EndAnswer()}

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return relation_body(instance)


class RelationAnswer(PlainRelationAnswer):
    """`then`: with `follow`, the relations that start where this one leads to."""

    then = PlainRelationAnswer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        told: Told = instance
        return {**relation_body(told.relation), "then": [relation_body(each) for each in told.then]}


def relation_body(relation: Relation) -> dict[str, Any]:
    moment = Instant().to_representation
    end = relation.to_entity
    return {
        "id": str(relation.id),
        "seq": relation.seq,
        "kind": relation.kind.name,
        "text": relation.content,
        "from": EndAnswer().to_representation(relation.from_entity),
        "to": EndAnswer().to_representation(end) if end is not None else None,
        "value": relation.value,
        "strength": relation.strength,
        "impact": relation.impact,
        "resolution": relation.resolution,
        "status": relation.status,
        "superseded_by_seq": relation.superseded_by_seq,
        "basis": relation.basis,
        "confidence": relation.confidence,
        "importance": relation.importance,
        "trust_tier": relation.trust_tier,
        "confirmations": relation.confirmations,
        "valid_from": moment(relation.valid_from),
        "valid_until": moment(relation.valid_until) if relation.valid_until else None,
        "known_from": moment(relation.known_from),
        "known_until": moment(relation.known_until) if relation.known_until else None,
        "event": str(relation.event_id) if relation.event_id else None,
        "quote": relation.quote,
    }


class EntityAnswer(serializers.Serializer[Any]):
    """A thing under the name it is known by, with its other names."""

    id = serializers.UUIDField(
        help_text="Of the name it is known by; the ids of its other names lead here too."
    )
    kind = serializers.CharField()
    name = serializers.CharField(help_text="Empty for the owner himself.")
    is_owner = serializers.BooleanField()
    aliases = serializers.ListField(child=serializers.CharField())

    def to_representation(self, instance: Any) -> dict[str, Any]:
        thing: Thing = instance
        aliases = [alias.name for alias in thing.aliases]
        return {**EndAnswer().to_representation(thing.entity), "aliases": aliases}


class EntityDetailAnswer(EntityAnswer):
    """With everything that holds about it, in both directions, the newest first; at most 200."""

    relations = PlainRelationAnswer(many=True)
    more = serializers.BooleanField(help_text="Whether there are more; list them with `from` and `to`.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        thing, relations, more = instance
        return {
            **super().to_representation(thing),
            "relations": [relation_body(each) for each in relations],
            "more": more,
        }


class EntityKindAnswer(serializers.Serializer[EntityKind]):
    name = serializers.CharField()
    label_en = serializers.CharField()
    label_zh = serializers.CharField()
    separates = serializers.BooleanField(
        help_text="A question about one of this kind is not answered with what is only about another."
    )


class RelationKindAnswer(serializers.Serializer[RelationKind]):
    name = serializers.CharField()
    label_en = serializers.CharField()
    label_zh = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())
    target = serializers.ChoiceField(choices=RelationKind.Target.choices)
    family = serializers.CharField(help_text="Relations of one family to one target replace each other.")
    single = serializers.BooleanField(
        help_text="Only one target at a time: a new one takes the old one's place."
    )
    from_kinds = serializers.ListField(child=serializers.CharField(), help_text="Empty: any.")
    to_kinds = serializers.ListField(child=serializers.CharField(), help_text="Empty: any.")
    attributes = serializers.ListField(child=serializers.CharField())
    warns = serializers.BooleanField()


class VocabularyAnswer(serializers.Serializer[Any]):
    entity_kinds = EntityKindAnswer(many=True)
    relation_kinds = RelationKindAnswer(many=True)


class NamedAnswer(serializers.Serializer[Any]):
    """A verdict per alias, in the order sent."""

    aliases = VerdictAnswer(many=True)


def as_candidate(sent: dict[str, Any]) -> tuple[RelationCandidate, dict[str, Any]]:
    """The relation that was sent, and the other keyword arguments of the write service."""
    claim = as_claim(sent)
    evidence: UUID | None = claim.pop("evidence_event_id")
    importance = claim.pop("importance")
    start, end = sent["from"] or {}, sent["to"] or {}
    candidate = RelationCandidate(
        relation=sent["kind"],
        from_kind=start.get("kind", ""),
        from_name=start.get("name", ""),
        to_kind=end.get("kind", ""),
        to_name=end.get("name", ""),
        value=sent["value"],
        strength=sent["strength"],
        impact=sent["impact"],
        resolution=sent["resolution"],
        operation=sent["operation"],
        world_change=sent["world_change"],
        importance=None
        if importance is None
        else Importance(value=importance, parts=(("given", importance),)),
        **claim,
    )
    return candidate, {"evidence_event_id": evidence, "session_ref": sent["session"]}


_END = {"id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e31", "kind": "product", "name": "kettle", "is_owner": False}
_OWNER = {"id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e32", "kind": "person", "name": "", "is_owner": True}
_PLAIN: dict[str, Any] = {
    "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e33",
    "seq": 12,
    "kind": "experienced",
    "text": "the owner had a problem with kettle",
    "from": _OWNER,
    "to": _END,
    "value": "",
    "strength": None,
    "impact": None,
    "resolution": "open",
    "status": "active",
    "superseded_by_seq": None,
    "basis": "stated",
    "confidence": 0.9,
    "importance": 0.75,
    "trust_tier": 3,
    "confirmations": 0,
    "valid_from": "2026-03-01T08:00:00.000000Z",
    "valid_until": None,
    "known_from": "2026-03-01T08:00:00.530000Z",
    "known_until": None,
    "event": EVENT_ID,
    "quote": "my kettle leaks",
}
RELATION_EXAMPLE: dict[str, Any] = {
    **_PLAIN,
    "then": [
        {
            **_PLAIN,
            "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e34",
            "seq": 13,
            "kind": "belongs_to",
            "text": "kettle belongs to kitchen",
            "from": _END,
            "to": {
                **_END,
                "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e35",
                "kind": "category",
                "name": "kitchen",
            },
            "resolution": "",
        }
    ],
}
RELATION_VERDICT: dict[str, Any] = {
    **VERDICT_EXAMPLE,
    "kind": "relation",
    "field": "experienced",
    "details": {"seq": 12},
}
ENTITY_EXAMPLE: dict[str, Any] = {**_END, "aliases": ["tea kettle", "水壶"]}
ENTITY_DETAIL_EXAMPLE: dict[str, Any] = {**ENTITY_EXAMPLE, "relations": [_PLAIN], "more": False}
VOCABULARY_EXAMPLE: dict[str, Any] = {
    "entity_kinds": [{"name": "product", "label_en": "Product", "label_zh": "产品", "separates": True}],
    "relation_kinds": [
        {
            "name": "dislikes",
            "label_en": "dislikes",
            "label_zh": "不喜欢",
            "aliases": ["不喜欢", "dislike"],
            "target": "entity",
            "family": "attitude",
            "single": False,
            "from_kinds": [],
            "to_kinds": [],
            "attributes": ["strength"],
            "warns": True,
        }
    ],
}
