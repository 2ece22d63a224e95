"""An endpoint behind the breaker: while it does not answer nobody waits for it, and everybody can see that it does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from memoryhub.language.breaker import ask_leave, note_answer, note_failure
from memoryhub.language.embedders.interface import Embedder, EmbeddingUnavailable, Vectors

NOTED_EVERY = 30.0
"""Seconds between two notes that all is well: a note is a write, and a recall has better things to do."""


class WatchedEmbedder:
    """Any embedder that is asked over a network. Never ask it in a transaction that may roll back."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._noted_at: float | None = None

    @property
    def name(self) -> str:
        """The wrapped embedder's name; its state is kept under it."""
        return self.embedder.name

    @property
    def dims(self) -> int:
        """The wrapped embedder's dimensions."""
        return self.embedder.dims

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims)."""
        return self._ask(lambda: self.embedder.embed_passages(texts))

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,)."""
        return self._ask(lambda: self.embedder.embed_query(text))

    def _ask(self, work: Callable[[], Vectors]) -> Vectors:
        leave = ask_leave(self.name)
        if leave == "no":
            raise EmbeddingUnavailable("the embedding endpoint is left alone for a while", code="paused")
        try:
            answer = work()
        except EmbeddingUnavailable as error:
            note_failure(self.name, code=error.code, retry_after=error.retry_after)
            self._noted_at = None
            raise
        if leave == "probe" or self._noted_at is None or time.monotonic() - self._noted_at > NOTED_EVERY:
            note_answer(self.name)
            self._noted_at = time.monotonic()
        return answer
