"""Offers of the turn before that are turned down by name, and what is no refusal of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryhub.writing.candidates import ItemCandidate
from memoryhub.writing.extraction import extract
from tests.writing.utterances import STARTER, turn


def refused(before: str, text: str) -> list[str]:
    """The options that are refused when `text` follows `before`."""
    told = extract(replace(turn(text), heard=(before,)), fields=STARTER)
    return [
        each.attribute
        for each in told.candidates
        if isinstance(each, ItemCandidate) and "refused_option" in each.flags
    ]


@pytest.mark.parametrize(
    ("before", "text", "offer"),
    [
        ("给您发张优惠券补偿可以吗？", "优惠券就不要了，我用不上。", "优惠券"),
        ("抱歉，要不给您安排上门维修？", "不要维修，太麻烦了。", "维修"),
        ("要不要加购延保？", "延保就算了。", "延保"),
        ("Nice. How about a pool next to it?", "No, we don't want a pool, we have a toddler.", "pool"),
        (
            "Would artificial grass be an option?",
            "No thanks, no artificial grass please.",
            "artificial grass",
        ),
    ],
)
def test_an_offer_is_refused_by_its_name(before: str, text: str, offer: str) -> None:
    assert refused(before, text) == [offer]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("要不要加购延保？", "不用谢。"), ("给您发张优惠券可以吗？", "不要紧。"), ("How about a pool?", "No problem."),
        ("How about a pool?", "I don't need it today."), ("您好。", "不要香菜。"), ("How about a pool?", "A pool is great."),
    ],
)  # fmt: skip
def test_what_was_not_offered_is_not_refused(before: str, text: str) -> None:
    assert refused(before, text) == []
