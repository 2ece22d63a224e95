"""One act of writing: its change set, the changes made or proposed in it, and their audit entries.

Rows are collected while the act goes on and written together at its end, so that an act of one candidate and of twenty cost
the same number of statements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from memoryhub import audit
from memoryhub.changes.asking import questions_for
from memoryhub.changes.queueing import reviews_for
from memoryhub.models import AuditEntry, Change, ChangeSet, ChangeTransition, Event, Owner, Question, Review
from memoryhub.policies import Policy
from memoryhub.search_index import NewEntry, add_entries, close_entries
from memoryhub.writing.source import Source


@dataclass(kw_only=True, slots=True)
class Act:
    """Everything one transaction writes for one owner. `event` is what gave rise to it; None for a write without one."""

    owner: Owner
    source: Source
    name: str
    now: datetime
    policy: Policy = field(default_factory=Policy)
    event: Event | None = None
    session_ref: str = ""
    reason: str = ""
    approving: Change | None = None
    """The proposal a person said yes to: the next applied step of this act is that one, not a new one."""
    written_set_id: UUID | None = None
    """The change set that `finish` wrote; None when the act changed nothing by itself."""
    needs_vectors: bool = False
    """Whether something searchable was written; its vectors are filled by a job."""
    _change_set: ChangeSet | None = None
    _changes: list[Change] = field(default_factory=list)
    _entries: list[NewEntry] = field(default_factory=list)
    _closed: list[UUID] = field(default_factory=list)
    _audit: list[AuditEntry] = field(default_factory=list)

    @property
    def event_id(self) -> UUID | None:
        return self.event.id if self.event else None

    def key(self) -> dict[str, UUID]:
        """The two columns every row of the owner carries."""
        return {"owner_id": self.owner.id, "workspace_id": self.owner.workspace_id}

    def add_change(self, *, content: Any, **values: Any) -> Change:
        """Note one step. `content` is what the audit entry commits to; `values` are columns of Change."""
        if self.approving is not None and values["state"] == Change.State.APPLIED:
            return self._apply_approved(self.approving, values["target_id"], content)
        ours = {
            **self.key(),
            "change_set_id": self._set().id,
            "event_id": self.event_id,
            "trust_tier": self.source.trust_tier,
            "agent_id": self.source.agent_id,
            "responsible_user_id": self.source.responsible_user_id,
        }
        change = Change(**{**ours, **values})
        self._changes.append(change)
        self._audit.append(self._audited(change, content))
        return change

    def _apply_approved(self, change: Change, target_id: UUID, content: Any) -> Change:
        """The proposal itself becomes the applied change."""
        transition = self._transition(change, to_state=Change.State.APPLIED)
        transition.save(force_insert=True)
        change.state, change.target_id = Change.State.APPLIED, target_id
        Change.objects.of(change.owner_id).filter(id=change.id).update(
            state=change.state, target_id=target_id, decided_at=Now()
        )
        self._audit.append(self._audited(change, content))
        self.approving = None
        return change

    def _audited(self, change: Change, content: Any) -> AuditEntry:
        return audit.entry(
            action=f"change.{change.state}",
            workspace_id=self.owner.workspace_id,
            owner_id=self.owner.id,
            object_kind="change",
            object_id=change.id,
            content=repr(content).encode("utf-8", "surrogatepass"),
            details={"action": change.action, "target": str(change.target_id or "")},
        )

    def step(self, change_id: UUID | None) -> Change | None:
        """A step of this act that is not written yet."""
        return next((change for change in self._changes if change.id == change_id), None)

    def refuse(self, *, code: str, what: str, **noted: Any) -> None:
        """Leave a trace of something that was not stored, without its content; `noted` are numbers and codes."""
        self._audit.append(
            audit.entry(
                action="write.refused",
                workspace_id=self.owner.workspace_id,
                owner_id=self.owner.id,
                object_kind="event" if self.event else "",
                object_id=self.event_id,
                details={"code": code, "what": what, **noted},
            )
        )

    def index(self, entry: NewEntry) -> None:
        self._entries.append(entry)

    def unindex(self, target_id: UUID) -> None:
        self._closed.append(target_id)

    def finish(self) -> None:
        """Write what was collected: search entries, change set, changes, transitions, audit. In this order."""
        if self._closed:
            close_entries(owner_id=self.owner.id, target_ids=self._closed)
        add_entries(workspace_id=self.owner.workspace_id, owner_id=self.owner.id, entries=self._entries)
        self.needs_vectors = self.needs_vectors or bool(self._entries)
        if self._change_set is not None:
            self._change_set.save(force_insert=True)
            self.written_set_id = self._change_set.id
            Change.objects.bulk_create(self._changes)
            ChangeTransition.objects.bulk_create(self._transition(change) for change in self._changes)
            Review.objects.bulk_create(reviews_for(self._changes, policy=self.policy, now=self.now))
            Question.objects.bulk_create(
                questions_for(self._changes, language=self.owner.language, policy=self.policy, now=self.now)
            )
        audit.record(*self._audit)
        for collected in (self._entries, self._closed, self._changes, self._audit):
            collected.clear()
        self._change_set = None

    def _transition(self, change: Change, *, to_state: str = "") -> ChangeTransition:
        return ChangeTransition(
            **self.key(),
            change_id=change.id,
            from_state=change.state if to_state else "",
            to_state=to_state or change.state,
            agent_id=change.agent_id,
            user_id=self.source.user_id,
            reason_code=change.reason_code,
        )

    def _set(self) -> ChangeSet:
        if self._change_set is None:
            self._change_set = ChangeSet(
                **self.key(),
                act=self.name,
                agent_id=self.source.agent_id,
                api_key_id=self.source.api_key_id,
                user_id=self.source.user_id,
                event_id=self.event_id,
                session_ref=self.session_ref,
                transport=self.source.transport,
                reason=self.reason,
                created_at=Now(),
            )
        return self._change_set
