"""Numbers found inside text: 500,000 · 500k · 50万 · 五十万 · twenty-five. All become exact decimals."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

_ZH_DIGITS = {character: digit for digit, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_ZH_DIGITS |= {character: digit for digit, character in enumerate("零壹贰叁肆伍陆柒捌玖")}
_ZH_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_ZH_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ZH_NUMERAL = "".join({*_ZH_DIGITS, *_ZH_TENS, *_ZH_MYRIADS})

_TEENS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_EN_UNITS = {word: value for value, word in enumerate(_TEENS)} | {
    word: 10 * n for n, word in enumerate(_TENS, 2)
}
_EN_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_EN_WORD = "|".join([*_EN_UNITS, *_EN_SCALES])

_SUFFIXES = {
    "k": 10**3,
    "m": 10**6,
    "bn": 10**9,
    "w": 10**4,
    "百": 100,
    "千": 1000,
    "百万": 10**6,
    "千万": 10**7,
}
_SUFFIXES |= {"thousand": 1000, "million": 10**6, "billion": 10**9, **_ZH_MYRIADS}

_NUMBER = re.compile(
    r"(?P<digits>(?<![A-Za-z0-9_.\-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
    rf"(?:\s?(?P<suffix>百万|千万|thousand|million|billion|[百千{''.join(_ZH_MYRIADS)}])|(?P<letter>bn|[kmw])(?![A-Za-z0-9]))?"
    rf"|(?P<zh>[{_ZH_NUMERAL}]+(?:点[{''.join(_ZH_DIGITS)}]+)?)"
    rf"|(?P<en>\b(?:{_EN_WORD})(?:(?:[\s-]|\sand\s)(?:{_EN_WORD}))*\b)",
    re.IGNORECASE,
)


class Number(NamedTuple):
    """A number found at text[start:end]."""

    start: int
    end: int
    value: Decimal


def find_numbers(text: str) -> list[Number]:
    """Every number of an NFKC-normalised text, in order. Digits inside a code (KX-117) are not numbers."""
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        value = _value_of(match)
        if value is None:
            continue
        start = match.start()
        # 1亿2000万 and 3万5千 are one number each: the next part starts where the last one's unit ended.
        if (
            found
            and found[-1].end == start
            and text[start - 1] in _ZH_MYRIADS
            and 0 < value < found[-1].value
        ):
            last = found.pop()
            start, value = last.start, last.value + value
        found.append(Number(start, match.end(), value))
    return found


def read_number(text: str) -> Decimal | None:
    """The value when the whole text is one number, else None."""
    stripped = text.strip()
    found = find_numbers(stripped)
    return (
        found[0].value if len(found) == 1 and (found[0].start, found[0].end) == (0, len(stripped)) else None
    )


def plain_digits(value: Decimal) -> str:
    """Decimal digits without exponent or trailing zeros: Decimal('5E+5') → '500000'."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _value_of(match: re.Match[str]) -> Decimal | None:
    if match["zh"]:
        return _chinese_number(match["zh"])
    if match["en"]:
        return _english_number(match["en"].lower())
    value = Decimal(match["digits"].replace(",", ""))
    suffix = (match["suffix"] or match["letter"] or "").lower()
    return value * _SUFFIXES.get(suffix, 1)


def _chinese_number(text: str) -> Decimal | None:
    """五十万 → 500000, 三万五 → 35000, 二〇二四 → 2024, 三点一四 → 3.14; None for words such as 万一."""
    whole, _, fraction = text.partition("点")
    value = _chinese_whole(whole)
    if value is None:
        return None
    decimals = "".join(str(_ZH_DIGITS[character]) for character in fraction)
    return Decimal(f"{value}.{decimals}") if decimals else Decimal(value)


def _chinese_whole(text: str) -> int | None:
    if all(character in _ZH_DIGITS for character in text):
        return int("".join(str(_ZH_DIGITS[character]) for character in text))
    if text[0] not in _ZH_DIGITS and text[0] not in "十拾":
        return None  # 千万别 and 万一 are words, not numbers
    total = section = digit = last_unit = 0
    for character in text:
        if character in _ZH_DIGITS:
            digit = _ZH_DIGITS[character]
            if digit == 0:
                last_unit = 0
        elif character in _ZH_TENS:
            last_unit = _ZH_TENS[character]
            section += (digit or 1) * last_unit
            digit = 0
        else:
            last_unit = _ZH_MYRIADS[character]
            carried = total if last_unit == 10**8 else 0
            total = (carried + section + digit) * last_unit + (total - carried)
            section = digit = 0
    # A digit right after a unit counts tenths of that unit: 三万五 is 35,000, but 三万零五 is 30,005.
    tail = digit * last_unit // 10 if digit and last_unit >= 100 else digit
    return total + section + tail


def _english_number(text: str) -> Decimal:
    total = current = 0
    for word in re.split(r"[\s-]+", text):
        if word in _EN_UNITS:
            current += _EN_UNITS[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _EN_SCALES:
            total += (current or 1) * _EN_SCALES[word]
            current = 0
    return Decimal(total + current)
