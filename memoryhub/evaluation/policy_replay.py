"""A labelled set replayed under a policy: written through the real path, asked through the real recall, in scratch workspaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memoryhub import audit
from memoryhub.database.owners import resolve_owner
from memoryhub.evaluation.importing import import_source
from memoryhub.evaluation.policy_cases import LabelledCase, LabelledQuestion, Part
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.language.embedders import Embedder
from memoryhub.models import PolicyMeasurement, PolicyVersion, Workspace
from memoryhub.policies import Policy
from memoryhub.policy_rules import policy_from
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.writing.structured import write_memory

type Told = Callable[[int], None]
"""Told how many questions were asked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Errors:
    """Counts over questions: of what is `needed` what was `missing`, of the `lines` told those `irrelevant`, of those the `old`
    ones (older than everything that was needed)."""

    questions: int = 0
    needed: int = 0
    missing: int = 0
    lines: int = 0
    irrelevant: int = 0
    old: int = 0
    tokens: int = 0

    def __add__(self, other: Errors) -> Errors:
        return Errors(
            questions=self.questions + other.questions,
            needed=self.needed + other.needed,
            missing=self.missing + other.missing,
            lines=self.lines + other.lines,
            irrelevant=self.irrelevant + other.irrelevant,
            old=self.old + other.old,
            tokens=self.tokens + other.tokens,
        )

    @property
    def missing_rate(self) -> float:
        return self.missing / self.needed if self.needed else 0.0

    @property
    def irrelevant_rate(self) -> float:
        return self.irrelevant / self.lines if self.lines else 0.0

    def as_json(self) -> dict[str, float | int]:
        return {
            "questions": self.questions,
            "needed": self.needed,
            "missing": self.missing,
            "missing_context": round(self.missing_rate, 4),
            "lines": self.lines,
            "irrelevant": self.irrelevant,
            "irrelevant_context": round(self.irrelevant_rate, 4),
            "older_than_needed": self.old,
            "tokens_per_answer": round(self.tokens / self.questions, 1) if self.questions else 0.0,
        }


@dataclass(kw_only=True, slots=True)
class _Stored:
    """A case in a scratch workspace: its owner, and which memory became what. What admission dropped is not there."""

    case: LabelledCase
    owner_id: UUID
    ids: dict[UUID, str] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class Replay:
    """A labelled set written under one admission; asked as often as one likes under other numbers of reading."""

    workspace: Workspace
    clock: datetime
    stored: list[_Stored] = field(default_factory=list)

    def ask(self, policy: Policy, told: Told = lambda _number: None) -> dict[Part, Errors]:
        """The errors of both parts with this policy in force."""
        _put_in_force(self.workspace, policy)
        found: dict[Part, Errors] = {"tuning": Errors(), "held_back": Errors()}
        for stored in self.stored:
            for question in stored.case.questions:
                found[stored.case.part] += self._ask(stored, question)
            told(len(stored.case.questions))
        return found

    def _ask(self, stored: _Stored, question: LabelledQuestion) -> Errors:
        answer = recall(
            workspace_id=self.workspace.id,
            owner_id=stored.owner_id,
            request=RecallRequest(query=question.query, evaluation=True, clock=self.clock),
            caller=Caller(),
        )
        told = [stored.ids.get(line.target_id, "") for line in answer.served]
        days = {memory.id: memory.days for memory in stored.case.memories}
        beside = [memory for memory in told if memory not in question.needed | question.fair]
        oldest = max(days[memory] for memory in question.needed)
        return Errors(
            questions=1,
            needed=len(question.needed),
            missing=len(question.needed - set(told)),
            lines=len(told),
            irrelevant=len(beside),
            old=sum(days.get(memory, 0.0) > oldest for memory in beside),
            tokens=answer.tokens,
        )


def open_replay(
    stack: ExitStack, cases: Sequence[LabelledCase], *, policy: Policy, embedder: Embedder
) -> Replay:
    """Write the set under the policy's admission into a workspace that is purged when `stack` closes."""
    replay = Replay(workspace=stack.enter_context(scratch_workspace(keep=False)), clock=timezone.now())
    _put_in_force(replay.workspace, policy)
    source = import_source(replay.workspace)
    for case in cases:
        owner = resolve_owner(workspace_id=replay.workspace.id, ref=case.id[:200], kind="user", create=True)
        stored = _Stored(case=case, owner_id=owner.id)
        for memory in case.memories:
            verdict = write_memory(
                owner_id=owner.id,
                content=memory.text,
                item_kind=memory.kind,
                importance=memory.importance,
                valid_from=replay.clock - timedelta(days=memory.days),
                source=source,
            )
            if verdict.outcome != "refused" and verdict.target_id:
                stored.ids[verdict.target_id] = memory.id
        while embed_missing(workspace_id=replay.workspace.id, owner_id=owner.id, embedder=embedder).stored:
            pass
        replay.stored.append(stored)
    return replay


def measure_version(
    version: PolicyVersion, cases: Sequence[LabelledCase], *, path: Path, embedder: Embedder
) -> PolicyMeasurement:
    """Replay the whole set under a version and note what it told: this is what lets a policy that tells more come into force."""
    policy = policy_from(version.values)
    with ExitStack() as stack:
        parts = open_replay(stack, cases, policy=policy, embedder=embedder).ask(policy)
    return _noted(version, parts["tuning"] + parts["held_back"], labelled_set=path.name[:200])


@transaction.atomic
def _noted(version: PolicyVersion, found: Errors, *, labelled_set: str) -> PolicyMeasurement:
    audit.record(
        audit.entry(
            action="policy.measured",
            workspace_id=version.workspace_id,
            object_kind="policy",
            object_id=version.id,
            details={"number": version.number, "lines": found.lines, "polluted": found.irrelevant},
        )
    )
    return PolicyMeasurement.objects.create(
        workspace_id=version.workspace_id,
        version=version,
        labelled_set=labelled_set,
        questions=found.questions,
        lines=found.lines,
        polluted=found.irrelevant,
        needed=found.needed,
        missing=found.missing,
    )


def _put_in_force(workspace: Workspace, policy: Policy) -> None:
    """Another version in a scratch workspace, where nobody has to approve it."""
    versions = PolicyVersion.objects.filter(workspace=workspace)
    number = versions.count()
    versions.filter(is_current=True).update(is_current=False)
    PolicyVersion.objects.create(
        workspace=workspace,
        number=number + 1,
        name="replay",
        values={**policy.as_values(), "gated_agents": []},
        is_current=True,
        state=PolicyVersion.State.APPROVED,
        origin=PolicyVersion.Origin.RULE,
    )
