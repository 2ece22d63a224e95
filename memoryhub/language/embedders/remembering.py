"""Questions are asked again and again: their vectors are kept in memory, by a hash of the text."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from memoryhub.language.embedders.interface import Embedder, Vectors

MAX_QUESTIONS = 4_096


class RememberingEmbedder:
    """Any embedder with the last 4,096 question vectors (6 MB at 384 dimensions); no text is kept."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The wrapped embedder's name."""
        return self.embedder.name

    @property
    def dims(self) -> int:
        """The wrapped embedder's dimensions."""
        return self.embedder.dims

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims), never remembered: a passage is stored once."""
        return self.embedder.embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,); must not be written to."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            if key in self._vectors:
                self._vectors.move_to_end(key)
                return self._vectors[key]
        vector = self.embedder.embed_query(text)
        vector.flags.writeable = False
        with self._lock:
            self._vectors[key] = vector
            while len(self._vectors) > MAX_QUESTIONS:
                self._vectors.popitem(last=False)
        return vector
