"""What an agent may roll back: what it wrote itself, unless a person has decided on it since."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from memoryhub.changes.reverting_plan import Draft
from memoryhub.exceptions import NotOwnChange
from memoryhub.models import Change, ChangeTransition


def refuse_others(draft: Draft, *, agent_id: UUID, ticked: Collection[str] = ()) -> None:
    """Raise NotOwnChange (403) when the draft takes back, or brings back, anything another agent or a person did.

    That covers a proposal a person approved, and a value a person rolled back: neither is an agent's to undo. Derived items
    only follow. A conflict with somebody else's later edit or confirmation is not an agent's to overrule.
    """
    moved = _moved(draft)
    overruled = [turn.against for turn in draft.turns if turn.key in ticked and turn.against]
    if any(change.agent_id != agent_id for change in [*moved, *overruled]):
        raise NotOwnChange("an agent takes back only what it wrote itself")
    if _somebody_else_decided(moved, agent_id):
        raise NotOwnChange("a person has decided on it since; it is theirs to take back")


def _moved(draft: Draft) -> list[Change]:
    direct = [
        change
        for turn in draft.turns
        if not turn.is_derived
        for change in turn.slot.changes
        if change.id in turn.flips
    ]
    return [*direct, *draft.withdrawn, *draft.reproposed, *draft.inverses]


def _somebody_else_decided(changes: list[Change], agent_id: UUID) -> bool:
    if not changes:
        return False
    moves = ChangeTransition.objects.filter(
        owner_id__in={change.owner_id for change in changes}, change_id__in=[change.id for change in changes]
    )
    by_others = Q(user_id__isnull=False) | (~Q(from_state="") & ~Q(agent_id=agent_id))
    return moves.filter(by_others).exists()
