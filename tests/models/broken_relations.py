"""What the constraints of entities, relations and the vocabulary refuse."""

from __future__ import annotations

from typing import Any

from memoryhub.models import Entity, Relation, RelationKind, VocabularyEdit
from tests.models.breaks import CHECK, UNIQUE, Break, shares
from tests.models.sound_rows import NOON

ENTITY: dict[str, Any] = {"key": "coffee"}
RELATION: dict[str, Any] = {"seq": 2, "slot": "other"}

BROKEN_RELATIONS: list[Break] = [
    Break(Entity, "one_entity_per_name", UNIQUE),
    Break(Entity, "an_entity_has_a_name", CHECK, {"key": ""}),
    Break(Entity, "an_entity_has_a_name", CHECK, ENTITY | {"is_owner": True}, "-owner"),
    Break(Relation, "one_relation_per_seq", UNIQUE, {"slot": "other"}),
    Break(Relation, "one_active_relation_per_slot", UNIQUE, {"seq": 2}),
    Break(Relation, "a_relation_has_one_target", CHECK, RELATION | {"value": ""}),
    Break(Relation, "superseded_relation_has_a_successor", CHECK, RELATION | {"status": "superseded"}),
    Break(
        Relation, "superseded_relation_has_a_successor", CHECK, RELATION | {"superseded_by_seq": 3}, "-other"
    ),
    Break(
        Relation,
        "relations_are_superseded_forward",
        CHECK,
        RELATION | {"status": "superseded", "superseded_by_seq": 2},
    ),
    Break(
        Relation, "a_relation_ends_after_it_began", CHECK, RELATION | {"valid_until": NOON.replace(hour=11)}
    ),
    Break(Relation, "relation_impact_is_1_to_3", CHECK, RELATION | {"impact": 4}),
    Break(Relation, "relation_impact_is_1_to_3", CHECK, RELATION | {"impact": 0}, "-0"),
    Break(Relation, "relation_resolution_is_known", CHECK, RELATION | {"resolution": "odd"}),
    Break(Relation, "relation_status_is_known", CHECK, RELATION | {"status": "odd"}),
    Break(Relation, "relation_basis_is_known", CHECK, RELATION | {"basis": "odd"}),
    Break(Relation, "relation_trust_is_1_to_4", CHECK, RELATION | {"trust_tier": 5}),
    *shares(Relation, "strength", "confidence", "importance", others=RELATION),
    Break(RelationKind, "relationkind_target_is_known", CHECK, {"target": "odd", "single": True}),
    Break(RelationKind, "a_relation_kind_has_a_family", CHECK, {"family": ""}),
    Break(RelationKind, "a_plain_value_has_one_place", CHECK, {"target": "text"}),
    Break(RelationKind, "relation_attributes_are_known", CHECK, {"attributes": ["colour"]}),
    *shares(RelationKind, "default_importance"),
    Break(VocabularyEdit, "vocabularyedit_action_is_known", CHECK, {"action": "odd", "before": "{}"}),
    Break(VocabularyEdit, "a_vocabulary_edit_is_of_one_kind", CHECK, {"entity_kind_id": None}),
    Break(VocabularyEdit, "a_vocabulary_edit_says_what_stood_before", CHECK, {"action": "edit"}),
    Break(VocabularyEdit, "a_restored_vocabulary_edit_names_its_version", CHECK, {"restored_version": 2}),
]
