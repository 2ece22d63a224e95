"""What an agent says about what it was served. 'harmful' puts the memory before a person at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryhub import idempotency
from memoryhub.changes.following import count_followed
from memoryhub.changes.opening_rechecks import open_rechecks
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Recall, RecallFeedback

VERDICTS = ("used", "useless", "harmful", "followed")
MOST_AT_ONCE = 100
HARMFUL_RISK = 0.3
"""What a harmful verdict adds to the risk of the re-check."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedbackResult:
    """How many verdicts were new, and the re-checks that were opened."""

    recorded: int
    review_ids: tuple[UUID, ...]

    def as_json(self) -> dict[str, int]:
        return {"recorded": self.recorded, "rechecks": len(self.review_ids)}


def record_feedback(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    recall_id: UUID,
    verdicts: Sequence[tuple[UUID, str]],
    agent_id: UUID | None,
) -> FeedbackResult:
    """Note (memory, verdict) pairs about one recall of the owner; saying the same again changes nothing.

    Raises NotFound for a recall that is not the owner's, InvalidInput for an unknown verdict, a memory that this recall did
    not serve, or more than MOST_AT_ONCE. What was read from a linked owner is re-checked there.
    """
    _check(verdicts)
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="feedback"):
        told = _judged(owner_id, recall_id, verdicts)
    reached = {told[target_id] for target_id, verdict in verdicts if verdict in ("harmful", "followed")}
    owners = sorted({owner_id, *reached})
    with scope(workspace_id=workspace_id, owners=owners, purpose="feedback", write=True):
        idempotency.take_claim()
        given = RecallFeedback.objects.of(owner_id).filter(recall_id=recall_id)
        known = set(given.values_list("target_id", "verdict"))
        fresh = [pair for pair in dict.fromkeys(verdicts) if pair not in known]
        rows = [
            RecallFeedback(
                owner_id=owner_id,
                workspace_id=workspace_id,
                recall_id=recall_id,
                target_id=target_id,
                verdict=verdict,
                agent_id=agent_id,
            )
            for target_id, verdict in fresh
        ]
        RecallFeedback.objects.bulk_create(rows, ignore_conflicts=True)
        # Only what is new: said again after a person has decided, it does not open the matter once more.
        harmful = {target_id: told[target_id] for target_id, verdict in fresh if verdict == "harmful"}
        opened = open_rechecks(
            harmful,
            workspace_id=workspace_id,
            reason="harmful_feedback",
            added_risk=HARMFUL_RISK,
        )
        count_followed({target_id: told[target_id] for target_id, verdict in fresh if verdict == "followed"})
        result = FeedbackResult(recorded=len(fresh), review_ids=tuple(opened.review_ids.values()))
        idempotency.keep_answer(result.as_json())
    return result


def _check(verdicts: Sequence[tuple[UUID, str]]) -> None:
    if not verdicts:
        raise InvalidInput("nothing is said", field="verdicts", code="blank")
    if len(verdicts) > MOST_AT_ONCE:
        raise InvalidInput(f"at most {MOST_AT_ONCE}", field="verdicts", code="too_many")
    if any(verdict not in VERDICTS for _, verdict in verdicts):
        raise InvalidInput("one of " + ", ".join(VERDICTS), field="verdict", code="unknown_verdict")


def _judged(owner_id: UUID, recall_id: UUID, verdicts: Sequence[tuple[UUID, str]]) -> dict[UUID, UUID]:
    """What the recall told, as `_told`. Raises NotFound for the recall, InvalidInput for a memory it did not serve."""
    recall = Recall.objects.of(owner_id).filter(id=recall_id).first()
    if recall is None:
        raise NotFound("no such recall of this owner")
    told = _told(recall)
    procedures = {
        UUID(target)
        for line in recall.served
        if line.get("section") == "procedures"
        for target in line["ids"]
    }
    for target_id, verdict in verdicts:
        if verdict == "followed" and target_id in told and target_id not in procedures:
            raise InvalidInput(
                "only a procedure is followed",
                field="memory",
                code="not_a_procedure",
                details={"memory": str(target_id)},
            )
        if target_id not in told:
            raise InvalidInput(
                "this recall did not serve it",
                field="memory",
                code="not_served",
                details={"memory": str(target_id)},
            )
    return told


def _told(recall: Recall) -> dict[UUID, UUID]:
    """What the recall served: memory → owner."""
    lines: list[dict[str, Any]] = recall.served
    return {
        UUID(target): UUID(line.get("owner") or str(recall.owner_id))
        for line in lines
        for target in line.get("ids", [])
    }
