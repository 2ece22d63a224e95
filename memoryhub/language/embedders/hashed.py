"""A cheap deterministic embedder for tests and benchmarks: words and trigrams hashed into 384 numbers."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from memoryhub.language.embedders.interface import Vectors, checked
from memoryhub.language.embedders.window import embeddable
from memoryhub.language.tokens import lexical_tokens

DIMS = 384


class HashedEmbedder:
    """Texts that share words are near each other; it knows no meaning."""

    name = "hashed-1"
    dims = DIMS

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, 384)."""
        return checked([_counts(text) for text in texts] or np.empty((0, DIMS)), count=len(texts), dims=DIMS)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (384,)."""
        vector: Vectors = self.embed_passages([text])[0]
        return vector


def _counts(text: str) -> Vectors:
    vector = np.zeros(DIMS, dtype=np.float32)
    cleaned = embeddable(text).casefold()
    _add(vector, "", 0.05)  # so that a text without a single feature still has a direction
    for token, places in lexical_tokens(cleaned):
        _add(vector, token, 1.0 + 0.2 * min(len(places), 5))
    for start in range(len(cleaned) - 2):
        _add(vector, f"3{cleaned[start : start + 3]}", 0.3)
    return vector


def _add(vector: Vectors, feature: str, weight: float) -> None:
    digest = crc32(feature.encode("utf-8", "replace"))
    vector[digest % DIMS] += weight if digest & 0x80000000 else -weight
