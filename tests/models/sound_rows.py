"""A sound row of every table, written by raw SQL past the ORM: what the constraints are then broken from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection, models
from django.db.models.expressions import DatabaseDefault

from memoryhub.models import (
    Agent,
    ApiKey,
    Change,
    ChangeSet,
    ChangeTransition,
    Derivation,
    Document,
    DocumentChunk,
    DocumentVersion,
    EmbeddingModel,
    Entity,
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
    ProviderState,
    Question,
    QuotaBucket,
    Recall,
    RecallFeedback,
    RecallServed,
    Relation,
    RelationKind,
    RepeatedQuestion,
    Review,
    ReviewStep,
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
from memoryhub.writing.source import Source
from tests.builders import make_owner
from tests.models import sound_trials

RESPONSIBLE = 77
"""The person who answers for the change."""

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

type Model = type[models.Model]


@dataclass(kw_only=True)
class World:
    """An owner with one row in every owner table; `ids` by model."""

    source: Source
    owner_id: UUID
    linked_id: UUID
    form_type_id: UUID
    field_id: UUID
    embedding_id: int
    entity_kind_id: UUID
    relation_kind_id: UUID
    ids: dict[Model, UUID] = field(default_factory=dict)

    @property
    def workspace_id(self) -> UUID:
        return self.source.workspace_id


_EVIDENCED = {
    "confidence": 0.9,
    "importance": 0.7,
    "trust_tier": 3,
    "strength_anchor": 0.7,
    "valid_from": NOON,
}

SOUND: dict[Model, Callable[[World], dict[str, Any]]] = {
    # In the order in which they can be inserted.
    OwnerLink: lambda w: {"linked_owner_id": w.linked_id, "linked_kind": "team"},
    OwnerSequence: lambda w: {"last_item_seq": 1},
    Event: lambda w: {
        "occurred_at": NOON,
        "content": "I moved to Lisbon",
        "trust_tier": 3,
        "agent_id": w.source.agent_id,
        "idempotency_key": "k1",
    },
    Form: lambda w: {"form_type_id": w.form_type_id, "subject": ""},
    FieldVersion: lambda w: {
        **_EVIDENCED,
        "form_id": w.ids[Form],
        "field_id": w.field_id,
        "event_id": w.ids[Event],
        "version": 1,
        "value": "Lisbon",
        "value_norm": "lisbon",
        "status": "active",
    },
    MemoryItem: lambda w: {
        **_EVIDENCED,
        "event_id": w.ids[Event],
        "seq": 1,
        "kind": "semantic",
        "content": "The user lives in Lisbon",
        "content_norm": "digest",
        "subject_entity": "owner",
        "attribute": "city",
        "value_key": "lisbon",
        "status": "active",
    },
    Entity: lambda w: {"kind_id": w.entity_kind_id, "name": "Tea", "key": "tea", "skeleton": "tea"},
    Relation: lambda w: {
        **{name: value for name, value in _EVIDENCED.items() if name != "strength_anchor"},
        "event_id": w.ids[Event],
        "seq": 1,
        "kind_id": w.relation_kind_id,
        "from_entity_id": w.ids[Entity],
        "value": "sold out",
        "slot": "has_status",
        "status": "active",
    },
    ItemSource: lambda w: {"item_id": w.ids[MemoryItem], "event_id": w.ids[Event]},
    Usage: lambda w: {"target_kind": "item", "target_id": w.ids[MemoryItem]},
    SearchEntry: lambda w: {
        "kind": "window",
        "target_id": w.ids[Event],
        "text": "I moved to Lisbon",
        "tokens": "'lisbon':1",
        "token_count": 1,
        "occurred_at": NOON,
        "language": "en",
    },
    SearchSource: lambda w: {"entry_id": w.ids[SearchEntry], "event_id": w.ids[Event], "position": 0},
    SearchVector: lambda w: {
        "model_id": w.embedding_id,
        "entry_id": w.ids[SearchEntry],
        "kind": "window",
        "dims": 2,
        "v": [0.6, 0.8],
    },
    ChangeSet: lambda w: {"act": "write_field", "event_id": w.ids[Event]},
    Change: lambda w: {
        "change_set_id": w.ids[ChangeSet],
        "event_id": w.ids[Event],
        "action": "create",
        "target_kind": "field_version",
        "target_id": w.ids[FieldVersion],
        "state": "applied",
        "importance": 0.7,
        "confidence": 0.9,
        "trust_tier": 3,
        "basis": "stated",
        "responsible_user_id": RESPONSIBLE,
    },
    Promotion: lambda w: {
        "change_id": w.ids[Change],
        "source_owner_id": new_id(),
        "source_kind": "item",
        "source_id": new_id(),
    },
    ChangeTransition: lambda w: {"change_id": w.ids[Change], "to_state": "applied"},
    Recall: lambda w: {"query": "where do I live", "agent_id": w.source.agent_id},
    RecallServed: lambda w: {
        "recall_id": w.ids[Recall],
        "target_id": w.ids[MemoryItem],
        "rank": 1,
        "tokens": 12,
        "at": NOON,
    },
    IdempotencyKey: lambda w: {
        "agent_id": w.source.agent_id,
        "route": "events",
        "key": "k1",
        "fingerprint": b"x" * 32,
    },
    Review: lambda w: {"change_id": w.ids[Change], "kind": "proposal", "risk": 0.5},
    ReviewStep: lambda w: {"review_id": w.ids[Review], "action": "claim", "version": 1},
    Tombstone: lambda w: {
        "scope": "item",
        "digest": b"x" * 32,
        "reason_code": "duplicate",
        "change_id": w.ids[Change],
        "event_id": w.ids[Event],
    },
    Question: lambda w: {
        "kind": "conflict",
        "change_id": w.ids[Change],
        "text": "Lisbon or Porto?",
        "answer_event_id": w.ids[Event],
        "expires_at": NOON,
    },
    Derivation: lambda w: {"item_id": w.ids[MemoryItem], "source_version_id": w.ids[FieldVersion]},
    RepeatedQuestion: sound_trials.repeated_question,
    RecallFeedback: lambda w: {
        "recall_id": w.ids[Recall],
        "target_id": w.ids[MemoryItem],
        "verdict": "used",
    },
    Document: lambda w: {"title": "Returns", "source": "wiki"},
    DocumentVersion: lambda w: {
        "document_id": w.ids[Document],
        "number": 1,
        "state": "published",
        "media": "markdown",
        "byte_count": 9,
        "sha256": b"x" * 32,
        "text": "# Returns",
        "trust_tier": 3,
        "valid_from": NOON,
        "last_verified_at": NOON,
        "published_at": NOON,
    },
    DocumentChunk: lambda w: {
        "document_id": w.ids[Document],
        "version_id": w.ids[DocumentVersion],
        "position": 0,
        "text": "Free returns within 7 days.",
        "token_count": 6,
    },
    Session: lambda w: {"ref": "chat-1"},
    SessionSlot: lambda w: {
        "session_id": w.ids[Session],
        "event_id": w.ids[Event],
        "context": "order:A",
        "name": "address",
        "version": 1,
        "value": "Lisbon",
        "value_key": "lisbon",
        "trust_tier": 3,
        "expires_at": NOON,
    },
}

SOUND_ELSEWHERE: dict[Model, Callable[[World], dict[str, Any]]] = {
    Workspace: lambda w: {"slug": f"s{new_id().hex}", "name": "S"},
    Agent: lambda w: {"workspace_id": w.workspace_id, "name": f"a{new_id().hex}"},
    ApiKey: lambda w: {
        "agent_id": w.source.agent_id,
        "key_id": new_id().hex[-12:],
        "secret_sha256": b"x" * 32,
        "env": "test",
        "scopes": [],
        "trust_tier": 3,
    },
    FormType: lambda w: {
        "workspace_id": w.workspace_id,
        "name": f"t{new_id().hex}",
        "label_en": "T",
        "label_zh": "T",
    },
    FieldDefinition: lambda w: {
        "form_type_id": w.form_type_id,
        "name": f"f{new_id().hex}",
        "label_en": "F",
        "label_zh": "F",
    },
    WhitelistEdit: lambda w: {
        "workspace_id": w.workspace_id,
        "form_type_id": w.form_type_id,
        "field_id": w.field_id,
        "version": 1,
        "action": "create",
        "after": {},
    },
    EntityKind: lambda w: {
        "workspace_id": w.workspace_id,
        "name": f"k{new_id().hex}",
        "label_en": "K",
        "label_zh": "K",
    },
    RelationKind: lambda w: {
        "workspace_id": w.workspace_id,
        "name": f"k{new_id().hex}",
        "label_en": "K",
        "label_zh": "K",
        "family": "k",
    },
    VocabularyEdit: lambda w: {
        "workspace_id": w.workspace_id,
        "entity_kind_id": w.entity_kind_id,
        "version": 1,
        "action": "create",
        "after": {},
    },
    PolicyVersion: lambda w: {"workspace_id": w.workspace_id, "number": 7, "name": "p"},
    **sound_trials.SOUND,
    EmbeddingModel: lambda w: {"id": 900, "name": f"m{new_id().hex}", "dims": 256, "state": "building"},
    ModelUsage: lambda w: {
        "workspace_id": w.workspace_id,
        "day": NOON.date(),
        "model": "m",
        "purpose": "extraction",
    },
    QuotaBucket: lambda w: {"digest": new_id().bytes * 2, "full_until": NOON},
    ProviderState: lambda w: {"name": f"m{new_id().hex}"},
    Incident: lambda w: {"workspace_id": w.workspace_id, "title": "Poison"},
    SavedView: lambda w: {
        "workspace_id": w.workspace_id,
        "page": "owners",
        "name": "mine",
        "params": "",
        "user_id": 1,
    },
    Job: lambda w: {"kind": "embed", "workspace_id": w.workspace_id, "owner_id": w.owner_id},
}


def make_world(source: Source, *, ref: str = "") -> World:
    """An owner with one sound row in every owner table, each inserted by raw SQL."""
    fields = FieldDefinition.objects.filter(form_type__workspace_id=source.workspace_id)
    definition = fields.get(form_type__name="user_profile", name="location")
    world = World(
        source=source,
        owner_id=make_owner(source, ref).id,
        linked_id=make_owner(source, kind="team").id,
        form_type_id=definition.form_type_id,
        field_id=definition.id,
        embedding_id=EmbeddingModel.objects.get_or_create(name="for-rows", defaults={"dims": 2})[0].id,
        entity_kind_id=EntityKind.objects.get(workspace_id=source.workspace_id, name="product").id,
        relation_kind_id=RelationKind.objects.get(workspace_id=source.workspace_id, name="has_status").id,
    )
    for model in SOUND:
        with connection.cursor() as cursor:
            statement, parameters = insertion(model, world)
            cursor.execute(statement, parameters)
        world.ids[model] = _id_in(statement, parameters)
    return world


def insertion(model: Model, world: World, **broken: Any) -> tuple[str, list[Any]]:
    """The INSERT of a sound row with a fresh id, but for the columns in `broken`."""
    columns = sound_columns(model, world) | broken
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {model._meta.db_table} ({names}) VALUES ({marks})", list(columns.values())


def sound_columns(model: Model, world: World) -> dict[str, Any]:
    """Every column of a sound row as the database driver takes it; those with a default of the database are left out."""
    given = (SOUND | SOUND_ELSEWHERE)[model](world)
    if model in SOUND:
        given |= {"owner_id": world.owner_id, "workspace_id": world.workspace_id}
    row = model(**given)
    columns: dict[str, Any] = {}
    for column in model._meta.local_concrete_fields:
        value = column.pre_save(row, add=True)
        if column.column and not isinstance(value, DatabaseDefault) and not _is_auto(column, value):
            columns[column.column] = column.get_db_prep_save(value, connection)
    return columns


def _is_auto(column: models.Field[Any, Any], value: Any) -> bool:
    return isinstance(column, models.AutoField) and value is None


def _id_in(statement: str, parameters: list[Any]) -> UUID:
    names = statement[statement.index("(") + 1 : statement.index(")")].replace('"', "").split(", ")
    return UUID(str(parameters[names.index("id")]))
