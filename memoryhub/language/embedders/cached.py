"""Vectors kept on disk by model and hash of the text: a second evaluation run does not embed again."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memoryhub.language.embedders.interface import MAX_BATCH, Embedder, Vectors


class FileCachedEmbedder:
    """Any embedder behind one SQLite file that several processes may use. It holds hashes, no text."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID"
        )

    @property
    def name(self) -> str:
        """The wrapped embedder's name: cached vectors are its vectors."""
        return self._embedder.name

    @property
    def dims(self) -> int:
        """The wrapped embedder's dimensions."""
        return self._embedder.dims

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims), from the file where it has them."""
        keys = [self._key("passage", text) for text in texts]
        known = self._read(keys)
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
        for start in range(0, len(missing), MAX_BATCH):
            batch = missing[start : start + MAX_BATCH]
            vectors = self._embedder.embed_passages([text for _, text in batch])
            fresh = {key: vector for (key, _), vector in zip(batch, vectors, strict=True)}
            self._write(fresh)
            known |= fresh
        return np.stack([known[key] for key in keys]) if keys else np.empty((0, self.dims), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,)."""
        key = self._key("query", text)
        known = self._read([key])
        if key not in known:
            known[key] = self._embedder.embed_query(text)
            self._write(known)
        return known[key]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _key(self, mode: str, text: str) -> bytes:
        return hashlib.sha256(
            "\0".join((self._embedder.name, mode, text)).encode("utf-8", "surrogatepass")
        ).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        with self._lock:
            for key in keys:
                row = self._database.execute("SELECT v FROM vector WHERE key = ?", (key,)).fetchone()
                if row:
                    found[key] = np.frombuffer(row[0], dtype=np.float32)
        return found

    def _write(self, vectors: dict[bytes, Vectors]) -> None:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(key, v.tobytes()) for key, v in vectors.items()],
            )
            self._database.execute("COMMIT")
