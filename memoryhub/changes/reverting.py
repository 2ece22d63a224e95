"""Undo changes: look at what would happen, then do exactly that, in one transaction or, for many, in a job.

A rollback is a change set like any other. It appends the inverse of every change in reverse order, so history only grows, and
rolling it back brings back what it took.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memoryhub import idempotency
from memoryhub.changes.own_changes import refuse_others
from memoryhub.changes.reverting_plan import Draft, Skipped, decide, read_material
from memoryhub.changes.reverting_writing import (
    Author,
    clock,
    open_change_sets,
    owners_of,
    take_turns,
    write_draft,
)
from memoryhub.changes.rollback_job import queue_rollback
from memoryhub.changes.rollback_preview import (
    PlanItem,
    RollbackPlan,
    count_effects,
    digest_of,
    make_plan,
    make_reason,
    slot_items,
)
from memoryhub.changes.rollback_scope import RollbackScope, matching
from memoryhub.database.scope import Owners
from memoryhub.database.scope import scope as database_scope
from memoryhub.exceptions import InvalidInput, RollbackMoved
from memoryhub.models import Change, Owner

MOST_AT_ONCE = 500
"""Changes that are undone in one transaction; more go into a job."""

MOST_WITHOUT_PREVIEW = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackResult:
    """What was done: one change set per owner, and per slot or proposal what became of it. With `job_id` it is being done."""

    change_set_ids: dict[UUID, UUID]
    items: tuple[PlanItem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    changes: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    job_id: UUID | None = None

    @property
    def undo_scope(self) -> RollbackScope:
        """The scope that rolls this rollback back."""
        return RollbackScope(change_set_ids=tuple(self.change_set_ids.values()))

    def as_json(self) -> dict[str, Any]:
        """Ids and codes only, for an answer that is kept."""
        return {
            "change_sets": [str(change_set) for change_set in self.change_set_ids.values()],
            "job": str(self.job_id) if self.job_id else None,
            "changes": self.changes,
            "counts": self.counts,
            "items": [
                {
                    "key": item.key,
                    "kind": item.kind,
                    "effect": item.effect,
                    "conflict": item.conflict,
                    "is_derived": item.is_derived,
                    "changes": [str(change) for change in item.change_ids],
                }
                for item in self.items
            ],
            "skipped": [
                {"code": skip.code, "changes": [str(change) for change in skip.change_ids]}
                for skip in self.skipped
            ],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class OneClick:
    """What a Roll back button will do, in parts for a label: back to "…"; n derived, served m times.

    `effect` is that of the only slot, 'several' for more, 'nothing' when there is nothing to undo. The preview page comes first
    only on a conflict or above MOST_WITHOUT_PREVIEW items.
    """

    scope: RollbackScope
    effect: str
    back_to: Any
    items: int
    derived: int
    served: int
    digest: str
    needs_preview: bool
    reason: str


def plan_rollback(*, workspace_id: UUID, scope: RollbackScope, agent_id: UUID | None = None) -> RollbackPlan:
    """What undoing everything under the scope would do; writes nothing.

    The plan's own `scope` has `until` set to now, so that what is written meanwhile does not move the digest. Raises
    InvalidInput for an empty scope, and for an agent (`agent_id`) NotOwnChange when it is not its own to undo.
    """
    scope.check()
    with _reading(workspace_id, scope):
        now = clock()
        if scope.until is None and not scope.restore_id:
            scope = replace(scope, until=now)
        draft = decide(read_material(scope, workspace_id=workspace_id, now=now), ticked=())
        if agent_id is not None:
            refuse_others(draft, agent_id=agent_id)
        return make_plan(draft, workspace_id=workspace_id, needs_job=draft.size > MOST_AT_ONCE)


def one_click(*, workspace_id: UUID, scope: RollbackScope) -> OneClick:
    """The parts of the button's label, and the digest to execute with. Raises as `plan_rollback`."""
    plan = plan_rollback(workspace_id=workspace_id, scope=scope)
    direct = [item for item in plan.items if not item.is_derived]
    only = direct[0] if len(direct) == 1 else None
    return OneClick(
        scope=plan.scope,
        effect=only.effect if only else "several" if direct else "nothing",
        back_to=only.after if only else None,
        items=len(plan.items),
        derived=len(plan.items) - len(direct),
        served=plan.recalls,
        digest=plan.digest,
        needs_preview=bool(plan.conflicts) or len(plan.items) > MOST_WITHOUT_PREVIEW,
        reason=plan.reason,
    )


