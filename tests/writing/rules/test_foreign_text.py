"""Words that are not the owner's own: texts to work on, stories to write, what somebody else says."""

from __future__ import annotations

import pytest

from memoryhub.writing.rules.foreign_text import own_words
from tests.writing.utterances import read


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("翻译一下：我对花生过敏", "quotation"),
        ("Translate: I am allergic to nuts", "quotation"),
        ("童话里的兔子说：我只吃萝卜", "fiction"),
        ("write me a short story about a man who lives in Paris", "fiction"),
        ("设计一个游戏角色，讨厌精灵，住在北京", "fiction"),
    ],
)
def test_nothing_is_learned_from_words_that_are_not_the_owners(text: str, code: str) -> None:
    extraction = read(text)
    assert extraction.candidates == ()
    assert code in {refusal.code for refusal in extraction.refusals}


def test_what_was_said_before_them_stays_and_keeps_its_place() -> None:
    text = "I live in Ghent. Please translate: my dog is ill"
    own, foreign = own_words(text)
    assert (own.strip(), len(own)) == ("I live in Ghent.", len(text))
    assert foreign is not None


@pytest.mark.parametrize(
    "text", ["I said: call me Kim", "Translate everything into Dutch from now on", "我最喜欢的动漫是海贼王"]
)
def test_what_the_owner_says_himself_stays(text: str) -> None:
    assert own_words(text) == (text, None)
