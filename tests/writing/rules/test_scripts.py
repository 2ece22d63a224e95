"""Traditional Chinese is read by the same rules and told in its own characters."""

from __future__ import annotations

from memoryhub.writing.candidates import ItemCandidate
from tests.writing.utterances import read, values


def test_values_and_quotes_keep_the_characters_they_were_said_in() -> None:
    extraction = read("我在台積電當製程工程師")
    assert values(extraction) == ["user_profile.occupation=製程工程師", "user_profile.employer=台積電"]
    assert {each.quote for each in extraction.candidates} == {"我在台積電當製程工程師"}


def test_a_sentence_that_is_told_is_in_the_same_script() -> None:
    told = [each.content for each in read("我喜歡爬山").candidates if isinstance(each, ItemCandidate)]
    assert told == ["用戶喜歡爬山"]
