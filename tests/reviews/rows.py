"""Rows for the desk's tests, as the write path leaves them: one function per kind, with defaults for what a test does not care about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.db.models import Max

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.models import (
    Change,
    ChangeSet,
    Event,
    FieldDefinition,
    FieldVersion,
    Form,
    FormType,
    Job,
    MemoryItem,
    Owner,
    Review,
    ReviewStep,
    Workspace,
    new_id,
)

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def make_owner(workspace: Workspace, ref: str = "user-1", **columns: Any) -> Owner:
    found = resolve_owner(workspace_id=workspace.id, ref=ref, kind=columns.pop("kind", "user"), create=True)
    if columns:
        Owner.objects.filter(id=found.id).update(**columns)
    return Owner.objects.select_related("workspace").get(id=found.id)


@contextmanager
def writing(owner: Owner) -> Iterator[None]:
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="write", write=True):
        yield


def make_event(owner: Owner, content: str = "I live in Leeds", **columns: Any) -> Event:
    with writing(owner):
        return Event.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            content=content,
            **{"occurred_at": NOON, "trust_tier": 3, "state": "processed", **columns},
        )


def make_version(
    owner: Owner, value: Any = "Leeds", *, field: str = "user_profile.location", **columns: Any
) -> FieldVersion:
    """A value of a field, e.g. `user_profile.location`, numbered after those that are there; `supersedes` closes one of them."""
    type_name, _dot, name = field.partition(".")
    subject = columns.pop("subject", "")
    old: FieldVersion | None = columns.pop("supersedes", None)
    with writing(owner):
        form_type = FormType.objects.get_or_create(
            workspace=owner.workspace, name=type_name, defaults={"label_en": type_name, "label_zh": type_name}
        )[0]
        definition = FieldDefinition.objects.get_or_create(
            form_type=form_type, name=name, defaults={"label_en": name, "label_zh": name}
        )[0]
        form = Form.objects.get_or_create(
            owner=owner, form_type=form_type, subject=subject, defaults={"workspace_id": owner.workspace_id}
        )[0]
        newest = (
            FieldVersion.objects.of(owner.id)
            .filter(form_id=form.id, field=definition)
            .aggregate(n=Max("version"))
        )
        number = (newest["n"] or 0) + 1
        if old is not None:
            FieldVersion.objects.of(owner.id).filter(id=old.id).update(
                status="superseded", superseded_by_version=number
            )
        return FieldVersion.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            form_id=form.id,
            field=definition,
            value=value,
            **{
                "version": number,
                "value_norm": str(value)[:600].casefold(),
                "status": "active",
                "confidence": 0.9,
                "importance": 0.7,
                "trust_tier": 3,
                "strength_anchor": 0.7,
                "valid_from": NOON,
                **columns,
            },
        )


def make_item(owner: Owner, content: str = "Likes tea in the morning", **columns: Any) -> MemoryItem:
    with writing(owner):
        newest = MemoryItem.objects.of(owner.id).aggregate(n=Max("seq"))["n"] or 0
        return MemoryItem.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            content=content,
            **{
                "seq": newest + 1,
                "kind": "semantic",
                "content_norm": str(new_id()),
                "status": "active",
                "confidence": 0.9,
                "importance": 0.7,
                "trust_tier": 3,
                "strength_anchor": 0.7,
                "valid_from": NOON,
                **columns,
            },
        )


def make_change(owner: Owner, **columns: Any) -> Change:
    with writing(owner):
        change_set = ChangeSet.objects.create(owner=owner, workspace_id=owner.workspace_id, act="pipeline")
        return Change.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            change_set_id=change_set.id,
            **{
                "action": "create",
                "target_kind": "field_version",
                "form_type": "user_profile",
                "field_name": "location",
                "after": {"value": "Leeds", "version": 1},
                "state": "applied",
                "importance": 0.7,
                "confidence": 0.9,
                "trust_tier": 3,
                "basis": "stated",
                **columns,
            },
        )


def make_review(change: Change, **columns: Any) -> Review:
    """A review of the change; with `outcome` a decided one, and its last step with `reason_code` and `note`, or as `step` says."""
    reason, note = columns.pop("reason_code", ""), columns.pop("note", "")
    step = columns.pop("step", {})
    with writing(change.owner):
        if columns.get("outcome"):
            columns = {"state": "decided", "decided_at": NOON, "four_eyes": False, **columns}
        review = Review.objects.create(
            owner=change.owner,
            workspace_id=change.workspace_id,
            change_id=change.id,
            **{
                "kind": "proposal",
                "risk": min(1.0, 0.45 + 0.2 * len(change.gates)),
                "risk_parts": [["importance", 0.45], *([gate, 0.2] for gate in change.gates)],
                "due_at": NOON,
                **columns,
            },
        )
        if reason or note or step:
            ReviewStep.objects.create(
                owner=change.owner,
                workspace_id=change.workspace_id,
                review_id=review.id,
                **{
                    "action": "reject" if reason else "escalate",
                    "reason_code": reason,
                    "note": note,
                    "version": 1,
                    **step,
                },
            )
        return review


def make_job(workspace: Workspace, **columns: Any) -> Job:
    return Job.objects.create(**{"workspace": workspace, "kind": "process_events", **columns})
