"""Two policies side by side on owners of one workspace: figure by figure an estimate for each and the difference, with intervals.

Owners are drawn, not recalls, so everything is reckoned by owner (evaluation.intervals).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from memoryhub.database.scope import scope
from memoryhub.evaluation.ab_figures import Counted, Name, Side, count_answers
from memoryhub.evaluation.intervals import (
    Difference,
    Estimate,
    difference_of_means,
    difference_of_shares,
    mean_of,
    share_of,
)
from memoryhub.models import PolicyTrial
from memoryhub.policy_measuring import reading_alike
from memoryhub.policy_rules import policy_from

type Kind = Literal["share", "mean"]

FIGURES: tuple[tuple[Name, Kind, int], ...] = (
    ("answered", "share", 1),
    ("hit", "share", 1),
    ("pollution", "share", -1),
    ("stale", "share", -1),
    ("repeated", "share", -1),
    ("resolved", "share", 1),
    ("tokens", "mean", -1),
    ("milliseconds", "mean", -1),
)
"""Name, kind, and whether more of it is better (1) or worse (-1)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One figure under both versions; `verdict` says what the difference is to the one in trial."""

    name: Name
    kind: Kind
    better: int
    control: Estimate
    trial: Estimate
    difference: Difference

    @property
    def verdict(self) -> Literal["better", "worse", "unclear", "too_few"]:
        value = self.difference.value
        if value is None:
            return "too_few"
        if not self.difference.is_clear:
            return "unclear"
        return "better" if value * self.better > 0 else "worse"

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "control": self.control.as_json(),
            "trial": self.trial.as_json(),
            "difference": self.difference.as_json(),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """The figures of a trial between `since` and `until`; `percentiles` are p50 and p95 of the milliseconds per side."""

    trial: PolicyTrial
    since: datetime
    until: datetime
    figures: tuple[Figure, ...]
    percentiles: dict[Side, tuple[float, float]]
    is_cut: bool

    def figure(self, name: Name) -> Figure:
        return next(figure for figure in self.figures if figure.name == name)

    def as_json(self) -> dict[str, Any]:
        return {
            "trial": self.trial.number,
            "state": self.trial.state,
            "share": self.trial.share,
            "control": self.trial.control.number,
            "version": self.trial.version.number,
            "since": self.since.isoformat(),
            "until": self.until.isoformat(),
            "figures": {figure.name: figure.as_json() for figure in self.figures},
            "milliseconds_p50_p95": {side: list(times) for side, times in self.percentiles.items()},
            "is_cut": self.is_cut,
        }


def compare_trial(*, trial: PolicyTrial, now: datetime) -> Comparison | None:
    """The figures of a trial since it started, up to its end; None for one that never ran. Two statements in one scope.

    `trial` is loaded with its version and control.
    """
    if trial.started_at is None:
        return None
    until = trial.ended_at or now
    with scope(workspace_id=trial.workspace_id, owners="workspace", purpose="desk", staff=True):
        counted = count_answers(
            workspace_id=trial.workspace_id,
            control=[id_ for id_ in reading_alike(trial.control) if id_ != trial.version_id],
            tried=[trial.version_id],
            since=trial.started_at,
            until=until,
            stale_days=policy_from(trial.control.values).stale_document_days,
        )
    return Comparison(
        trial=trial,
        since=trial.started_at,
        until=until,
        figures=tuple(_figure(counted, name, kind, better) for name, kind, better in FIGURES),
        percentiles=counted.percentiles,
        is_cut=counted.is_cut,
    )


def _figure(counted: Counted, name: Name, kind: Kind, better: int) -> Figure:
    first, second = counted.of(name, "control"), counted.of(name, "trial")
    estimate = share_of if kind == "share" else mean_of
    differ = difference_of_shares if kind == "share" else difference_of_means
    return Figure(
        name=name,
        kind=kind,
        better=better,
        control=estimate(first),
        trial=estimate(second),
        difference=differ(first, second),
    )
