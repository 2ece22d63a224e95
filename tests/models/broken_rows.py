"""The table of what each constraint refuses: a sound row with something broken, for every constraint there is."""

from __future__ import annotations

from typing import Any

from django.db import models

from memoryhub.models import (
    Agent,
    ApiKey,
    Change,
    ChangeTransition,
    Derivation,
    Document,
    DocumentChunk,
    DocumentVersion,
    EmbeddingModel,
    EntityKind,
    Event,
    FieldDefinition,
    FieldVersion,
    Form,
    FormType,
    IdempotencyKey,
    Incident,
    ItemSource,
    Job,
    MemoryItem,
    ModelUsage,
    OwnerLink,
    OwnerSequence,
    PolicyVersion,
    Promotion,
    Question,
    RecallFeedback,
    RecallServed,
    Relation,
    RelationKind,
    Review,
    SavedView,
    SearchEntry,
    SearchSource,
    SearchVector,
    Session,
    SessionSlot,
    Tombstone,
    Usage,
    VocabularyEdit,
    WhitelistEdit,
    Workspace,
    new_id,
)
from tests.models.breaks import CHECK, EXCLUSION, UNIQUE, Break, shares
from tests.models.broken_relations import BROKEN_RELATIONS
from tests.models.broken_trials import BROKEN_TRIALS, TRIALS_TWICE
from tests.models.sound_rows import (
    NOON,
    RESPONSIBLE,
    SOUND,
    SOUND_ELSEWHERE,
    Model,
)

# A second row beside the sound one that collides with it nowhere else.
VERSION: dict[str, Any] = {"version": 2, "status": "historical"}
ITEM: dict[str, Any] = {"seq": 2, "content_norm": "other", "attribute": "other"}
EVENT: dict[str, Any] = {"idempotency_key": None}
REVIEW: dict[str, Any] = {"kind": "recheck"}
DRAFT: dict[str, Any] = {"number": 2, "state": "draft", "published_at": None, "last_verified_at": None}
SESSION: dict[str, Any] = {"ref": "chat-2"}
SLOT: dict[str, Any] = {"name": "phone"}
GONE = SLOT | {"state": "deprecated", "reason": "ended", "deprecated_at": NOON, "cleared_at": NOON}
APPROVED = REVIEW | {"state": "decided", "outcome": "approved", "decided_at": NOON}

