"""What a rollback asked for over the API is about. Call inside a scope of the owner. Each raises NotFound."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from api.queries.forms import chain_of
from api.queries.memories import history_of
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import NotFound
from memoryhub.models import ChangeSet, FieldVersion


def scope_of_change_set(owner_id: UUID, change_set_id: UUID) -> RollbackScope:
    """Every change of one act."""
    if not ChangeSet.objects.of(owner_id).filter(id=change_set_id).exists():
        raise NotFound
    return RollbackScope(owner_ids=(owner_id,), change_set_ids=(change_set_id,))


def scope_of_memory(owner_id: UUID, item_id: UUID, *, to: UUID | None, to_seq: int | None) -> RollbackScope:
    """What made this memory, all its wordings; with `to` or `to_seq`, everything that came after that one of its history."""
    history = history_of(owner_id, item_id)
    if not history:
        raise NotFound
    if to_seq is not None:
        wanted = next((item.id for item in history if item.seq == to_seq), None)
        if wanted is None:
            raise NotFound("not a wording of this history", field="to_seq")
        return RollbackScope(owner_ids=(owner_id,), restore_id=wanted)
    if to is None:
        asked = next(item for item in history if item.id == item_id)
        wordings = tuple(item.id for item in history if item.memory_id == asked.memory_id)
        return RollbackScope(owner_ids=(owner_id,), target_ids=wordings)
    if to not in {item.id for item in history}:
        raise NotFound("not a memory of this history", field="to")
    return RollbackScope(owner_ids=(owner_id,), restore_id=to)


def scope_of_field(owner_id: UUID, form_type: str, field: str, asked: dict[str, Any]) -> RollbackScope:
    """What made the value that stands (the newest, of several); with `version`, everything that came after that one."""
    chain = chain_of(owner_id, form_type, field, asked["subject"])
    if asked["version"] is not None:
        wanted = chain.filter(version=asked["version"]).first()
        if wanted is None:
            raise NotFound("the field had no such version", field="version")
        return RollbackScope(owner_ids=(owner_id,), restore_id=wanted.id)
    standing = chain.filter(status=FieldVersion.Status.ACTIVE).order_by("-version").first()
    if standing is None:
        raise NotFound
    return RollbackScope(owner_ids=(owner_id,), target_ids=(standing.id,))
