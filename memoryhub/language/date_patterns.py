"""The words and shapes of time expressions: patterns over lower-case, half-width text, by the rule that resolves them."""

from __future__ import annotations

import re
from decimal import Decimal

from memoryhub.language.calendar import MONTH_NAMES, WEEKDAY_NAMES
from memoryhub.language.patterns import lazy_pattern
from memoryhub.language.quantities import find_numbers

_MONTHS = list(dict.fromkeys(MONTH_NAMES.values()))
_WEEKDAYS = list(dict.fromkeys(WEEKDAY_NAMES.values()))
_WORDS = {
    word: count
    for count, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2}


def number(text: str) -> Decimal:
    """The value of a count, year, month or day as matched by the patterns below; raises ValueError when it has none."""
    plain = text.strip()
    if plain in MONTH_NAMES:
        return Decimal(_MONTHS.index(MONTH_NAMES[plain]) + 1)
    if plain in _WORDS:
        return Decimal(_WORDS[plain])
    if plain in {"半", "half a"}:
        return Decimal("0.5")
    found = find_numbers(plain)
    if len(found) != 1:
        raise ValueError(text)
    return found[0].value


def weekday_number(name: str) -> int:
    """Monday is 0; English names and the Chinese numerals after 周."""
    if name in WEEKDAY_NAMES:
        return _WEEKDAYS.index(WEEKDAY_NAMES[name])
    return 6 if name in {"日", "天"} else int(number(name)) - 1


_ZH = "〇零一二两兩三四五六七八九十"
_ZN = rf"(?:\d{{1,2}}|[{_ZH}]{{1,3}})"
_NAME = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
_MONTH = rf"(?P<month>{_NAME})\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT_EN = r"(?P<count>\d{1,3}|a couple of|couple of|a few|few|several|half a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?)"
_UNIT_EN = r"(?P<unit>days?|weeks?|months?|years?)"
_WEEKDAY = r"(?P<name>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_ANY_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_PART_EN = r"(?:\s+(?:in the\s+)?(?P<part>morning|afternoon|evening|night))"
# 三号会议室 and 五号线 name a place, not a day.
_NO_PLACE = r"(?!\s*(?:[楼樓线線门門机機厅廳馆館桌车車店院区區仓倉柜櫃室房台]|会议|會議|航站|教学|文件|方案|项目|选手|球员|服务|服務|设备|設備))"

