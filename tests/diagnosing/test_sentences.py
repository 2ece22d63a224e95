"""Every step has its sentence and what to do next, in both languages."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from memoryhub.diagnosing.answers import STEPS, Finding, Place
from memoryhub.diagnosing.sentences import _EN, _ZH, LANGUAGES, say


def test_both_languages_have_the_same_sentences() -> None:
    assert _EN.keys() == _ZH.keys()
    assert set(STEPS) <= _EN.keys()
    assert {key.partition("/")[0] for key in _EN} == set(STEPS)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_told_with_its_code_and_place(step: str) -> None:
    place = Place(target_id=uuid4(), rank=11, score=0.2294)
    last = Place(target_id=uuid4(), rank=5, score=0.2334)
    finding = Finding(step=step, code="some_rule", place=place, last_served=last)  # type: ignore[arg-type]
    for language in LANGUAGES:
        said = say(finding, language)
        assert said.what and said.next and "{" not in said.what + said.next
        assert bool(re.search(r"[\u4e00-\u9fff]", said.what)) is (language == "zh")
        if step == "outranked":
            assert "11" in said.what and "0.23" in said.what and "5" in said.what
