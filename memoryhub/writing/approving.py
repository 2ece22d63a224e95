"""What a person approved walks through the same door: settled again under the lock, with his word behind it."""

from __future__ import annotations

from uuid import UUID

from django.db.models.functions import Now

from memoryhub import audit
from memoryhub.changes.regressions import approve_regressed
from memoryhub.exceptions import WrongMove
from memoryhub.models import Change, ChangeTransition, MemoryItem
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, Circumstances
from memoryhub.writing.applying import apply_field
from memoryhub.writing.applying_items import apply_item, lock_items
from memoryhub.writing.applying_relations import apply_relation
from memoryhub.writing.applying_wordings import replace_item
from memoryhub.writing.candidates import (
    AnyCandidate,
    FormCandidate,
    ItemCandidate,
    RelationCandidate,
    Verdict,
)
from memoryhub.writing.vocabulary import load_vocabulary
from memoryhub.writing.whitelist import load_whitelist


def apply_approved(
    *,
    candidate: AnyCandidate,
    admission: Admission,
    approved: Change | None,
    act: Act,
    edits: UUID | None = None,
) -> Verdict:
    """Write an approved candidate. With `approved` that proposal becomes the applied change; without, a new one is made.

    `edits` is the item whose text the proposal wants changed: it is replaced if it still stands.
    """
    act.approving = approved
    circumstances = Circumstances(
        role=act.event.role if act.event else "",
        trust_tier=act.source.trust_tier,
        agent_id=act.source.agent_id,
        by_staff=True,
        quote_found=True,
    )
    approve_regressed(candidate, admission, act=act)
    if isinstance(candidate, FormCandidate):
        whitelist = load_whitelist(workspace_id=act.source.workspace_id)
        return apply_field(
            candidate=candidate,
            admission=admission,
            field=whitelist[candidate.form_type, candidate.field],
            circumstances=circumstances,
            act=act,
        )
    if isinstance(candidate, RelationCandidate):
        return apply_relation(
            candidate=candidate,
            admission=admission,
            circumstances=circumstances,
            vocabulary=load_vocabulary(workspace_id=act.source.workspace_id),
            act=act,
        )
    return _apply_item(candidate, admission, circumstances, edits=edits, act=act)


def _apply_item(
    candidate: ItemCandidate,
    admission: Admission,
    circumstances: Circumstances,
    *,
    edits: UUID | None,
    act: Act,
) -> Verdict:
    """In place of the item whose text it changes, if that still stands; else settled like any other."""
    sequence = lock_items(act=act)
    active = MemoryItem.objects.of(act.owner.id).filter(status=MemoryItem.Status.ACTIVE)
    standing = active.filter(id=edits).first() if edits else None
    if standing is not None:
        return replace_item(
            standing,
            candidate=candidate,
            admission=admission,
            sequence=sequence,
            metadata=standing.metadata,
            act=act,
        )
    return apply_item(candidate=candidate, admission=admission, circumstances=circumstances, act=act)


def edited_item(change: Change) -> UUID | None:
    """The item whose text a proposal wants changed; None when it proposes something else."""
    is_edit = change.target_kind == Change.Target.ITEM and change.reason_code == "edited"
    return change.before_id if is_edit else None


def move_change(
    change: Change, to_state: str, *, act: Act, user_id: int | None, reason_code: str = ""
) -> None:
    """Move a change along its table of states and append the transition. Raises WrongMove."""
    if to_state not in Change.MOVES.get(change.state, frozenset()):
        raise WrongMove(f"a change does not move from {change.state} to {to_state}")
    ChangeTransition.objects.create(
        **act.key(),
        change_id=change.id,
        from_state=change.state,
        to_state=to_state,
        user_id=user_id,
        agent_id=act.source.agent_id if user_id is None else None,
        reason_code=reason_code,
    )
    change.state = to_state
    Change.objects.of(change.owner_id).filter(id=change.id).update(state=to_state, decided_at=Now())
    audit.record(
        audit.entry(
            action=f"change.{to_state}",
            workspace_id=change.workspace_id,
            owner_id=change.owner_id,
            object_kind="change",
            object_id=change.id,
            details={"reason": reason_code},
        )
    )