def execute_rollback(
    *,
    workspace_id: UUID,
    scope: RollbackScope,
    digest: str,
    user_id: int | None,
    ticked: Collection[str] = (),
    reason: str = "",
    agent_id: UUID | None = None,
    api_key_id: UUID | None = None,
    transport: str = "desk",
    review_id: UUID | None = None,
) -> RollbackResult:
    """Do what the plan with this digest showed. `ticked` are keys of plan items whose conflict is overruled.

    `review_id` is the review whose decision this carries out: its own service closes it, all others about the undone changes
    are withdrawn here.

    Up to MOST_AT_ONCE changes in one transaction over all their owners; more are queued as a job (`job_id`). Raises
    RollbackMoved (409) when the digest is not that of a plan made now, InvalidInput for a ticked key that is no conflict, the
    owner errors, and for an agent (`agent_id`) NotOwnChange when it is not its own to undo.
    """
    scope.check()
    author = Author(
        user_id=user_id,
        agent_id=agent_id,
        api_key_id=api_key_id,
        transport=transport,
        reason=reason[:500],
        review_id=review_id,
    )
    with _reading(workspace_id, scope):
        owners = _active_owners(scope, workspace_id)
    if not owners:
        return _nothing_done(workspace_id, scope, digest)
    with database_scope(workspace_id=workspace_id, owners=owners, purpose="rollback", write=True):
        idempotency.take_claim()
        take_turns(owners, workspace_id=workspace_id)
        now = clock()
        draft = _agreed_draft(scope, workspace_id=workspace_id, now=now, digest=digest, ticked=ticked)
        if agent_id is not None:
            refuse_others(draft, agent_id=agent_id, ticked=ticked)
        result = _carry_out(draft, workspace_id=workspace_id, author=author, now=now, ticked=ticked)
        idempotency.keep_answer(result.as_json())
    return result


def _nothing_done(workspace_id: UUID, scope: RollbackScope, digest: str) -> RollbackResult:
    """Nobody may be written: only the reasons are told. Raises RollbackMoved when a plan with something in it was shown."""
    if digest != digest_of(Draft(scope=scope)):
        raise RollbackMoved("nothing is left to undo")
    with _reading(workspace_id, scope):
        draft = decide(read_material(scope, workspace_id=workspace_id, now=clock()), ticked=())
    return RollbackResult(change_set_ids={}, skipped=tuple(draft.skipped))


def _agreed_draft(
    scope: RollbackScope, *, workspace_id: UUID, now: datetime, digest: str, ticked: Collection[str]
) -> Draft:
    """What was shown, decided anew under the owners' turns, with what was ticked. Raises RollbackMoved, InvalidInput."""
    material = read_material(scope, workspace_id=workspace_id, now=now)
    draft = decide(material, ticked=())
    if digest_of(draft) != digest:
        raise RollbackMoved("the memory has moved since the preview")
    if not ticked:
        return draft
    _check_ticked(draft, ticked)
    return decide(material, ticked=frozenset(ticked))


def _carry_out(
    draft: Draft, *, workspace_id: UUID, author: Author, now: datetime, ticked: Collection[str]
) -> RollbackResult:
    """Write the draft, or queue it when it is too much for one transaction."""
    if not author.reason:
        author = replace(author, reason=make_reason(draft))
    sets = open_change_sets(owners_of(draft), workspace_id=workspace_id, author=author, skipped=draft.skipped)
    if draft.size > MOST_AT_ONCE:
        job_id = queue_rollback(
            draft, workspace_id=workspace_id, change_sets=sets, author=author, ticked=ticked
        )
        return RollbackResult(
            change_set_ids=sets, changes=draft.size, job_id=job_id, skipped=tuple(draft.skipped)
        )
    write_draft(draft, workspace_id=workspace_id, change_sets=sets, author=author, moment=now)
    return _done(draft, sets)


def _done(draft: Draft, change_sets: dict[UUID, UUID]) -> RollbackResult:
    items = slot_items(draft, served={})
    return RollbackResult(
        change_set_ids=change_sets,
        items=tuple(items),
        skipped=tuple(draft.skipped),
        changes=draft.size,
        counts=count_effects(items),
    )


def _check_ticked(draft: Draft, ticked: Collection[str]) -> None:
    unknown = sorted(set(ticked) - {turn.key for turn in draft.turns if turn.conflict})
    if unknown:
        raise InvalidInput(f"{unknown[0]} is no conflict", field="ticked", code="not_a_conflict")


def _reading(workspace_id: UUID, scope: RollbackScope) -> AbstractContextManager[None]:
    """A scope that sees the owners the rollback names, or the whole workspace when it names none."""
    owners: Owners = list(scope.owner_ids) or "workspace"
    return database_scope(workspace_id=workspace_id, owners=owners, purpose="desk")


def _active_owners(scope: RollbackScope, workspace_id: UUID) -> list[UUID]:
    """The owners whose memory the scope concerns and who may be written."""
    if scope.owner_ids:
        concerned = set(scope.owner_ids)
    elif scope.restore_id is not None:
        about = Change.objects.filter(workspace_id=workspace_id, target_id=scope.restore_id)
        concerned = set(about.values_list("owner_id", flat=True))
    else:
        concerned = set(matching(scope, workspace_id=workspace_id).values_list("owner_id", flat=True))
    active = Owner.objects.filter(workspace_id=workspace_id, id__in=concerned, state=Owner.State.ACTIVE)
    return sorted(active.values_list("id", flat=True))
