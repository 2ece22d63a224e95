"""Question vectors in memory."""

from __future__ import annotations

import pytest

from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.language.embedders.interface import Vectors
from memoryhub.language.embedders.remembering import MAX_QUESTIONS, RememberingEmbedder


class CountingEmbedder(HashedEmbedder):
    """The hashed embedder that counts the questions it is asked."""

    def __init__(self) -> None:
        self.questions = 0

    def embed_query(self, text: str) -> Vectors:
        self.questions += 1
        return super().embed_query(text)


def test_a_repeated_question_is_embedded_once() -> None:
    inner = CountingEmbedder()
    embedder = RememberingEmbedder(inner)
    first = embedder.embed_query("我对坚果过敏")
    assert embedder.embed_query("我对坚果过敏") is first
    assert inner.questions == 1


def test_a_remembered_vector_cannot_be_changed() -> None:
    vector = RememberingEmbedder(HashedEmbedder()).embed_query("tea")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1.0


def test_the_least_recently_asked_question_is_forgotten_first() -> None:
    inner = CountingEmbedder()
    embedder = RememberingEmbedder(inner)
    for number in range(MAX_QUESTIONS):
        embedder.embed_query(str(number))
    embedder.embed_query("0")
    embedder.embed_query("one more")
    embedder.embed_query("0")
    assert inner.questions == MAX_QUESTIONS + 1
    embedder.embed_query("1")
    assert inner.questions == MAX_QUESTIONS + 2
