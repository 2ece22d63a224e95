"""A person's judgement of a recall: what it told that mattered, what was beside the point, what it should have told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from memoryhub import audit
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Event, FieldVersion, MemoryItem, Recall, RecallFeedback

type Judgement = Literal["relevant", "polluting", "missed"]
VERDICTS: Mapping[str, str] = {"relevant": "used", "polluting": "useless", "missed": "missed"}
"""The verdict that each judgement counts as, beside those of agents."""
MOST_AT_ONCE = 200
IN_FORCE = """(f.user_id IS NULL OR NOT EXISTS (SELECT FROM memoryhub_recallfeedback g
  WHERE g.owner_id = f.owner_id AND g.recall_id = f.recall_id AND g.target_id = f.target_id AND g.user_id IS NOT NULL
    AND (g.at, g.id) > (f.at, f.id)))"""
"""SQL over a feedback `f`: of people's verdicts about one memory of a recall only the last one counts."""


def judge_sample(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    recall_id: UUID,
    judgements: Mapping[UUID, Judgement],
    user_id: int,
) -> int:
    """Note what a person judged, and answer how many verdicts are new or changed; the same said again changes nothing.

    Raises NotFound for a recall that is not the owner's, InvalidInput for an unknown judgement, a memory that was not told
    (relevant, polluting) or that was (missed).
    """
    if len(judgements) > MOST_AT_ONCE:
        raise InvalidInput(f"at most {MOST_AT_ONCE}", field="judgements", code="too_many")
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="desk", write=True):
        recall = Recall.objects.of(owner_id).filter(id=recall_id).first()
        if recall is None:
            raise NotFound("no such recall of this owner")
        _check(recall, judgements)
        rows = RecallFeedback.objects.of(owner_id).filter(recall_id=recall_id, user_id__isnull=False)
        standing = dict(rows.order_by("at", "id").values_list("target_id", "verdict"))
        fresh = {
            target: VERDICTS[judgement]
            for target, judgement in judgements.items()
            if standing.get(target) != VERDICTS[judgement]
        }
        RecallFeedback.objects.bulk_create(
            RecallFeedback(
                owner_id=owner_id,
                workspace_id=workspace_id,
                recall_id=recall_id,
                target_id=target,
                verdict=verdict,
                user_id=user_id,
            )
            for target, verdict in fresh.items()
        )
        if fresh:
            audit.record(
                audit.entry(
                    action="recall.judged",
                    workspace_id=workspace_id,
                    owner_id=owner_id,
                    object_kind="recall",
                    object_id=recall_id,
                    details={"judged": len(fresh)},
                )
            )
    return len(fresh)


def _check(recall: Recall, judgements: Mapping[UUID, Judgement]) -> None:
    told = {UUID(target) for line in recall.served for target in line.get("ids", [])}
    for target, judgement in judgements.items():
        if judgement not in VERDICTS:
            raise InvalidInput("relevant, polluting or missed", field="judgement", code="unknown_verdict")
        if (judgement == "missed") is (target in told):
            code = "served" if target in told else "not_served"
            raise InvalidInput("not so of this recall", field="judgement", code=code)
    missed = {target for target, judgement in judgements.items() if judgement == "missed"}
    if missed - _own(recall.owner_id, missed):
        raise NotFound("no such memory of this owner")


def _own(owner_id: UUID, ids: set[UUID]) -> set[UUID]:
    """Those of the ids that are events, values or sentences of the owner; at most three statements."""
    found: set[UUID] = set()
    for model in (Event, FieldVersion, MemoryItem) if ids else ():
        found |= set(model.objects.of(owner_id).filter(id__in=ids).values_list("id", flat=True))
    return found
