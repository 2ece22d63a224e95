"""What an agent would be told: the agents' own read path, asked by a person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from memoryhub.models import Event, FieldVersion, MemoryItem, Owner
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall
from reviews.queries.scopes import of
from reviews.values import label_of, shown


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Something that was found and not served."""

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


def see_as_agent(*, owner: Owner, query: str, user_id: int, session_ref: str = "") -> Seen:
    """The answer an agent would get now, logged as this person's look. Raises what `recall` raises."""
    answer = recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query=query, session_ref=session_ref, explain=True),
        caller=Caller(user_id=user_id),
    )
    ranked = {entry.target_id: entry.text for entry in answer.ranked}
    unranked = {row.target_id for row in answer.excluded} - ranked.keys()
    texts = ranked | (_words_of(owner, unranked) if unranked else {})
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


def _words_of(owner: Owner, ids: Collection[UUID]) -> dict[UUID, str]:
    """The words of what a hard filter kept out before it was ranked: events, sentences, values."""
    with of(owner):
        words = dict(Event.objects.of(owner.id).filter(id__in=ids).values_list("id", "content"))
        words |= dict(MemoryItem.objects.of(owner.id).filter(id__in=ids).values_list("id", "content"))
        values = FieldVersion.objects.of(owner.id).filter(id__in=ids).select_related("field")
        words |= {row.id: f"{label_of(row.field)}: {shown(row.value)}" for row in values}
    return words
