"""What every leg is asked with: when, whose, what for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub.models import MemoryItem
from memoryhub.recall.answers import RecallRequest
from memoryhub.recall.asking import Question
from memoryhub.recall.knowing import Known
from memoryhub.recall.pointers import Resolved

ITEM_KINDS = tuple(MemoryItem.Kind.values)


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """`valid_at` and `known_at` choose what is true; `clock` is what ages are counted from. `is_now`: neither was asked.

    `was_now`: neither was asked of a recall that is replayed; what was live then may have ended since.
    """

    valid_at: datetime
    known_at: datetime
    clock: datetime
    is_now: bool
    was_now: bool = False

    @property
    def is_present(self) -> bool:
        """Whether the question is about the present of whoever asks or asked it."""
        return self.is_now or self.was_now

    def distance(self, when: datetime) -> float:
        """Seconds between the clock and a date before or after it: a date ahead never beats today."""
        return abs((self.clock - when).total_seconds())

    def days_since(self, when: datetime) -> float:
        """Age in days, never negative: a date in the future is as fresh as today."""
        return max((self.clock - when).total_seconds() / 86_400, 0.0)


def moment_of(
    known: Known,
    *,
    valid_at: datetime | None,
    known_at: datetime | None,
    clock: datetime | None = None,
    is_replay: bool = False,
) -> Moment:
    """The moment asked for; what was not asked for is now, by the database's clock (of a replay: `known.now`, its moment)."""
    is_present = valid_at is None and known_at is None
    return Moment(
        valid_at=valid_at or known.now,
        known_at=known_at or known.now,
        clock=clock or valid_at or known.now,
        is_now=is_present and not is_replay,
        was_now=is_present and is_replay,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One recall as the steps after the question see it."""

    known: Known
    request: RecallRequest
    question: Question
    moment: Moment
    resolved: tuple[Resolved, ...] = ()

    @property
    def budget(self) -> int:
        return budget_of(self.known, self.request.budget_tokens)

    @property
    def top_k(self) -> int:
        return self.known.policy.top_k if self.request.top_k is None else self.request.top_k

    @property
    def item_kinds(self) -> Sequence[str]:
        return [kind for kind in ITEM_KINDS if self.wants(kind)]

    @property
    def asks_for_events(self) -> bool:
        return "event" in self.request.kinds

    @property
    def asks_for_history(self) -> bool:
        return "history" in self.question.intents or not self.moment.is_present

    @property
    def asks_for_recent(self) -> bool:
        return (
            ("recent" in self.question.intents and not self.question.asks_for_a_time)
            or self.request.kinds == ("event",)
            or not self.question.tokens
        )

    def wants(self, kind: str) -> bool:
        """Whether this kind was asked for; without `kinds` all are."""
        return not self.request.kinds or kind in self.request.kinds


def budget_of(known: Known, tokens: int | None) -> int:
    """The tokens to spend: what was asked for, else the policy's, never over the policy's most."""
    return min(known.policy.budget_tokens if tokens is None else tokens, known.policy.most_budget_tokens)
