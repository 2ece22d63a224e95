"""Vectors in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.language.embedders.interface import Vectors


class CountingEmbedder(HashedEmbedder):
    """The hashed embedder that counts what it is asked."""

    def __init__(self) -> None:
        self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return super().embed_passages(texts)


def test_a_second_run_reads_the_vectors_from_the_file(tmp_path: Path) -> None:
    texts = ["one", "two", "one", "三"]
    first = FileCachedEmbedder(CountingEmbedder(), tmp_path / "cache" / "v.sqlite3")
    vectors, question = first.embed_passages(texts), first.embed_query("one?")
    inner = CountingEmbedder()
    second = FileCachedEmbedder(inner, tmp_path / "cache" / "v.sqlite3")
    assert np.array_equal(second.embed_passages(texts), vectors)
    assert np.array_equal(second.embed_query("one?"), question)
    assert inner.texts == 0
    first.close()
    second.close()


def test_a_repeated_text_is_embedded_once(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    cache = FileCachedEmbedder(inner, tmp_path / "v.sqlite3")
    assert cache.embed_passages(["same"] * 100).shape == (100, 384)
    assert inner.texts == 1
    cache.close()


def test_questions_and_passages_are_kept_apart(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    cache = FileCachedEmbedder(inner, tmp_path / "v.sqlite3")
    cache.embed_passages(["text"])
    cache.embed_query("text")
    assert inner.texts == 2
    cache.close()


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    cache = FileCachedEmbedder(HashedEmbedder(), tmp_path / "v.sqlite3")
    cache.embed_passages(["a very secret sentence"])
    cache.close()
    assert all(b"secret" not in path.read_bytes() for path in tmp_path.iterdir())
