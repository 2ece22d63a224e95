"""Where the things of a graph are drawn: a spring layout, the same for the same graph. Pure.

Things push each other away and relations pull their ends together (Fruchterman and Reingold, 1991), from a circle inwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDS = 80


def spring_layout(count: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """A place in [0, 1]² for each of `count` things; `pairs` are the places in that order of things that are related."""
    if count == 0:
        return []
    if count == 1:
        return [(0.5, 0.5)]
    turn = 2 * np.pi * np.arange(count) / count
    places = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    ends = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    length = 1 / np.sqrt(count)
    for round_ in range(ROUNDS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)
        moved = (apart * (length**2 / distance**2)[:, :, None]).sum(axis=1)
        pulled = places[ends[:, 0]] - places[ends[:, 1]]
        pull = pulled * (np.linalg.norm(pulled, axis=1) / length)[:, None]
        np.add.at(moved, ends[:, 0], -pull)
        np.add.at(moved, ends[:, 1], pull)
        size = np.maximum(np.linalg.norm(moved, axis=1), 1e-9)
        step = 0.15 * (1 - round_ / ROUNDS)
        places = places + moved / size[:, None] * np.minimum(size, step)[:, None]
    low, high = places.min(axis=0), places.max(axis=0)
    scaled = (places - low) / np.maximum(high - low, 1e-9)
    return [(round(float(x), 4), round(float(y), 4)) for x, y in scaled]
