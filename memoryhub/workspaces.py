"""Make a workspace with the starter whitelist and vocabulary and its first policy."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from memoryhub import audit
from memoryhub.models import (
    Agent,
    EntityKind,
    FieldDefinition,
    FormType,
    PolicyVersion,
    RelationKind,
    Workspace,
)
from memoryhub.policies import Policy
from memoryhub.starter_fields import STARTER_FIELDS, STARTER_FORM_TYPES
from memoryhub.starter_vocabulary import (
    STARTER_ENTITY_KINDS,
    STARTER_RELATION_KINDS,
    entity_columns,
    relation_columns,
)

MAX_LENGTHS = {"rule": 1000, "address": 500}


@transaction.atomic
def create_workspace(
    *, slug: str, name: str, locale: str = "en", time_zone: str = "UTC", is_scratch: bool = False
) -> Workspace:
    """A workspace that can be used at once. Raises IntegrityError when the slug is taken."""
    workspace = Workspace.objects.create(
        slug=slug, name=name, locale=locale, time_zone=time_zone, is_scratch=is_scratch
    )
    _add_whitelist(workspace)
    _add_vocabulary(workspace)
    PolicyVersion.objects.create(
        workspace=workspace,
        number=1,
        name="default",
        values=Policy().as_values(),
        is_current=True,
        state=PolicyVersion.State.APPROVED,
        origin=PolicyVersion.Origin.STARTER,
    )
    audit.record(
        audit.entry(
            action="workspace.created",
            workspace_id=workspace.id,
            object_kind="workspace",
            object_id=workspace.id,
        )
    )
    return workspace


def _add_whitelist(workspace: Workspace) -> None:
    types = {
        form_type: FormType.objects.create(workspace=workspace, name=form_type, label_en=en, label_zh=zh)
        for form_type, (en, zh) in STARTER_FORM_TYPES.items()
    }
    FieldDefinition.objects.bulk_create(
        FieldDefinition(
            form_type=types[field.form_type],
            name=field.name,
            label_en=field.label_en,
            label_zh=field.label_zh,
            value_type=field.value_type,
            choices=list(field.choices),
            aliases=list(field.aliases),
            multi_valued=field.multi_valued,
            key_attribute=field.key_attribute,
            safety=field.safety,
            sensitivity=field.sensitivity,
            default_importance=field.importance,
            conflict_policy=field.conflict_policy,
            review_mode=field.review_mode,
            lifetime_days=field.lifetime_days,
            tolerance=field.tolerance,
            least_trust_tier=field.least_trust_tier,
            max_length=MAX_LENGTHS.get(field.name, 500),
            decay_rate=0.0 if field.key_attribute else 0.02,
        )
        for field in STARTER_FIELDS
    )


def _add_vocabulary(workspace: Workspace) -> None:
    EntityKind.objects.bulk_create(
        EntityKind(workspace=workspace, **entity_columns(kind)) for kind in STARTER_ENTITY_KINDS
    )
    RelationKind.objects.bulk_create(
        RelationKind(workspace=workspace, **relation_columns(kind)) for kind in STARTER_RELATION_KINDS
    )


def create_agent(*, workspace: Workspace, name: str, created_by: Any = None) -> Agent:
    return Agent.objects.create(workspace=workspace, name=name, created_by=created_by)
