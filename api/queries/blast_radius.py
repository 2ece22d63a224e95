"""What a blast radius asked for over the API starts from. Call inside a scope of the owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import NotFound
from memoryhub.models import Event, FieldVersion, MemoryItem


def traced_scope(owner_id: UUID, asked: dict[str, Any], *, agent_id: UUID) -> RollbackScope:
    """The scope that BlastQuery names; a statement per id in it. Raises NotFound naming an id that is not the owner's."""
    for name, model in (("item", MemoryItem), ("version", FieldVersion), ("event", Event)):
        if name in asked and not model.objects.of(owner_id).filter(id=asked[name]).exists():
            raise NotFound(f"no such {name} of this owner", field=name)
    targets = [asked[name] for name in ("item", "version") if name in asked]
    if "item" in asked:
        # The id of a memory means all its wordings; that of a later wording, as a recall names it, means that one.
        wordings = MemoryItem.objects.of(owner_id).wordings(asked["item"])
        targets += [item_id for item_id in wordings.values_list("id", flat=True) if item_id not in targets]
    return RollbackScope(
        owner_ids=(owner_id,),
        target_ids=tuple(targets),
        event_ids=(asked["event"],) if "event" in asked else (),
        session_ref=asked.get("session", ""),
        agent_id=agent_id if "agent" in asked else None,
        since=asked.get("since"),
        until=asked.get("until"),
    )
