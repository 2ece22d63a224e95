"""What would become of candidates in an owner's memory as it stands: settled for real in a transaction that is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.models import Event, Owner, new_id
from memoryhub.policies import current_policy
from memoryhub.writing.acts import Act
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Candidate, Role, Verdict
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.source import Source
from memoryhub.writing.whitelist import load_whitelist


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """The outcome a candidate would have, its code, and what it would take the place of or be weighed against (None: nothing)."""

    outcome: str
    code: str = ""
    standing: Any = None


@run_again_when_busy
def try_settling(
    candidates: Sequence[Candidate],
    *,
    owner_id: UUID,
    text: str,
    role: Role,
    occurred_at: datetime,
    flags: Sequence[str],
    source: Source,
) -> list[Settled]:
    """One answer per candidate, in order, each as if those before it had been stored. Nothing is: no row, no audit, no job.

    Holds the owner's write turn for a moment. Raises UnknownOwner, OwnerFrozen, OwnerErasing.
    """
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="dry_run", write=True):
        act = _act(owner_id, text=text, role=role, occurred_at=occurred_at, source=source)
        lock_items(act=act)
        whitelist = load_whitelist(workspace_id=source.workspace_id)
        settling = Settling(act=act, whitelist=whitelist, flags=frozenset(flags))
        answers = [_answer(settle(candidate, settling=settling), act) for candidate in candidates]
        transaction.set_rollback(True)
    return answers


def _act(owner_id: UUID, *, text: str, role: Role, occurred_at: datetime, source: Source) -> Act:
    """An act that rests on an event with this text; never finished, so what it collects is never written."""
    event = Event(
        owner_id=owner_id,
        workspace_id=source.workspace_id,
        id=new_id(),
        content=text,
        role=role,
        occurred_at=occurred_at,
        agent_id=source.agent_id,
        trust_tier=source.trust_tier,
    )
    event.save(force_insert=True)
    return Act(
        owner=Owner.objects.select_related("workspace").get(id=owner_id),
        source=source,
        name="dry_run",
        now=timezone.now(),
        policy=current_policy(workspace_id=source.workspace_id).policy,
        event=event,
    )


def _answer(verdict: Verdict, act: Act) -> Settled:
    change = act.step(verdict.change_id)
    before = (change.before if change else None) or {}
    return Settled(
        outcome=verdict.outcome, code=verdict.code, standing=before.get("value", before.get("content"))
    )
