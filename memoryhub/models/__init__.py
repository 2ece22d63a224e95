"""One noun family per file. Imports go one way: base <- evidence, as_of <- the nouns; no service is imported here."""

from .as_of import TwoClocks, as_of, as_of_sql, holds
from .audit import AuditEntry
from .base import OwnerMismatch, OwnerModel, OwnerRow, RowsAreKept, new_id
from .change import Change, ChangeSet, ChangeTransition
from .document import Document, DocumentChunk, DocumentVersion
from .entity import Entity, Relation
from .event import Event
from .evidence import Basis
from .form import FieldDefinition, FieldVersion, Form, FormType
from .idempotency import IdempotencyKey
from .job import Job, WorkerBeat
from .memory import ItemSource, MemoryItem, Usage
from .owner import Owner, OwnerLink, OwnerSequence
from .policy import PolicyMeasurement, PolicyTrial, PolicyVersion
from .promotion import Promotion
from .provider import ModelUsage, ProviderState
from .quota import QuotaBucket
from .recall import Recall, RecallServed
from .repeat import RepeatedQuestion, RepeatSearch
from .review import (
    Derivation,
    Incident,
    Question,
    RecallFeedback,
    RejectReason,
    Review,
    ReviewStep,
    SavedView,
    Tombstone,
)
from .search import EmbeddingModel, SearchEntry, SearchSource, SearchVector
from .session import Session, SessionSlot
from .vocabulary import EntityKind, RelationKind, VocabularyEdit
from .whitelist import WhitelistEdit
from .workspace import Agent, ApiKey, Workspace

__all__ = [
    "Agent",
    "ApiKey",
    "AuditEntry",
    "Basis",
    "Change",
    "ChangeSet",
    "ChangeTransition",
    "Derivation",
    "Document",
    "DocumentChunk",
    "DocumentVersion",
    "EmbeddingModel",
    "Entity",
    "EntityKind",
    "Event",
    "FieldDefinition",
    "FieldVersion",
    "Form",
    "FormType",
    "IdempotencyKey",
    "Incident",
    "ItemSource",
    "Job",
    "MemoryItem",
    "ModelUsage",
    "Owner",
    "OwnerLink",
    "OwnerMismatch",
    "OwnerModel",
    "OwnerRow",
    "OwnerSequence",
    "PolicyMeasurement",
    "PolicyTrial",
    "PolicyVersion",
    "Promotion",
    "ProviderState",
    "Question",
    "QuotaBucket",
    "Recall",
    "RecallFeedback",
    "RecallServed",
    "RejectReason",
    "Relation",
    "RelationKind",
    "RepeatSearch",
    "RepeatedQuestion",
    "Review",
    "ReviewStep",
    "RowsAreKept",
    "SavedView",
    "SearchEntry",
    "SearchSource",
    "SearchVector",
    "Session",
    "SessionSlot",
    "Tombstone",
    "TwoClocks",
    "Usage",
    "VocabularyEdit",
    "WhitelistEdit",
    "WorkerBeat",
    "Workspace",
    "as_of",
    "as_of_sql",
    "holds",
    "new_id",
]
