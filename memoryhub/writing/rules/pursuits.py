"""What the speaker is at and what is coming: training for a marathon, an exam on the third, 下个月要参加比赛. Kept as sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from memoryhub.language.dates import TimeExpression
from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, item_found
from memoryhub.writing.rules.wording import without_my

_AT_EN = lazy_pattern(
    r"^(?:(?:right\s+now|currently|at\s+the\s+moment|these\s+days)\s*,?\s+)?(?:i\s+am|i['’]m|i['’]ve\s+been|i\s+have\s+been|we['’]re|we\s+are)\s+(?:(?:currently|now|still|also|busy)\s+)*(?P<what>(?:training|preparing|studying|revising|rehearsing|saving(?:\s+up)?|practi[cs]ing)\s+for|recovering\s+from|writing\s+(?:my|a)\s+(?:thesis|dissertation)|renovating|planning\s+(?:my|our)\s+wedding|applying\s+(?:for|to)|expecting\s+(?:a\s+baby|twins|our))(?P<rest>[^.;!?]*)",
    re.IGNORECASE,
)
_COMING_EN = lazy_pattern(
    r"^(?:(?P<before>[^,]{3,24}),\s+)?(?P<who>i|we)(?:\s+(?:will\s+)?(?P<has>have|has)|['’]ve\s+got|['’](?:m|re)\s+having|['’](?:m|re)\s+(?P<doing>flying|travel+ing|getting\s+married|running|competing|speaking|presenting|defending|starting|taking\s+part|having|launching|attending|hosting|graduating)|\s+(?:am|are)\s+(?P<doing2>flying|travel+ing|getting\s+married|running|competing|speaking|presenting|defending|starting|taking\s+part|launching|attending|hosting|graduating))\b(?P<rest>[^.;!?]*)",
    re.IGNORECASE,
)
_EVENT_EN = lazy_pattern(
    r"\b(?:interview|exams?|surgery|operation|appointment|flight|wedding|conference|marathon|race|competition|tournament|defen[cs]e|presentation|concert|audition|deadline|trip|check-?up|scan|hearing|trial|inspection|audit|recital|workshop|graduation|demo|keynote|exhibition|married|course|thesis|to\s+[A-Z])",
)
_AT_ZH = lazy_pattern(
    r"(?:我|^|[，,])(?:们)?(?:现在|目前|最近|还|一直|也|都)*(?:正在?|在)(?P<what>(?:备考|备战|备赛|准备|筹备|复习|训练|申请|装修|攒钱|撰写|写(?=论文|毕业|书))[^，,。！!？?；;]{0,16})(?=[，,。！!；;]|$)"
)
_COMING_ZH = lazy_pattern(
    r"(?:要|将要?|会|得|准备)(?:去[\u4e00-\u9fff]{0,6}?)?(?:参加|出席|主持|考(?!虑)|做(?=[^，,。]{0,6}手术)|举办|接受|答辩|面试|结婚|体检|出差|比赛|演讲|动手术|开庭|复查|毕业|飞往?)"
)
_RELATIVE_EN = lazy_pattern(
    r"\s*,?\s*(?:in\s+|on\s+|by\s+)?\b(?:next|this|coming|the\s+following)\s+\w+\b|\s+(?:soon|later|now)\b",
    re.IGNORECASE,
)
_POINTS_EN = lazy_pattern(
    r"\b(?:it|this|that|these|those|they|them|he|she|him|her|you|your|something|anything|someone|what)\b",
    re.IGNORECASE,
)
_POINTS_ZH = lazy_pattern(r"[你您她它这那]|(?<![吉其排])他|什么|什麼")
_AHEAD = timedelta(days=2)


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence says the speaker is at, or has before him, at most one."""
    found = _chinese(statement) if statement.chinese else _english(statement)
    if found:
        yield found


def _english(statement: Statement) -> Found | None:
    text = statement.text.strip(" .!")
    if match := _AT_EN.match(text):
        rest = _without_more(_dated_en(statement, match["rest"]))
        if rest is None or _POINTS_EN.search(rest) or len(rest.split()) > 14:
            return None
        content = f"The user is {without_my(match['what'] + _RELATIVE_EN.sub('', rest))}."
        return item_found(content, (0, len(statement.text)), attribute=match["what"].lower(), confidence=0.85)
    match = _COMING_EN.match(text)
    time = _coming(statement)
    if not match or time is None or not _EVENT_EN.search(match[0]) or match["before"]:
        return None
    rest = _without_more(_dated_en(statement, match["rest"]))
    if rest is None or _POINTS_EN.search(rest) or len(rest.split()) > 14:
        return None
    doing = match["doing"] or match["doing2"]
    verb = f"is {doing}" if doing else "has"
    return item_found(
        f"The user {verb}{without_my(rest)}.",
        (0, len(statement.text)),
        subject="",
        kind="episodic",
        confidence=0.8,
    )


def _dated_en(statement: Statement, rest: str) -> str:
    """The rest with its time as a date: relative times mean nothing later."""
    time = _coming(statement)
    if time is None:
        return rest
    told = statement.text[slice(*time.span)]
    when = {"month": f"in {time.day:%Y-%m}", "year": f"in {time.day:%Y}"}.get(time.kind, f"on {time.day}")
    if time.kind in {"week", "weekend"}:
        when = f"in the week of {time.day}"
    return re.sub(rf"(?:\b(?:on|in|at|this|by)\s+)*{re.escape(told)}", when, rest)


def _without_more(rest: str) -> str | None:
    """Up to the next statement: ', and I …', 'because …'."""
    return re.split(
        r"\s*(?:,\s*(?:and|but|so|which|i|we|he|she)\b|\b(?:and|but|so|because)\s+(?:i|we|it|my)\b|\s[-–—]\s|\()", rest, maxsplit=1, flags=re.IGNORECASE
    )[0].rstrip(" ,")  # fmt: skip


def _coming(statement: Statement) -> TimeExpression | None:
    """The one time ahead that the sentence names, when it is more than a day or two away."""
    times = [
        time
        for time in statement.future_times
        if time.kind in {"day", "part", "moment", "week", "weekend", "month", "year"}
        and time.end > statement.occurred_at + _AHEAD
    ]
    return times[0] if len(times) == 1 else None


def _chinese(statement: Statement) -> Found | None:
    text = statement.text
    span = (0, len(text))
    time = _coming(statement)
    first = re.split(r"[，,。！!；;]", text, maxsplit=1)[0]
    if time and time.span[1] <= len(first) and _COMING_ZH.search(first, time.span[1]) and "我" in first:
        rest = re.sub(r"我们?", "", first.replace(text[slice(*time.span)], "", 1), count=1)
        if not _POINTS_ZH.search(rest) and len(rest) <= 30:
            shown = {"month": f"{time.day.year}年{time.day.month}月", "year": f"{time.day.year}年"}.get(
                time.kind, f"{time.day.year}年{time.day.month}月{time.day.day}日"
            )
            shown += "那周" if time.kind in {"week", "weekend"} else ""
            content = f"{statement.user}{shown}{rest}"
            return item_found(content, span, subject="", kind="episodic", confidence=0.8)
    if (match := _AT_ZH.search(text)) and "我" in text and not _POINTS_ZH.search(match["what"]):
        what = match["what"]
        if len(what) > 2:
            return item_found(
                f"{statement.user}正在{what}", span, attribute=what[:2], value=what, confidence=0.85
            )
    return None