BROKEN: list[Break] = [
    Break(Agent, "agent_state_is_known", CHECK, {"state": "asleep"}),
    Break(ApiKey, "trust_tier_is_1_to_4", CHECK, {"trust_tier": 0}),
    Break(ApiKey, "trust_tier_is_1_to_4", CHECK, {"trust_tier": 5}, "-5"),
    Break(Event, "one_event_per_idempotency_key", UNIQUE),
    Break(Event, "event_role_is_known", CHECK, EVENT | {"role": "ghost"}),
    Break(Event, "event_state_is_known", CHECK, EVENT | {"state": "lost"}),
    Break(Event, "event_tier_is_known", CHECK, EVENT | {"tier": "tepid"}),
    *shares(Event, "heat_anchor", called="event_heat", others=EVENT),
    Break(Event, "event_trust_is_1_to_4", CHECK, EVENT | {"trust_tier": 5}),
    Break(FieldDefinition, "field_trust_is_1_to_4", CHECK, {"least_trust_tier": 0}),
    Break(FieldDefinition, "fielddefinition_value_type_is_known", CHECK, {"value_type": "odd"}),
    Break(FieldDefinition, "fielddefinition_conflict_policy_is_known", CHECK, {"conflict_policy": "odd"}),
    Break(FieldDefinition, "fielddefinition_review_mode_is_known", CHECK, {"review_mode": "odd"}),
    *shares(FieldDefinition, "default_importance"),
    *shares(FieldDefinition, "decay_rate", called="field_decay_rate"),
    Break(Form, "one_form_per_subject", UNIQUE),
    Break(FieldVersion, "one_active_version_per_field", UNIQUE, {"version": 2}),
    Break(FieldVersion, "one_row_per_version", UNIQUE, {"status": "historical"}),
    Break(FieldVersion, "superseded_means_has_a_successor", CHECK, VERSION | {"status": "superseded"}),
    Break(
        FieldVersion,
        "superseded_means_has_a_successor",
        CHECK,
        VERSION | {"superseded_by_version": 3},
        "-other",
    ),
    Break(
        FieldVersion,
        "versions_are_superseded_forward",
        CHECK,
        {"version": 2, "status": "superseded", "superseded_by_version": 2},
    ),
    Break(
        FieldVersion,
        "versions_are_superseded_forward",
        CHECK,
        {"version": 2, "status": "superseded", "superseded_by_version": 1},
        "-back",
    ),
    Break(FieldVersion, "fieldversion_status_is_known", CHECK, VERSION | {"status": "odd"}),
    Break(FieldVersion, "fieldversion_basis_is_known", CHECK, VERSION | {"basis": "rumour"}),
    Break(
        FieldVersion, "a_version_ends_after_it_began", CHECK, VERSION | {"valid_until": NOON.replace(hour=11)}
    ),
    Break(FieldVersion, "fieldversion_trust_is_1_to_4", CHECK, VERSION | {"trust_tier": 5}),
    *shares(FieldVersion, "confidence", "importance", "strength_anchor", "decay_rate", others=VERSION),
    Break(MemoryItem, "one_item_per_seq", UNIQUE, ITEM | {"seq": 1}),
    Break(MemoryItem, "one_active_item_per_content", UNIQUE, ITEM | {"content_norm": "digest"}),
    Break(MemoryItem, "one_active_item_per_attribute", UNIQUE, ITEM | {"attribute": "city"}),
    Break(MemoryItem, "superseded_item_has_a_successor", CHECK, ITEM | {"status": "superseded"}),
    Break(MemoryItem, "superseded_item_has_a_successor", CHECK, ITEM | {"superseded_by_seq": 3}, "-other"),
    Break(
        MemoryItem,
        "items_are_superseded_forward",
        CHECK,
        ITEM | {"status": "superseded", "superseded_by_seq": 2},
    ),
    Break(MemoryItem, "memoryitem_kind_is_known", CHECK, ITEM | {"kind": "odd"}),
    Break(MemoryItem, "memoryitem_status_is_known", CHECK, ITEM | {"status": "odd"}),
    Break(MemoryItem, "memoryitem_basis_is_known", CHECK, ITEM | {"basis": "rumour"}),
    Break(MemoryItem, "memoryitem_trust_is_1_to_4", CHECK, ITEM | {"trust_tier": 0}),
    Break(MemoryItem, "an_item_ends_after_it_began", CHECK, ITEM | {"valid_until": NOON.replace(hour=11)}),
    *shares(MemoryItem, "confidence", "importance", "strength_anchor", "decay_rate", others=ITEM),
    Break(ItemSource, "one_source_per_event", UNIQUE),
    Break(Usage, "one_usage_per_target", UNIQUE),
    Break(SearchEntry, "one_entry_per_target", UNIQUE),
    Break(
        SearchEntry,
        "searchentry_kind_is_known",
        CHECK,
        {"kind": "smell"} | dict.fromkeys(("id", "target_id"), new_id()),
    ),
    Break(SearchEntry, "entry_has_the_id_of_its_target", CHECK, {"kind": "item"}),
    Break(SearchSource, "one_source_per_position", UNIQUE),
    Break(SearchVector, "one_vector_per_model", UNIQUE),
    Break(SearchVector, "vector_has_its_models_dims", CHECK, {"dims": 3}),
    Break(Change, "change_state_is_known", CHECK, {"state": "odd"}),
    Break(Change, "change_target_kind_is_known", CHECK, {"target_kind": "odd"}),
    Break(Change, "change_basis_is_known", CHECK, {"basis": "rumour"}),
    Break(Change, "change_trust_is_1_to_4", CHECK, {"trust_tier": 5}),
    *shares(Change, "confidence", "importance"),
    Break(ChangeTransition, "a_transition_moves", CHECK, {"from_state": "applied"}),
    Break(IdempotencyKey, "one_answer_per_idempotency_key", UNIQUE),
    Break(Review, "one_open_review_per_change", UNIQUE),
    Break(Review, "review_kind_is_known", CHECK, {"kind": "odd"}),
    Break(Review, "review_state_is_known", CHECK, REVIEW | {"state": "odd"}),
    *shares(Review, "risk", others=REVIEW),
    Break(Review, "decided_means_has_an_outcome", CHECK, REVIEW | {"state": "decided"}),
    Break(Review, "decided_means_has_an_outcome", CHECK, REVIEW | {"outcome": "approved"}, "-open"),
    Break(Review, "nobody_decides_his_own_change", CHECK, APPROVED | {"decided_by_id": RESPONSIBLE}),
    Break(Review, "nobody_seconds_his_own_change", CHECK, APPROVED | {"first_user_id": RESPONSIBLE}),
    Break(
        Review,
        "the_highest_class_takes_two_people",
        CHECK,
        APPROVED | {"is_top_class": True, "first_user_id": 5, "decided_by_id": 5},
    ),
    Break(
        Review,
        "the_highest_class_takes_two_people",
        CHECK,
        APPROVED | {"is_top_class": True, "decided_by_id": 5},
        "-alone",
    ),
    Break(Tombstone, "one_standing_tombstone_per_value", UNIQUE),
    Break(MemoryItem, "only_procedural_items_have_steps", CHECK, ITEM | {"procedure": '{"steps": []}'}),
    Break(Question, "question_state_is_known", CHECK, {"state": "odd"}),
    Break(Question, "one_open_question_per_change", UNIQUE),
    Break(Derivation, "one_derivation_per_source", UNIQUE),
    Break(RecallFeedback, "one_feedback_per_served_memory", UNIQUE),
    Break(RecallServed, "one_served_row_per_memory", UNIQUE),
    Break(Document, "a_document_has_a_title", CHECK, {"title": ""}),
    Break(DocumentVersion, "one_document_version_per_number", UNIQUE, DRAFT | {"number": 1}),
    Break(DocumentVersion, "authority_is_1_to_5", CHECK, DRAFT | {"authority": 0}),
    Break(DocumentVersion, "authority_is_1_to_5", CHECK, DRAFT | {"authority": 6}, "-6"),
    Break(DocumentVersion, "a_document_version_ends_after_it_began", CHECK, DRAFT | {"valid_until": NOON}),
    Break(DocumentVersion, "a_published_version_was_verified", CHECK, DRAFT | {"state": "published"}),
    Break(DocumentVersion, "documentversion_trust_is_1_to_4", CHECK, DRAFT | {"trust_tier": 5}),
    Break(DocumentVersion, "documentversion_state_is_known", CHECK, DRAFT | {"state": "odd"}),
    Break(DocumentVersion, "documentversion_media_is_known", CHECK, DRAFT | {"media": "odd"}),
    Break(DocumentVersion, "published_versions_do_not_overlap", EXCLUSION, {"number": 2}),
    Break(DocumentChunk, "one_chunk_per_position", UNIQUE),
    Break(Session, "one_open_session_per_ref", UNIQUE),
    Break(Session, "a_session_has_a_ref", CHECK, {"ref": ""}),
    Break(Session, "ended_means_has_an_end", CHECK, SESSION | {"state": "asleep"}, "-odd"),
    Break(Session, "ended_means_has_an_end", CHECK, SESSION | {"state": "ended"}),
    Break(Session, "ended_means_has_an_end", CHECK, SESSION | {"ended_by": "request"}, "-open"),
    Break(
        Session,
        "ended_means_has_an_end",
        CHECK,
        SESSION | {"state": "ended", "ended_at": NOON, "ended_by": "ghost"},
        "-by",
    ),
    Break(Session, "session_outcome_is_known", CHECK, SESSION | {"outcome": "odd", "outcome_at": NOON}),
    Break(Session, "session_outcome_is_known", CHECK, SESSION | {"outcome": "resolved"}, "-when"),
    Break(SessionSlot, "one_slot_per_version", UNIQUE),
    Break(SessionSlot, "one_active_slot_per_name", UNIQUE, {"version": 2}),
    Break(SessionSlot, "deprecated_means_has_a_reason", CHECK, SLOT | {"state": "odd"}, "-state"),
    Break(
        SessionSlot,
        "deprecated_means_has_a_reason",
        CHECK,
        SLOT | {"state": "deprecated", "deprecated_at": NOON},
    ),
    Break(SessionSlot, "deprecated_means_has_a_reason", CHECK, SLOT | {"reason": "timeout"}, "-active"),
    Break(
        SessionSlot,
        "deprecated_means_has_a_reason",
        CHECK,
        SLOT | {"state": "deprecated", "deprecated_at": NOON, "reason": "odd"},
        "-odd",
    ),
    Break(SessionSlot, "a_cleared_slot_holds_nothing", CHECK, GONE),
    Break(SessionSlot, "a_cleared_slot_holds_nothing", CHECK, SLOT | {"value": None}, "-kept"),
    Break(SessionSlot, "a_slot_is_restored_from_before", CHECK, SLOT | {"restored_version": 1}),
    Break(SessionSlot, "slot_fate_is_known", CHECK, SLOT | {"fate": "odd"}),
    Break(SessionSlot, "slot_speaker_is_known", CHECK, SLOT | {"said_by": "ghost"}),
    Break(SessionSlot, "sessionslot_trust_is_1_to_4", CHECK, SLOT | {"trust_tier": 5}),
    *shares(SessionSlot, "importance", "confidence", others=SLOT),
    *BROKEN_RELATIONS,
    *BROKEN_TRIALS,
    Break(Incident, "incident_state_is_known", CHECK, {"state": "odd"}),
    Break(OwnerLink, "one_open_link_per_pair", UNIQUE),
    Break(Promotion, "one_promotion_per_change", UNIQUE),
    Break(Promotion, "promotion_source_kind_is_known", CHECK, {"source_kind": "event"}),
    Break(Promotion, "a_promotion_has_a_whole_source_or_none", CHECK, {"source_id": None}),
    Break(OwnerLink, "only_what_is_shared_is_linked", CHECK, {"linked_kind": "user"}),
    Break(OwnerLink, "ownerlink_direction_is_known", CHECK, {"direction": "sideways"}),
    Break(OwnerLink, "ownerlink_kinds_are_known", CHECK, {"kinds": ["event"]}),
    Break(OwnerSequence, "one_sequence_per_owner", UNIQUE),
    Break(Job, "job_state_is_known", CHECK, {"state": "odd"}),
    Break(PolicyVersion, "policyversion_state_is_known", CHECK, {"state": "odd"}),
    Break(PolicyVersion, "policyversion_origin_is_known", CHECK, {"origin": "odd"}),
    Break(PolicyVersion, "the_current_policy_is_approved", CHECK, {"is_current": True}),
    Break(PolicyVersion, "a_persons_policy_is_decided_by_somebody", CHECK, {"state": "approved"}),
    Break(
        PolicyVersion,
        "nobody_approves_his_own_policy",
        CHECK,
        {"state": "approved", "created_by_id": RESPONSIBLE, "decided_by_id": RESPONSIBLE, "decided_at": NOON},
    ),
    Break(WhitelistEdit, "whitelistedit_action_is_known", CHECK, {"action": "odd", "before": "{}"}),
    Break(WhitelistEdit, "an_edit_says_what_stood_before", CHECK, {"action": "edit"}),
    Break(WhitelistEdit, "a_restored_edit_names_its_version", CHECK, {"restored_version": 2}),
    Break(EmbeddingModel, "dims_fit_the_covering_index", CHECK, {"dims": 1025}),
    Break(EmbeddingModel, "dims_fit_the_covering_index", CHECK, {"dims": 0}, "-0"),
    Break(EmbeddingModel, "embeddingmodel_state_is_known", CHECK, {"state": "odd"}),
]

