"""How a telephone number, an e-mail address or an address is told, changed and gone back to; and whose it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryhub.writing.candidates import FormCandidate
from memoryhub.writing.extraction import extract
from tests.writing.utterances import STARTER, read, turn, values

CHINESE_PHONE, ENGLISH_PHONE = "15812340002", "503-555-0122"


@pytest.mark.parametrize(
    "text",
    [
        "那个号停机了，现在用15812340002。", "原来的号不用了，打15812340002。", "旧号注销了，以后打15812340002。",
        "刚办了新卡，号是15812340002。", "还是打回15812340002吧。", "号又换回15812340002了。", "老号恢复了，打15812340002。",
        "我的号是15812340002。",
    ],
)  # fmt: skip
def test_a_chinese_number_is_told_without_a_word_for_telephone(text: str) -> None:
    assert f"contact.phone={CHINESE_PHONE}" in values(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "That number is dead, use 503-555-0122 now.", "The old number no longer works, it's 503-555-0122 now.",
        "I switched carriers, so it's 503-555-0122 now.", "I lost that phone, please use 503-555-0122.",
        "New SIM: 503-555-0122.", "Ring 503-555-0122 from now on.", "Please dial 503-555-0122 instead.",
        "Back on 503-555-0122.", "Use 503-555-0122 again.",
    ],
)  # fmt: skip
def test_an_english_number_is_told_without_my(text: str) -> None:
    assert values(read(text)) == [f"contact.phone={ENGLISH_PHONE}"]


@pytest.mark.parametrize(
    "text",
    [
        "司机的电话是15812349999。", "快递员电话15812349999。", "酒店前台的号码是15812349999。", "4S店的电话是02161234567。",
        "司机号码换了，现在用15812349999。", "会计的邮箱是 kj@example.com。", "报名邮箱是 kj@example.com。",
        "The driver's phone number is 503-555-0999.", "The number for the clinic is 503-555-0999.",
        "Call the vet on 503-555-0999.", "The driver changed his number, use 503-555-0999 now.",
        "You can write to the landlord at acc@example.com.", "Applications go to jobs@example.com.",
        "To apply, write to jobs@example.com.", "如果换号，我就用15812340002。", "If I switch carriers, it's 503-555-0122.",
    ],
)  # fmt: skip
def test_what_is_somebody_elses_or_not_so_changes_nothing(text: str) -> None:
    assert values(read(text)) == []


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("司机的电话是15812349999。", "那个号停机了，现在用15812340002。"),
        ("The driver's number is 503-555-0999.", "That number is dead, use 503-555-0122 now."),
    ],
)
def test_that_number_is_the_one_spoken_of_last(before: str, text: str) -> None:
    assert values(extract(replace(turn(text), heard=(before,)), fields=STARTER)) == []


@pytest.mark.parametrize(
    "text",
    [
        "You can write to zoe@example.com.", "Write to zoe@example.com from now on.",
        "That inbox is closed, please use zoe@example.com.", "I no longer use that address, it's zoe@example.com now.",
    ],
)  # fmt: skip
def test_an_inbox_is_told_by_what_to_do_with_it(text: str) -> None:
    assert values(read(text)) == ["contact.email=zoe@example.com"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Term has started, please deliver to 11 College Road, Durham again.", "11 College Road, Durham"),
        ("We're back at 11 College Road, Durham.", "11 College Road, Durham"),
        ("Parcels should go to 11 College Road, Durham again.", "11 College Road, Durham"),
        ("Use 6 East Lane, Derby as my address.", "6 East Lane, Derby"),
        ("My new place is 6 East Lane, Derby.", "6 East Lane, Derby"),
        ("包裹寄麓山路8号。", "麓山路8号"),
        ("地址又改回麓山路8号了。", "麓山路8号"),
        ("开学了，寄回麓山路8号。", "麓山路8号"),
        ("搬家了，东西送芙蓉路15号。", "芙蓉路15号"),
    ],
)
def test_an_address_is_told_by_where_things_go(text: str, value: str) -> None:
    assert values(read(text)) == [f"contact.address={value}"]


@pytest.mark.parametrize(
    "text",
    [
        "那个号停机了，现在用15812340002。", "电话改15812340002。", "以后联系我用15812340002。",
        "That number is dead, use 503-555-0122 now.", "Use 6 East Lane, Derby as my address.", "以后寄到麓山路8号。",
    ],
)  # fmt: skip
def test_a_change_is_the_owners_own_word(text: str) -> None:
    told = [each for each in read(text).candidates if isinstance(each, FormCandidate)]
    assert [each.explicit_correction for each in told] == [True]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Don't call 503-555-0121 any more, use 503-555-0122.", ["contact.phone=503-555-0122"]),
        ("别打15812340001了，打15812340002。", ["contact.phone=15812340002"]),
        ("Don't use 503-555-0121 again.", []),
        ("Please don't write to zoe@example.com again.", []),
        ("不要再打15812340001。", []),
        ("Anna switched carriers, so it's 503-555-0122 now.", []),
    ],
)
def test_a_way_that_is_left_is_none(text: str, told: list[str]) -> None:
    assert values(read(text)) == told


@pytest.mark.parametrize(
    "text",
    [
        "财务用的是caiwu@huatai-design.cn，不是我的哈。", "tom@reedstudio.com is my assistant's, not mine.",
        "13700001111不是我的。", "The number 07700 900999 isn't mine.",
    ],
)  # fmt: skip
def test_what_is_said_to_be_somebody_elses_is_not_kept(text: str) -> None:
    assert values(read(text)) == []


def test_a_neighbour_who_takes_parcels_in_does_not_own_the_address() -> None:
    told = values(
        read("I'm away a lot, so please deliver to 11 Harbour Road instead, my neighbour takes it in.")
    )
    assert told == ["contact.address=11 Harbour Road"]
    assert "contact.address=信义路四段20号" in values(read("还是寄回信义路四段20号好了。"))
    assert values(read("这个号码不是我的了，换成15812340002。")) == [f"contact.phone={CHINESE_PHONE}"]
