"""The core of a sentence, without what people say around it."""

from __future__ import annotations

import pytest

from tests.writing.utterances import read, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上周三刚从北京搬到杭州，还在收拾屋子", ["user_profile.location=杭州"]),
        ("just so you know im based in Toronto", ["user_profile.location=Toronto"]),
        ("填表用：我生日1988-03-02", ["user_profile.birthday=1988-03-02"]),
    ],
)
def test_words_around_a_statement_do_not_hide_it(text: str, expected: list[str]) -> None:
    extraction = read(text)
    assert values(extraction) == expected
    assert all(each.quote in text for each in extraction.candidates)


@pytest.mark.parametrize(
    "text", ["今天我坐公交上班", "去年我们用的是方案A", "just for today im based in Toronto"]
)
def test_what_holds_for_a_day_or_held_once_gains_nothing(text: str) -> None:
    assert values(read(text)) == []