PATTERNS: list[tuple[str, re.Pattern[str]]] = [
    (name, lazy_pattern(pattern))
    for name, pattern in (
        # numbers and names of the calendar
        (
            "calendar_day",
            rf"(?<![\d.\-/]){_YEAR}[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?![\d\-/]|\.\d)",
        ),
        (
            "calendar_day",
            rf"(?P<year>(?:19|20)\d\d|[二一][〇零一二三四五六七八九]{{3}}|[去今明前后後]年)\s*年?\s*(?P<month>{_ZN})\s*月\s*(?P<day>{_ZN})\s*[日号號]?",
        ),
        (
            "calendar_day",
            rf"(?<![\d年个個{_ZH}])(?P<month>{_ZN})\s*月\s*(?P<day>{_ZN})\s*(?:[日号號]|(?=[之以]?前|上线|上線|交|[，,。！!]|$))",
        ),
        ("calendar_day", rf"\b(?:the\s+)?{_DAY}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?\b(?![-\d])"),
        ("calendar_day", rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}\b(?!:)(?:,?\s+{_YEAR}\b)?"),
        # the day of the week only adds to the date
        (
            "calendar_day",
            rf"\b{_ANY_WEEKDAY},?\s+(?:the\s+)?{_DAY}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?\b(?![-\d])",
        ),
        ("calendar_day", rf"\b{_ANY_WEEKDAY},?\s+{_MONTH}\s+(?:the\s+)?{_DAY}\b(?!:)(?:,?\s+{_YEAR}\b)?"),
        ("day_of_month", rf"\b{_ANY_WEEKDAY},?\s+the\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"),
        (
            "calendar_month",
            rf"(?P<year>(?:19|20)\d\d|[二一][〇零一二三四五六七八九]{{3}}|[去今明前后後]年)\s*年?\s*(?P<month>{_ZN})\s*月(?:份)?(?!\s*\d)",
        ),
        ("calendar_month", rf"(?<![\d个個{_ZH}年])(?P<month>{_ZN})\s*月(?:份)?(?![\d饼餅嫂{_ZH}])"),
        ("calendar_month", rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b"),
        ("calendar_month", rf"\b(?:in|since|until|till|during|by|early|late|mid|of)\s+{_MONTH}\b(?!\s+\d)"),
        ("calendar_month", rf"\b(?P<year>last|this|next)\s+{_MONTH}\b(?!\s+\d)"),
        ("calendar_year", r"(?<!\d)(?P<year>(?:19|20)\d\d)\s*年(?!\s*[\d一二三四五六七八九十]+\s*月)"),
        ("calendar_year", r"(?P<year>[去今明前后後]年)(?![\s\d一二三四五六七八九十]*月|[年底末])"),
        ("calendar_year", rf"\b(?:in|since|until|during|by|of|before|after)\s+{_YEAR}\b(?![-/.]\d)"),
        # words
        ("day_word", r"(?P<word>大前天|前天|昨天|昨日|今天|今日|明天|明日|大后天|大後天|后天|後天)"),
        ("day_word", r"(?P<word>[昨今明前])(?P<part>晚上|早上|夜里|晚|早)(?!餐|饭|飯|期|退|些)"),
        ("day_word", rf"\b(?P<word>yesterday|today|tomorrow)\b{_PART_EN}?"),
        ("day_word", r"\b(?P<word>the\s+day\s+before\s+yesterday|the\s+day\s+after\s+tomorrow)\b"),
        ("day_word", r"\b(?P<word>last\s+|to)(?P<part>night)\b"),
        (
            "weekday_zh",
            rf"(?<![每{_ZH}\d])(?P<which>上上|下下|上|下|这|這|本)?(?:一)?(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?P<name>[一二三四五六日天末])(?![次遍回])",
        ),
        ("weekday_en", rf"\b(?:(?P<which>last|this|next|coming|past)\s+)?{_WEEKDAY}\b{_PART_EN}?"),
        (
            "relative_unit",
            r"(?P<which>上上|下下|上|下|这|這|本)(?:一)?(?:个|個)?(?P<unit>周|週|星期|礼拜|禮拜)(?![一二三四五六日天末])",
        ),
        ("relative_unit", r"(?P<which>上上|下下|上|下|这|這|本)(?:一)?(?:个|個)?(?P<unit>月)(?![底末亮])"),
        (
            "relative_unit",
            r"\b(?P<which>last|this|next|past|coming|previous)\s+(?P<unit>weekend|week|month|year)\b",
        ),
        (
            "end_of_month",
            rf"(?<![\d个個{_ZH}])(?:(?P<year>(?:19|20)\d\d|[今明]年)年?)?(?P<month>{_ZN})\s*月(?:份)?(?:[底末]|最后一天)",
        ),
        (
            "end_of_month",
            rf"\b(?:the\s+)?(?:end\s+of|last\s+day\s+of)\s+{_MONTH}\b(?:,?\s+{_YEAR}\b)?(?!\s+\d)",
        ),
        ("end_of", r"(?P<which>上|下|这|這|本)?(?:个|個)?(?P<unit>月)[底末]"),
        ("end_of", r"(?P<which>[去今明])?(?P<unit>年)[底末]"),
        (
            "end_of",
            r"\b(?:the\s+)?end\s+of\s+(?:the\s+)?(?P<which>last|this|next)?\s*(?P<unit>week|month|year)\b",
        ),
        # distances
        (
            "distance",
            r"(?P<count>\d{1,3}|[一二两兩三四五六七八九十半几幾]{1,3})\s*(?P<unit>天|日|周|週|个星期|個星期|星期|个礼拜|礼拜|禮拜|个月|個月|年)(?:之|以)?(?P<direction>前|后|後|内|內)",
        ),
        ("distance", rf"\b{_COUNT_EN}\s+{_UNIT_EN}\s+(?P<direction>ago|from\s+now|later|before\s+now)\b"),
        ("distance", rf"\b(?P<ahead>in|within)\s+(?:about\s+)?{_COUNT_EN}\s+{_UNIT_EN}(?:['’]s?\s+time)?\b"),
        (
            "hours",
            r"(?P<count>\d{1,3}|[一二两兩三四五六七八九十半]{1,3})\s*(?:个|個)?(?P<unit>小时|小時|钟头|分钟|分鐘)(?:之|以)?(?P<direction>前|后|後)",
        ),
        (
            "hours",
            r"\b(?P<count>\d{1,3}|one|two|three|four|five|six|half\s+an|an?)\s+(?P<unit>hours?|minutes?)\s+(?P<direction>ago|from\s+now|later)\b",
        ),
        (
            "hours",
            r"\b(?P<ahead>in)\s+(?P<count>\d{1,3}|one|two|three|four|five|six|an?)\s+(?P<unit>hours?|minutes?)\b",
        ),
        (
            "day_of_month",
            rf"(?P<which>上上|下下|上|下|这|這|本)(?:一)?(?:个|個)?月\s*(?P<day>{_ZN})\s*[日号號]",
        ),
        ("day_of_month", rf"(?<![\d月第{_ZH}.\-])(?P<day>{_ZN})[号號](?![\d码碼]){_NO_PLACE}"),
        (
            "day_of_month",
            r"\b(?:on|by|until|before)\s+the\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b(?!\s+(?:floor|street|avenue|of|version|time|grade))",
        ),
    )
]

ANY_HINT = lazy_pattern(
    r"[月年周週天日号號晚早夜前后後内內]|星期|礼拜|禮拜|day|tomorrow|week|month|year|ago|night|hour|minute|20\d\d|19\d\d|\d(?:st|nd|rd|th)\b|"
    rf"\b(?:{_NAME})\b"
)
TIME_OF_DAY_ZH = lazy_pattern(
    rf"\s*的?(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(?:\s*(?P<hour>{_ZN})\s*(?:[点點时時](?!前|后|後)(?:钟|鐘|整)?|[:：](?=\d\d))"
    rf"(?:(?P<half>半)|(?P<minute>\d{{1,2}}|[{_ZH}]{{1,3}})分?)?)?(?<=[\u4e00-\u9fff\d])"
)
TIME_OF_DAY_EN = lazy_pattern(
    r"(?:\s+(?:in\s+the\s+)?(?P<part>morning|afternoon|evening|night)\b)?"
    r"(?:,?\s+(?:at|around|about|by)\s+(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half_day>am|pm)?\b)?"
)
PARTS_OF_DAY = {
    "凌晨": (0, 6), "清晨": (5, 8), "早上": (6, 9), "早晨": (6, 9), "早": (6, 9), "上午": (8, 12), "中午": (11, 14), "下午": (12, 18),
    "傍晚": (17, 20), "晚上": (18, 24), "晚": (18, 24), "夜里": (20, 24), "morning": (6, 12), "afternoon": (12, 18),
    "evening": (17, 22), "night": (18, 24),
}  # fmt: skip
AFTERNOON = frozenset({"下午", "傍晚", "晚上", "晚", "夜里", "pm", "afternoon", "evening", "night"})
DAY_WORDS = {
    "大前天": -3, "前天": -2, "前": -2, "昨天": -1, "昨日": -1, "昨": -1, "今天": 0, "今日": 0, "今": 0,
    "明天": 1, "明日": 1, "明": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
    "yesterday": -1, "last": -1, "today": 0, "to": 0, "tomorrow": 1,
    "the day before yesterday": -2, "the day after tomorrow": 2,
}  # fmt: skip
