"""The figures of the decision suite: memory and baseline beside each other, per language and kind; and what fell short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from memoryhub.evaluation.decision_quality import Checked

LEAST_CURRENT = 0.97
LEAST_PATH = 0.95
MOST_STALE = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Shares:
    """Of one group of checkpoints: shares in [0, 1]; those of paths over the checkpoints that ask for one."""

    conversations: int
    checkpoints: int
    paths: int
    current: float
    path: float
    stale: float
    baseline_current: float
    baseline_path: float
    baseline_stale: float
    baseline_read_well: float

    def as_json(self) -> dict[str, Any]:
        """Memory's figures, the baseline's under `baseline`."""
        return {
            "conversations": self.conversations,
            "checkpoints": self.checkpoints,
            "paths": self.paths,
            "current": round(self.current, 4),
            "path": round(self.path, 4),
            "stale": round(self.stale, 4),
            "baseline": {
                "current": round(self.baseline_current, 4),
                "path": round(self.baseline_path, 4),
                "stale": round(self.baseline_stale, 4),
                "perfect_reader": round(self.baseline_read_well, 4),
            },
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionReport:
    """`groups` by name; 'all' is the last one."""

    half: str
    groups: dict[str, Shares]
    failures: list[str]

    @property
    def whole(self) -> Shares:
        return self.groups["all"]

    def shortfalls(self) -> list[str]:
        """The targets that are missed, in words; none when all are reached."""
        whole = self.whole
        missed = []
        if whole.current < LEAST_CURRENT:
            missed.append(f"{self.half}: current value right {whole.current:.1%}, below {LEAST_CURRENT:.0%}")
        if whole.path < LEAST_PATH:
            missed.append(f"{self.half}: full path in order {whole.path:.1%}, below {LEAST_PATH:.0%}")
        if whole.stale > MOST_STALE:
            missed.append(f"{self.half}: stale shown as current {whole.stale:.1%}, above {MOST_STALE:.0%}")
        return missed

    def as_json(self) -> dict[str, Any]:
        return {
            "half": self.half,
            "groups": {name: shares.as_json() for name, shares in self.groups.items()},
            "failures": self.failures,
        }

    def as_table(self) -> Table:
        """One line a group: memory, then the baseline."""
        table = Table(
            "group", "checks", "current", "path", "stale", "·", "current", "path", "stale", "perfect reader",
            title=f"decisions, {self.half} half: memory · chunk-512 baseline",
        )  # fmt: skip
        for name, shares in self.groups.items():
            ours = (shares.current, shares.path, shares.stale)
            theirs = (
                shares.baseline_current,
                shares.baseline_path,
                shares.baseline_stale,
                shares.baseline_read_well,
            )
            table.add_row(
                name,
                str(shares.checkpoints),
                *(f"{share:.1%}" for share in ours),
                "·",
                *(f"{share:.1%}" for share in theirs),
            )
        return table


def report_decisions(checked: Sequence[Checked], *, half: str) -> DecisionReport:
    """The report on one half; `checked` is not empty."""
    groups: dict[str, Shares] = {}
    for prefix, key in _GROUPINGS:
        for name in dict.fromkeys(map(key, checked)):
            groups[f"{prefix}{name}"] = _shares([each for each in checked if key(each) == name])
    groups["all"] = _shares(checked)
    return DecisionReport(half=half, groups=groups, failures=list(_failures(checked)))


_GROUPINGS: tuple[tuple[str, Callable[[Checked], str]], ...] = (
    ("", lambda each: each.conversation.language),
    ("kind: ", lambda each: each.conversation.kind),
    ("", lambda each: "100 turns and more" if each.conversation.is_long else "shorter"),
)


def _shares(checked: Sequence[Checked]) -> Shares:
    paths = [each for each in checked if each.verdict.path is not None]
    return Shares(
        conversations=len({each.conversation.id for each in checked}),
        checkpoints=len(checked),
        paths=len(paths),
        current=_share(each.verdict.current for each in checked),
        path=_share(bool(each.verdict.path) for each in paths),
        stale=_share(each.verdict.stale for each in checked),
        baseline_current=_share(each.baseline.current for each in checked),
        baseline_path=_share(bool(each.baseline.path) for each in paths),
        baseline_stale=_share(each.baseline.stale for each in checked),
        baseline_read_well=_share(each.baseline.read_well for each in checked),
    )


def _share(flags: Iterable[bool]) -> float:
    told = list(flags)
    return sum(told) / len(told) if told else 1.0


def _failures(checked: Sequence[Checked]) -> Iterable[str]:
    for each in checked:
        for fault in each.verdict.faults:
            yield f"{each.conversation.id}, turn {each.turn}, {each.topic}: {fault}"