STATEMENTS: dict[str, tuple[str, str]] = {
    "owner_ref_is_not_blank": (CHECK, "SELECT mh_resolve_owner({workspace}, '', 'user', {new})"),
    "owner_kind_is_known": (CHECK, "SELECT mh_resolve_owner({workspace}, 'x', 'robot', {new})"),
    "owner_state_is_known": (CHECK, "UPDATE memoryhub_owner SET state = 'odd' WHERE id = {owner}"),
    "one_entity_is_the_owner": (
        UNIQUE,
        (
            "INSERT INTO memoryhub_entity (owner_id, id, workspace_id, kind_id, name, key, skeleton, is_owner)"
            " SELECT {owner}, gen_random_uuid(), {workspace}, k.id, '', '', '', true FROM memoryhub_entitykind k"
            " WHERE k.workspace_id = {workspace} LIMIT 2"
        ),
    ),
    "one_edit_per_relation_kind_version": (
        UNIQUE,
        (
            "INSERT INTO memoryhub_vocabularyedit (id, workspace_id, relation_kind_id, version, action, after, reason)"
            " SELECT gen_random_uuid(), k.workspace_id, k.id, 1, 'create', '{{}}', '' FROM memoryhub_relationkind k, (VALUES (1), (2)) n"
            " WHERE k.workspace_id = {workspace} AND k.name = 'placed'"
        ),
    ),
    "one_owner_per_ref": (
        UNIQUE,
        "UPDATE memoryhub_owner SET ref = (SELECT ref FROM memoryhub_owner WHERE id = {linked}) WHERE id = {owner}",
    ),
}
"""Breaks that are no INSERT: the runtime makes owners through a function only."""

