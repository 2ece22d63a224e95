"""Reasons that stand beside a change without a word for 'because'; and what stands there and is none."""

from __future__ import annotations

import pytest

from tests.writing.utterances import read


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("快闪店不弄了，场租太高，方案改成直播。", "场租太高"),
        ("我搬家了，以后寄到滨江区江南大道58号。", "我搬家了"),
        ("客户着急用，交付提前到3月8号。", "客户着急用"),
        ("邮箱换一个，用lin@huatai.cn，163那个老是收不到。", "163那个老是收不到"),
        ("运维只会管MySQL，我们数据库又换回MySQL了。", "运维只会管MySQL"),
        ("字太多看着累，以后还是简短点。", "字太多看着累"),
        ("We've moved, so send everything to 9 Harbour Road, Bristol from now on.", "We've moved"),
        ("I don't like horror movies anymore, they keep me up at night.", "they keep me up at night"),
        ("I left Brightwave and now I work at Northgate, the pay is better.", "the pay is better"),
        ("We got an extension, the new deadline is February 19.", "We got an extension"),
        ("Please change my email to x@y.com, the old one keeps bouncing.", "the old one keeps bouncing"),
    ],
)
def test_the_clause_beside_a_change_is_its_reason(text: str, reason: str) -> None:
    assert read(text).reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "把邮箱改成a@b.com，谢谢。", "好的，预算改成5万。", "预算加到5万吧，麻烦你了。", "我改主意了，方案改成露营。",
        "My new number is 07700 900456, thanks a lot.", "Changed my mind, green is my favourite colour after all.",
        "我住在杭州，喜欢爬山。", "地址改一下，改成滨江区江南大道58号。", "My name is Ann, I live in Leeds.",
    ],
)  # fmt: skip
def test_thanks_announcements_and_other_facts_are_no_reasons(text: str) -> None:
    assert read(text).reason == ""
