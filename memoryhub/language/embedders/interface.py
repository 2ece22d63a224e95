"""What every embedder is, what it raises, and how five texts survive one that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

type Vectors = npt.NDArray[np.float32]

MAX_BATCH = 32
MAX_DIMS = 1_024
"""A btree tuple of the vector index holds at most 1,320 half-precision numbers."""

MAX_FAILURES_IN_A_ROW = 2


class EmbeddingUnavailable(Exception):
    """No vector can be had now: the provider is down or its answer cannot be trusted. Try later. `code` says why."""

    def __init__(self, message: str, *, code: str = "unavailable", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after = retry_after


class Embedder(Protocol):
    """Turns texts into vectors of length 1. Never mix vectors of two names."""

    @property
    def name(self) -> str:
        """Model, build and post-processing: vectors may be compared exactly when their names are equal."""

    @property
    def dims(self) -> int:
        """Length of every vector, at most 1,024."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts, shape (n, dims). Raises EmbeddingUnavailable; never a placeholder."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,). Raises EmbeddingUnavailable."""


def embed_each(embedder: Embedder, texts: Sequence[str]) -> list[Vectors | None]:
    """A vector per text, None where it failed: a batch that fails is tried again text by text.

    After two failures in a row the provider is taken to be down and the rest is left for later.
    """
    results: list[Vectors | None] = []
    for start in range(0, len(texts), MAX_BATCH):
        batch = texts[start : start + MAX_BATCH]
        try:
            results.extend(embedder.embed_passages(batch))
        except EmbeddingUnavailable:
            singles = _one_by_one(embedder, batch)
            results.extend(singles)
            if all(vector is None for vector in singles[-MAX_FAILURES_IN_A_ROW:]) and len(singles) > 1:
                return results + [None] * (len(texts) - len(results))
    return results


def _one_by_one(embedder: Embedder, texts: Sequence[str]) -> list[Vectors | None]:
    results: list[Vectors | None] = []
    failures = 0
    for text in texts:
        if failures >= MAX_FAILURES_IN_A_ROW:
            results.append(None)
            continue
        try:
            results.append(embedder.embed_passages([text])[0])
            failures = 0
        except EmbeddingUnavailable:
            results.append(None)
            failures += 1
    return results


def checked(vectors: npt.ArrayLike, *, count: int, dims: int) -> Vectors:
    """The vectors scaled to length 1, after strict checks; raises EmbeddingUnavailable.

    Four vectors for five texts, another length, NaN, infinity or a vector without direction are all refused:
    a wrong vector stored under a right text is worse than none.
    """
    try:
        array = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbeddingUnavailable(
            "the embedder answered with something that is not a list of vectors", code="answer_not_json"
        ) from error
    if array.shape != (count, dims):
        raise EmbeddingUnavailable(
            f"the embedder answered with shape {array.shape} instead of ({count}, {dims})",
            code="wrong_dimensions",
        )
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < 1e-6).any():
        raise EmbeddingUnavailable(
            "the embedder answered with a vector that has no direction", code="wrong_vector"
        )
    return np.ascontiguousarray(array / lengths)
