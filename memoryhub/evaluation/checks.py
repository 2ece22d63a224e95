"""What a drill expected and what it found: a table for people, JSON for programs, and whether all of it holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table

FEW = 3
WIDEST = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One expectation; `found` is compared as it is."""

    name: str
    expected: Any
    found: Any

    @property
    def holds(self) -> bool:
        return bool(self.expected == self.found)


@dataclass(kw_only=True, slots=True)
class Checks:
    """The checks in their order, and figures that are told without being judged."""

    title: str
    checks: list[Check] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return bool(self.checks) and all(check.holds for check in self.checks)

    def expect(self, name: str, expected: Any, found: Any) -> None:
        self.checks.append(Check(name=name, expected=expected, found=found))

    def as_json(self) -> dict[str, Any]:
        """holds, figures, checks."""
        return {
            "holds": self.holds,
            "figures": self.figures,
            "checks": [{**asdict(check), "holds": check.holds} for check in self.checks],
        }

    def as_table(self) -> Table:
        table = Table("check", "expected", "found", "", title=self.title)
        for check in self.checks:
            table.add_row(
                check.name, _short(check.expected), _short(check.found), "ok" if check.holds else "FAILED"
            )
        for name, figure in self.figures.items():
            table.add_row(name, "", str(figure), "")
        return table


def _short(value: Any) -> str:
    text = f"{len(value)} entries" if isinstance(value, list) and len(value) > FEW else str(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}…"
