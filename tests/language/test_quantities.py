"""Numbers found in text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from memoryhub.language.quantities import find_numbers, plain_digits, read_number


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("预算五十万，工期三个月", ["500000", "3"]),
        ("from 2.5k to 1,200,000", ["2500", "1200000"]),
        ("1亿2000万", ["120000000"]),
        ("一亿零五万", ["100050000"]),
        ("十二万亿", ["12000000000000"]),
        ("二〇二四年", ["2024"]),
        ("三点一四", ["3.14"]),
        ("twenty-five thousand and seven", ["25007"]),
        ("minus -3 degrees", ["-3"]),
        ("parcel KX-117, gate B12, SR-0521", []),
        ("万一迟到，千万别等", []),
        ("2024-07-31", ["2024"]),
    ],
)
def test_numbers_are_read_in_order(text: str, numbers: list[str]) -> None:
    assert [plain_digits(number.value) for number in find_numbers(text)] == numbers


def test_a_number_knows_where_it_stands() -> None:
    text = "预算五十万元"
    number = find_numbers(text)[0]
    assert text[number.start : number.end] == "五十万"


@pytest.mark.parametrize(
    ("text", "value"), [(" 50万 ", Decimal(500000)), ("50万元", None), ("", None), ("3 5", None)]
)
def test_a_text_that_is_one_number_is_read(text: str, value: Decimal | None) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("value", "text"), [("5E+5", "500000"), ("2.50", "2.5"), ("-0.0", "0"), ("100", "100")]
)
def test_digits_are_plain(value: str, text: str) -> None:
    assert plain_digits(Decimal(value)) == text
