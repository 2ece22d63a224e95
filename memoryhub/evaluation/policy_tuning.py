"""Which way to move a policy: a labelled set over a small grid, both kinds of error, and what the nearest settings would do.

λ is the share that recency loses per day, -ln(recency_base) / recency_period_days (0.0151 by default). Decided is on the tuning
part alone; the part held back stands beside every figure and confirms an advice or does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from memoryhub.evaluation.policy_cases import PARTS, LabelledCase, Part
from memoryhub.evaluation.policy_replay import Errors, Told, open_replay
from memoryhub.language.embedders import Embedder
from memoryhub.policies import Policy

type Trouble = Literal["lacking_background", "disturbed_by_old_matter"]

LACKING_FROM = 0.05
DISTURBED_FROM = 0.30
"""Shares from which an error is one to do something about; below, what was asked for is told, and little beside it."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Setting:
    """One point of the grid."""

    importance: float
    decay: float
    top_k: int
    budget: int

    def on(self, base: Policy) -> Policy:
        """The base policy with these numbers."""
        return replace(
            base,
            least_importance=self.importance,
            recency_base=math.exp(-self.decay * base.recency_period_days),
            top_k=self.top_k,
            budget_tokens=self.budget,
            most_budget_tokens=max(self.budget, base.most_budget_tokens),
        )


def setting_of(policy: Policy) -> Setting:
    """Where a policy stands. A recency that never fades has λ 0."""
    base = min(max(policy.recency_base, 1e-9), 1.0)
    return Setting(
        importance=policy.least_importance,
        decay=-math.log(base) / policy.recency_period_days,
        top_k=policy.top_k,
        budget=policy.budget_tokens,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """The values of each number that are tried; what is in force is always among them."""

    importances: Sequence[float]
    decays: Sequence[float]
    top_ks: Sequence[int]
    budgets: Sequence[int]

    @property
    def settings(self) -> list[Setting]:
        return [
            Setting(importance=importance, decay=decay, top_k=top_k, budget=budget)
            for importance in sorted(set(self.importances))
            for decay in sorted(set(self.decays))
            for top_k in sorted(set(self.top_ks))
            for budget in sorted(set(self.budgets))
        ]


def grid_around(policy: Policy, **given: Sequence[float] | None) -> Grid:
    """A small grid around a policy; `given` replaces the values of `importances`, `decays`, `top_ks` or `budgets`."""
    at = setting_of(policy)
    usual: dict[str, Sequence[float]] = {
        "importances": (round(at.importance - 0.1, 4), round(at.importance + 0.1, 4)),
        "decays": (at.decay / 3, at.decay * 3),
        "top_ks": (max(at.top_k - 2, 1), at.top_k + 3),
        "budgets": (at.budget // 4,),
    }
    values = {name: given.get(name) or usual[name] for name in usual}
    return Grid(
        importances=[value for value in (*values["importances"], at.importance) if 0 <= value <= 1],
        decays=[*values["decays"], at.decay],
        top_ks=[*map(int, values["top_ks"]), at.top_k],
        budgets=[*map(int, values["budgets"]), at.budget],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """One setting and its errors on both parts."""

    setting: Setting
    errors: dict[Part, Errors]

    @property
    def cost(self) -> float:
        """Both errors of the tuning part, counted alike."""
        return self.errors["tuning"].missing_rate + self.errors["tuning"].irrelevant_rate

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self.setting), **{part: errors.as_json() for part, errors in self.errors.items()}}


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """A move of one number against a trouble. `helps`: the trouble lessens on the tuning part; `is_confirmed`: on the other too."""

    trouble: Trouble
    move: str
    tried: Tried
    helps: bool
    is_confirmed: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "trouble": self.trouble,
            "move": self.move,
            "helps": self.helps,
            "confirmed_by_held_back": self.is_confirmed,
            **self.tried.as_json(),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """Every setting tried, the one in force, the least costly, and what to do."""

    base: Tried
    best: Tried
    tried: Sequence[Tried]
    advice: Sequence[Advice]

    def as_json(self) -> dict[str, Any]:
        return {
            "in_force": self.base.as_json(),
            "best": self.best.as_json(),
            "advice": [advice.as_json() for advice in self.advice],
            "settings": [tried.as_json() for tried in self.tried],
        }


def tune_policy(
    cases: Sequence[LabelledCase],
    *,
    base: Policy,
    grid: Grid,
    embedder: Embedder,
    told: Told = lambda _number: None,
) -> Tuning:
    """Replay the set under every setting of the grid. Each importance threshold writes the set anew, for it decides at the door."""
    tried: list[Tried] = []
    for importance in sorted(set(grid.importances)):
        settings = [setting for setting in grid.settings if setting.importance == importance]
        with ExitStack() as stack:
            replay = open_replay(stack, cases, policy=settings[0].on(base), embedder=embedder)
            tried += [
                Tried(setting=setting, errors=replay.ask(setting.on(base), told)) for setting in settings
            ]
    return judge(tried, at=setting_of(base))


def judge(tried: Sequence[Tried], *, at: Setting) -> Tuning:
    """What the figures say about the setting that is in force. Pure."""
    base = next(one for one in tried if one.setting == at)
    return Tuning(
        base=base,
        best=min(tried, key=lambda one: (one.cost, one.setting != at, one.setting)),
        tried=tried,
        advice=[
            *_advised("lacking_background", base, tried),
            *_advised("disturbed_by_old_matter", base, tried),
        ],
    )


type Move = tuple[str, Literal["importance", "decay", "top_k", "budget"], int]
"""What it is called, the number it moves, and which way."""

AGAINST_LACK: tuple[Move, ...] = (
    ("lower the importance threshold", "importance", -1),
    ("raise top_k", "top_k", 1),
    ("raise the budget", "budget", 1),
)
AGAINST_OLD_MATTER: tuple[Move, ...] = (
    ("raise λ", "decay", 1),
    ("lower top_k", "top_k", -1),
    ("lower the budget", "budget", -1),
)


def _advised(trouble: Trouble, base: Tried, tried: Sequence[Tried]) -> list[Advice]:
    """Every move that was tried against the trouble, those that help first; none where there is little of it."""
    least = LACKING_FROM if trouble == "lacking_background" else DISTURBED_FROM
    if rate_of(base, trouble, "tuning") < least:
        return []
    moves = AGAINST_LACK if trouble == "lacking_background" else AGAINST_OLD_MATTER
    found = [_moved(move, trouble, base, tried) for move in moves]
    return sorted((one for one in found if one), key=lambda advice: not advice.helps)


def _moved(move: Move, trouble: Trouble, base: Tried, tried: Sequence[Tried]) -> Advice | None:
    """The best setting that differs from the one in force in this number alone, that way."""
    said, name, way = move
    at = getattr(base.setting, name)
    there = [
        one
        for one in tried
        if (getattr(one.setting, name) - at) * way > 0 and replace(one.setting, **{name: at}) == base.setting
    ]
    if not there:
        return None
    best = min(there, key=lambda one: (rate_of(one, trouble, "tuning"), one.cost))
    helps, confirmed = (rate_of(best, trouble, part) < rate_of(base, trouble, part) for part in PARTS)
    return Advice(trouble=trouble, move=said, tried=best, helps=helps, is_confirmed=helps and confirmed)


def rate_of(one: Tried, trouble: Trouble, part: Part) -> float:
    """The share of the error that the trouble is about."""
    errors = one.errors[part]
    return errors.missing_rate if trouble == "lacking_background" else errors.irrelevant_rate