TWICE: dict[str, tuple[Model, dict[str, Any]]] = {
    "one_agent_per_name": (Agent, {"name": "twin"}),
    "one_form_type_per_name": (FormType, {"name": "twin"}),
    "one_field_per_name": (FieldDefinition, {"name": "twin"}),
    "one_policy_per_number": (PolicyVersion, {}),
    "one_current_policy_per_workspace": (
        PolicyVersion,
        {"is_current": True, "number": 8, "state": "approved", "origin": "rule"},
    ),
    **TRIALS_TWICE,
    "one_edit_per_field_version": (WhitelistEdit, {}),
    "one_entity_kind_per_name": (EntityKind, {"name": "twin"}),
    "one_relation_kind_per_name": (RelationKind, {"name": "twin"}),
    "one_edit_per_entity_kind_version": (VocabularyEdit, {}),
    "one_edit_per_form_type_version": (WhitelistEdit, {"field_id": None}),
    "one_usage_row_per_day_and_model": (ModelUsage, {}),
    "one_worker_per_owner": (Job, {"kind": "process_events", "state": "running"}),
    "one_queued_job_per_dedupe_key": (Job, {"dedupe_key": "twin"}),
    "one_saved_view_per_name": (SavedView, {"name": "twin"}),
    "one_current_embedding_model": (EmbeddingModel, {"state": "current"}),
    "one_active_wording_per_memory": (
        MemoryItem,
        ITEM | {"first_id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e77"},
    ),
    "memoryhub_workspace_slug": (Workspace, {"slug": "twin"}),
    "memoryhub_apikey_key_id": (ApiKey, {"key_id": "twin"}),
    "memoryhub_embeddingmodel_name": (EmbeddingModel, {"name": "twin"}),
}
"""Uniqueness outside the owner tables: the same row twice, each with its own id."""

