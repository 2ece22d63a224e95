"""An owner's own words as an answer, in Chinese and English; what is not plain is left to a person."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.changes.understanding import understand

CHOICES: list[dict[str, Any]] = [
    {"code": "new", "value": "徐汇"},
    {"code": "keep", "value": "浦东"},
    {"code": "exception", "value": None},
]
ENGLISH: list[dict[str, Any]] = [
    {"code": "new", "value": "Boston"},
    {"code": "keep", "value": "Denver"},
    {"code": "exception", "value": None},
]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("是的", "new"), ("对，更新吧", "new"), ("改成徐汇", "new"), ("以新的为准", "new"), ("徐汇", "new"),
        ("不用改", "keep"), ("还是原来的", "keep"), ("不是", "keep"), ("浦东", "keep"), ("没变", "keep"),
        ("只是这一次", "exception"), ("这次例外，以后还是寄到浦东", "exception"), ("临时的", "exception"),
        ("我再想想", None), ("不是徐汇，是静安", None), ("什么意思", None),
        ("Yes, please.", "new"), ("ok", "new"), ("Update it please", "new"), ("Boston", "new"),
        ("No, don't change it", "keep"), ("keep the old one", "keep"), ("Denver", "keep"), ("nothing changed", "keep"),
        ("just this once", "exception"), ("It was an exception", "exception"), ("only for this time", "exception"),
        ("let me think", None), ("not Boston, Austin", None), ("why do you ask?", None),
    ],
)  # fmt: skip
def test_plain_words_are_understood(text: str, meant: str | None) -> None:
    choices = CHOICES if not text.isascii() else ENGLISH
    assert understand(text, kind="conflict", choices=choices) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("是的，还是浦东", "keep"), ("是", "keep"), ("不是了", "new"), ("我搬家了", "new"), ("已经不住那儿了", "new"),
        ("yes, it is", "keep"), ("no", "new"), ("no longer", "new"), ("I moved", "new"), ("hard to say", None),
        ("just this once", None),
    ],
)  # fmt: skip
def test_of_something_outdated_yes_means_that_it_still_holds(text: str, meant: str | None) -> None:
    choices: list[dict[str, Any]] = [{"code": "new", "value": None}, {"code": "keep", "value": "浦东"}]
    assert understand(text, kind="outdated", choices=choices) == meant
