"""A trial that runs, and recalls of its two sides as the read path leaves them, for the tests that measure it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from memoryhub.database.scope import scope
from memoryhub.models import (
    MemoryItem,
    Owner,
    PolicyTrial,
    PolicyVersion,
    Recall,
    RecallFeedback,
    RepeatedQuestion,
    Session,
    Workspace,
    new_id,
)
from memoryhub.policy_trials import propose_trial, start_trial
from memoryhub.policy_versions import draft_policy
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source


@dataclass(frozen=True)
class Running:
    """A workspace in which version 2 (top_k 8) is tried on half of the owners."""

    source: Source
    trial: PolicyTrial

    def of(self, side: str) -> PolicyVersion:
        return self.trial.control if side == "control" else self.trial.version


def run_trial(workspace: Workspace, *, share: int = 50, **values: Any) -> Running:
    """A trial proposed by one person and started by another."""
    ann, bob = (User.objects.get_or_create(username=name)[0] for name in ("proposer", "starter"))
    version = draft_policy(
        workspace_id=workspace.id, user_id=ann.pk, name="wider", values=values or {"top_k": 8}, reason="try", propose=True
    )  # fmt: skip
    about: dict[str, Any] = {"workspace_id": workspace.id}
    trial = propose_trial(**about, number=version.number, share=share, user_id=ann.pk, reason="see")
    start_trial(**about, number=trial.number, user_id=bob.pk, reason="agreed")
    found = PolicyTrial.objects.select_related("version", "control").get(id=trial.id)
    return Running(source=make_source(workspace), trial=found)


@dataclass(frozen=True)
class Asked:
    """One owner of a side, and what is put in his name."""

    running: Running
    owner: Owner
    version: PolicyVersion

    @classmethod
    def by(cls, running: Running, side: str) -> Asked:
        return cls(running, make_owner(running.source), running.of(side))

    @property
    def start(self) -> datetime:
        assert self.running.trial.started_at is not None
        return self.running.trial.started_at

    def recall(
        self, *, told: int = 0, item: UUID | None = None, minute: float = 1, tokens: int = 100, **columns: Any
    ) -> Recall:
        """A recall that told `told` items, the first of them `item`."""
        ids = [item or new_id(), *(new_id() for _ in range(told))][:told]
        lines = [
            {
                "section": "fragments",
                "kind": "item",
                "id": str(i),
                "owner": str(self.owner.id),
                "ids": [str(i)],
            }
            for i in ids
        ]
        values: dict[str, Any] = {
            "query": "budget",
            "agent_id": self.running.source.agent_id,
            "policy_version": self.version,
            "served": lines,
            "tokens": tokens,
            "milliseconds": 10.0,
            "created_at": self.start + timedelta(minutes=minute),
            **columns,
        }
        made: Recall = self._put(Recall, **values)
        return made

    def judge(self, recall: Recall, *verdicts: str, user_id: int | None = None) -> None:
        """A verdict on each line of the recall, in order; an agent's, or a person's."""
        for line, verdict in zip(recall.served, verdicts, strict=False):
            self._put(
                RecallFeedback,
                recall_id=recall.id,
                target_id=UUID(line["id"]),
                verdict=verdict,
                user_id=user_id,
            )

    def repeat(self, earlier: Recall, later: Recall) -> None:
        self._put(
            RepeatedQuestion,
            earlier_id=earlier.id,
            later_id=later.id,
            sign="same_words",
            likeness=1.0,
            earlier_at=earlier.created_at,
            at=later.created_at,
        )

    def session(self, ref: str, outcome: str) -> None:
        self._put(Session, ref=ref, outcome=outcome, outcome_at=self.start + timedelta(hours=6))

    def item(self, **columns: Any) -> MemoryItem:
        values = {
            "seq": 1,
            "kind": "semantic",
            "content": "Likes tea",
            "confidence": 0.9,
            "importance": 0.7,
            "trust_tier": 3,
            "strength_anchor": 0.7,
            "status": "active",
            "valid_from": self.start - timedelta(days=1),
        }
        made: MemoryItem = self._put(MemoryItem, **(values | columns))
        return made

    def _put(self, model: Any, **columns: Any) -> Any:
        owner = self.owner
        with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="write", write=True):
            return model.objects.create(owner_id=owner.id, workspace_id=owner.workspace_id, **columns)
