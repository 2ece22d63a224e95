"""A regression of which the answer is known."""

from __future__ import annotations

import numpy as np

from memoryhub.evaluation.logistic import Rows, fit


def rows(dense: list[list[float]]) -> Rows:
    values = np.array(dense)
    row, column = (part.ravel() for part in np.indices(values.shape))
    return Rows(row=row, column=column, value=values.ravel(), shape=(len(dense), len(dense[0])))


def test_what_tells_gets_weight_and_what_does_not_gets_none() -> None:
    told, start = fit(
        rows([[1, 1], [1, 0], [0, 1], [0, 0]]), np.array([True, True, False, False]), strength=1
    )
    assert told[0] > 0.3
    assert abs(told[1]) < 1e-3
    assert abs(start + told[0] / 2) < 1e-2


def test_the_slope_is_flat_where_it_ends() -> None:
    x = np.array([[2.0, 0.5], [1.0, -1.0], [-0.5, 1.5], [-2.0, 0.3], [0.2, 0.1]])
    truth = np.array([True, True, False, False, True])
    weights, start = fit(rows(x.tolist()), truth, strength=2)
    signs = np.where(truth, 1, -1)
    costs = 2 * 0.5 / np.where(truth, truth.mean(), 1 - truth.mean())
    factors = -costs * signs / (1 + np.exp(signs * (x @ weights + start)))
    assert np.abs(x.T @ factors + weights).max() < 1e-2
    assert abs(factors.sum()) < 1e-2


def test_it_is_the_same_each_time_and_both_classes_count_alike() -> None:
    many = rows([[1.0]] * 50 + [[-1.0]] * 2)
    truth = np.array([True] * 50 + [False] * 2)
    first, second = fit(many, truth, strength=1), fit(many, truth, strength=1)
    assert first[0].tolist() == second[0].tolist()
    assert abs(first[1]) < 1e-2
