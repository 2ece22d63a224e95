"""Value keys and the details that keep two texts apart."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.values import differs_in_detail, normalise_value


@pytest.mark.parametrize(
    "value", ["五十万", "50万", "500k", "500,000", "５０００００", 500000, 500000.0, "five hundred thousand"]
)
def test_one_number_has_one_key(value: Any) -> None:
    assert normalise_value(value, "number") == "500000"


@pytest.mark.parametrize(
    ("value", "value_type", "key"),
    [
        ("50万元", "money", "500000 CNY"),
        ("¥5,000", "money", "5000 CNY"),
        ("$500k", "money", "500000 USD"),
        ("五万", "money", "50000"),
        ("1亿2000万", "number", "120000000"),
        ("三万零五", "number", "30005"),
        ("三万五", "number", "35000"),
        ("2.50", "number", "2.5"),
        ("between 3 and 5", "number", "between 3 and 5"),
        ("2026年3月4日", "date", "2026-03-04"),
        ("March 4th, 2026", "date", "2026-03-04"),
        ("4 March", "date", "--03-04"),
        (date(2026, 3, 4), "date", "2026-03-04"),
        ("03/04/2026", "date", "03/04/2026"),
        ("31 June 2026", "date", "31 june 2026"),
        ("2026-03-04T10:00:00+08:00", "datetime", "2026-03-04T02:00:00Z"),
        (datetime(2026, 3, 4, 10, tzinfo=timezone(timedelta(hours=8))), "datetime", "2026-03-04T02:00:00Z"),
        (datetime(2026, 3, 4, 10, tzinfo=UTC), "date", "2026-03-04"),
        ("是", "boolean", "true"),
        ("No", "boolean", "false"),
        (True, "boolean", "true"),
        (" Node.JS。", "text", "node.js"),
        ("方案 B", "text", "方案b"),
        ("ＰＬＡＮ　Ｂ", "text", "plan b"),
        ("C++", "text", "c++"),
        (".NET", "text", ".net"),
        ("!!!", "text", "!!!"),
        (None, "text", ""),
        ({"b": "X ", "a": 1}, "text", '{"a":"1","b":"x"}'),
    ],
)
def test_a_value_has_its_canonical_key(value: Any, value_type: str, key: str) -> None:
    assert normalise_value(value, value_type) == key


@given(st.text(), st.sampled_from(["text", "number", "money", "date", "datetime", "boolean", "choice"]))
def test_a_key_of_a_key_is_itself(text: str, value_type: str) -> None:
    key = normalise_value(text, value_type)
    assert normalise_value(key, value_type) == key


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9))
def test_a_number_keeps_its_value(number: Any) -> None:
    assert normalise_value(number, "number") == normalise_value(str(number), "number")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("contract renews on 3 March", "contract renews on 4 March"),
        ("budget 5,000", "budget 50,000"),
        ("parcel KX-117 arrived", "parcel KX-118 arrived"),
        ("gate B12", "gate B13"),
        ("他喜欢咖啡", "他不喜欢咖啡"),
        ("I like coffee", "I don't like coffee"),
        ("预算三万", "预算五万"),
        ("meeting on Monday", "meeting on Tuesday"),
        ("due in March", "due in May"),
        ("版本 2.1 可用", "版本 2.2 可用"),
        ("She eats meat", "She never eats meat"),
        ("还没派单", "派单了"),
    ],
)
def test_texts_that_differ_in_a_detail_are_different_facts(first: str, second: str) -> None:
    assert differs_in_detail(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("budget 5,000", "a budget of 5000"),
        ("预算五十万", "预算是50万"),
        ("3 March", "March 3rd"),
        ("我非常喜欢茶", "我喜欢茶"),
        ("I have two cats", "I have 2 cats"),
        ("他住在无锡", "他的家在无锡"),
    ],
)
def test_paraphrases_with_the_same_details_may_be_duplicates(first: str, second: str) -> None:
    assert not differs_in_detail(first, second)