PER_ROW: dict[str, tuple[Model, dict[str, str]]] = {
    "an_event_does_not_cause_itself": (Event, {"caused_by_id": "id"}),
    "an_item_is_not_derived_from_itself": (
        Derivation,
        {"source_item_id": "item_id"},
    ),
    "a_relation_has_two_ends": (Relation, {"to_entity_id": "from_entity_id"}),
    "nothing_is_promoted_to_its_own_owner": (Promotion, {"source_owner_id": "owner_id"}),
    "an_owner_is_not_linked_to_itself": (OwnerLink, {"linked_owner_id": "owner_id"}),
}
"""A column set to the value of another column of the same row."""

IMPLIED = {
    "owner_and_kind": "the primary key refuses first; it is the target of ownerlink_linked_owner_of_kind",
    "owner_and_workspace": "the primary key refuses first; it is the target of <table>_owner_in_workspace",
    "change_and_responsible": "the primary key refuses first; it is the target of review_copies_the_responsible_person",
    "memoryhub_owner_search_no": "filled from a sequence; the runtime may not insert owners",
}

COUNTS: list[tuple[Model, str]] = [
    (model, column.attname)
    for model in (*SOUND, *SOUND_ELSEWHERE)
    for column in model._meta.local_concrete_fields
    if isinstance(column, models.PositiveIntegerField | models.PositiveSmallIntegerField)
]


def check_name(count: tuple[Model, str]) -> str:
    """What the ORM calls the check of a number that is not negative."""
    return f"{count[0]._meta.db_table}_{count[1]}_check"
