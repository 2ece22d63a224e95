"""Logistic regression over sparse rows, with NumPy alone: the weights that explain which rows are true.

Minimises Σ cᵢ·log(1 + exp(-yᵢ·(w·xᵢ + b))) + |w|²/(2·C), as Fan et al. (LIBLINEAR, 2008), with L-BFGS (Nocedal & Wright, 2006,
algorithm 7.4) and backtracking. Deterministic: it starts at zero and draws no random number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

type Vector = NDArray[np.float64]

REMEMBERED = 12
MOST_STEPS = 300
TOLERANCE = 1e-3


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """A sparse matrix: entry k says that row `row[k]` holds `value[k]` in column `column[k]`."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: Vector
    shape: tuple[int, int]

    def times(self, weights: Vector) -> Vector:
        """X·w, shape (rows,)."""
        return np.bincount(self.row, self.value * weights[self.column], self.shape[0])

    def transposed_times(self, factors: Vector) -> Vector:
        """Xᵀ·f, shape (columns,)."""
        return np.bincount(self.column, self.value * factors[self.row], self.shape[1])


def fit(rows: Rows, truth: NDArray[np.bool_], *, strength: float) -> tuple[Vector, float]:
    """Weights and start (b); both classes count alike however many rows they have. `strength` is C."""
    signs = np.where(truth, 1.0, -1.0)
    share = np.where(truth, truth.mean(), 1 - truth.mean())
    costs = strength * 0.5 / share

    def loss(point: Vector) -> tuple[float, Vector]:
        weights, start = point[:-1], point[-1]
        margins = signs * (rows.times(weights) + start)
        value = float(costs @ np.logaddexp(0, -margins) + weights @ weights / 2)
        factors = -costs * signs / (1 + np.exp(np.clip(margins, -500, 500)))
        return value, np.append(rows.transposed_times(factors) + weights, factors.sum())

    point = _lowest(loss, np.zeros(rows.shape[1] + 1))
    return point[:-1], float(point[-1])


def _lowest(loss: Any, point: Vector) -> Vector:
    """Where a convex function is lowest."""
    value, slope = loss(point)
    enough = TOLERANCE * float(np.abs(slope).max())
    pairs: list[tuple[Vector, Vector]] = []
    for _ in range(MOST_STEPS):
        if float(np.abs(slope).max()) <= enough:
            break
        direction = -_curved(slope, pairs)
        size, fall = 1.0, float(slope @ direction)
        following, next_slope = loss(point + size * direction)
        while following > value + 1e-4 * size * fall and size > 1e-10:
            size /= 2
            following, next_slope = loss(point + size * direction)
        step, change = size * direction, next_slope - slope
        if float(step @ change) > 1e-12:
            pairs = [*pairs[1 - REMEMBERED :], (step, change)]
        point, value, slope = point + step, following, next_slope
    return point


def _curved(slope: Vector, pairs: Sequence[tuple[Vector, Vector]]) -> Vector:
    """The slope divided by the curvature that the last steps showed (the two loops of L-BFGS)."""
    direction, shares = slope.copy(), []
    for step, change in reversed(pairs):
        share = (step @ direction) / (step @ change)
        direction -= share * change
        shares.append(share)
    if pairs:
        step, change = pairs[-1]
        direction *= (step @ change) / (change @ change)
    else:
        direction /= max(float(np.abs(slope).max()), 1.0)
    for (step, change), share in zip(pairs, reversed(shares), strict=True):
        direction += (share - (change @ direction) / (step @ change)) * step
    return direction
