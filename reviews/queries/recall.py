"""What an agent would be told: the agents' own read path, asked by a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memoryhub.models import Owner
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Something that was found and not served. `text` is '' when it never came into the ranking."""

    kind: str
    target_id: UUID
    rule: str
    score: float
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    answer: RecallAnswer
    left_out: Sequence[LeftOut]

    @property
    def number_left_out(self) -> int:
        return sum(self.answer.excluded_counts.values())


def see_as_agent(*, owner: Owner, query: str, user_id: int) -> Seen:
    """The answer an agent would get now, logged as this person's look. Raises what `recall` raises."""
    answer = recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query=query, explain=True),
        caller=Caller(user_id=user_id),
    )
    texts = {entry.target_id: entry.text for entry in answer.ranked}
    left_out = [
        LeftOut(
            kind=row.kind,
            target_id=row.target_id,
            rule=row.rule,
            score=row.score,
            text=texts.get(row.target_id, ""),
        )
        for row in answer.excluded
    ]
    return Seen(answer=answer, left_out=left_out)
