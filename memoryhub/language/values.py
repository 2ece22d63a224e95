"""One form for each value, so that equals compare equal; details that make two texts different facts."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from memoryhub.language.calendar import MONTH_NAMES, WEEKDAY_NAMES, parse_date, parse_datetime
from memoryhub.language.quantities import find_numbers, plain_digits
from memoryhub.language.simplified import simplified

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_AROUND_CJK = re.compile(rf"(?<=[{_CJK}]) +| +(?=[{_CJK}])")
_EDGES = " \t\n.,;:!?\"'`“”‘’()[]{}<>。，、；：！？（）【】《》「」『』…~～·-—–_*|/\\"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")

_TRUE = frozenset("true yes y on 1 是 对 真 好 有 要".split())
_FALSE = frozenset("false no n off 0 否 不 不是 假 没有 无 不要".split())
_CURRENCIES = {
    "CNY": ("cny", "rmb", "人民币", "元", "块钱", "块", "¥", "yuan"),
    "USD": ("usd", "us$", "美元", "美金", "$", "dollars", "dollar"),
    "EUR": ("eur", "欧元", "€", "euros", "euro"),
    "GBP": ("gbp", "英镑", "£", "pounds"),
    "JPY": ("jpy", "日元", "円", "yen"),
    "HKD": ("hkd", "hk$", "港币", "港元"),
}
_CURRENCY_OF = {mark: code for code, marks in _CURRENCIES.items() for mark in marks}
_CURRENCY = re.compile("|".join(re.escape(mark) for mark in sorted(_CURRENCY_OF, key=len, reverse=True)))

_CODE = re.compile(r"[a-z0-9]+(?:[-_./:#@][a-z0-9]+)*", re.IGNORECASE)
_ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
_NEGATION_EN = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|without|neither|nor|cannot|stop(?:s|ped)?|quit|cancel(?:s|led|ed)?|"
    r"dislikes?|disliked|hates?|hated|avoids?|refuses?|refused|unlike|except|fail(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_NEGATION_ZH = re.compile(
    r"(?<![特分区级性个告])别(?!人|的|墅|名|处)|(?<!差)不(?!错|过|仅|但|断|少|论|管|同)|没(?!关系)|无(?!锡|论)|未(?!来)|"
    r"非(?!常|洲)|勿|莫|讨厌|禁止|拒绝|取消|停止|戒|除了"
)


def normalise_value(value: Any, value_type: str) -> str:
    """The `value_key` of a value: equal exactly when two values of this type mean the same.

    number → plain digits ('50万' → '500000'); money → digits and, when named, the currency ('500000 CNY');
    date → ISO (without a year '--03-04'); datetime → UTC ISO (naive is UTC); boolean → 'true' / 'false'; all
    else text: NFKC, case folded, one space, no punctuation at the ends, traditional characters as simplified ones. What cannot be read as its type is
    kept as text.
    """
    if isinstance(value, list | tuple | dict):
        return json.dumps(_normal_json(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    reader = _READERS.get(value_type)
    key = reader(value) if reader else None
    return key if key is not None else _text_key(value)


def _normal_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {_text_key(key): _normal_json(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_normal_json(member) for member in value]
    return _text_key(value)


def _text_key(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return plain_digits(Decimal(str(value)))
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", str(value))).casefold()
    text = simplified(_AROUND_CJK.sub("", " ".join(text.split())))
    trimmed = text.rstrip(_EDGES).lstrip(_EDGES.replace(".", "").replace("-", ""))
    return trimmed or text


def _number_key(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float | Decimal):
        number = Decimal(str(value))
        return plain_digits(number) if number.is_finite() else None
    found = find_numbers(unicodedata.normalize("NFKC", str(value)))
    return plain_digits(found[0].value) if len(found) == 1 else None


def _money_key(value: Any) -> str | None:
    if isinstance(value, int | float | Decimal):
        return _number_key(value)
    text = unicodedata.normalize("NFKC", str(value)).casefold()
    amount = _number_key(text)
    marks = {_CURRENCY_OF[mark] for mark in _CURRENCY.findall(text)}
    if amount is None or len(marks) > 1:
        return None
    return f"{amount} {marks.pop()}" if marks else amount


def _date_key(value: Any) -> str | None:
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else parse_date(str(value))


def _datetime_key(value: Any) -> str | None:
    moment = value if isinstance(value, datetime) else parse_datetime(str(value))
    if moment is None:
        return _date_key(value)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _boolean_key(value: Any) -> str | None:
    word = _text_key(value)
    if word in _TRUE:
        return "true"
    return "false" if word in _FALSE else None


_READERS = {
    "number": _number_key,
    "money": _money_key,
    "date": _date_key,
    "datetime": _datetime_key,
    "boolean": _boolean_key,
}


def differs_in_detail(first: str, second: str) -> bool:
    """True when two texts differ in a number, a date, a code or a negation: then they are never duplicates.

    Errs towards True: a needless 'different' stores one sentence twice, a wrong 'same' loses a fact.
    """
    return _details(first) != _details(second)


def _details(text: str) -> tuple[frozenset[str], frozenset[str], int]:
    """(numbers, codes and names of days and months, count of negations)."""
    normal = unicodedata.normalize("NFKC", text)
    numbers = frozenset(plain_digits(number.value) for number in find_numbers(normal))
    words = [_ORDINAL.sub(r"\1", word.casefold()) for word in _CODE.findall(normal)]
    codes = {word for word in words if any(character.isdigit() for character in word) and not word.isdigit()}
    calendar = {name for word in words if (name := MONTH_NAMES.get(word) or WEEKDAY_NAMES.get(word))}
    negations = len(_NEGATION_EN.findall(normal)) + len(_NEGATION_ZH.findall(normal))
    return numbers, frozenset(codes | calendar), negations
