"""Contexts: what a value of a conversation belongs to, as `order:A`; '' is the conversation as a whole.

Pure. Read out of Chinese and English by the word in front of a code: 订单A, order #1203, 工单 T-88, parcel SF123456789.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memoryhub.language.text import clean

WHOLE = ""
LONGEST_NAME = 200
_CONTEXT = re.compile(r"[a-z][a-z_]{0,18}:\S(?:.{0,198}\S)?")

_CODE = r"(?:(?=[A-Za-z\d_-]*\d)[A-Za-z\d][A-Za-z\d_-]{0,30}(?<=[A-Za-z\d]))"
_LETTER = r"(?-i:[A-Z](?![A-Za-z]))"
_WORDS: dict[str, tuple[str, str]] = {
    "order": ("订单|訂單|单子|單子", r"orders?|purchase"),
    "ticket": ("工单|工單|报修单|報修單|报修", r"tickets?|incident|case"),
    "parcel": ("快递|快遞|运单|運單|包裹|快件|物流", r"parcels?|package|shipment|tracking"),
    "task": ("任务|任務|待办", r"tasks?|to-?do"),
    "project": ("项目|項目", r"projects?"),
}
_ZH_LINK = r"(?:单|單)?(?:号码?|號碼?|编号|編號)?\s*(?:是|为|為|：|:)?\s*#?\s*"
_EN_LINK = r"\s*(?:number|no\.?|id|code|#)?\s*(?:is|:)?\s*#?\s*"
_NAMED = re.compile(
    "|".join(
        rf"(?:{zh}){_ZH_LINK}(?P<zh_{kind}>{_CODE}|{_LETTER})|\b(?:{en}){_EN_LINK}(?P<en_{kind}>{_CODE}|{_LETTER})(?![A-Za-z\d])"
        for kind, (zh, en) in _WORDS.items()
    ),
    re.IGNORECASE,
)
_KIND_WORDS = {kind: re.compile(rf"{zh}|\b(?:{en})\b", re.IGNORECASE) for kind, (zh, en) in _WORDS.items()}
# 订单A和B, orders A and B: the second code shares the first one's word.
_ALSO = re.compile(
    rf"\s*(?:和|与|與|、|,|，|及|跟|\band\b|\bor\b)\s*(?P<code>{_CODE}|{_LETTER})(?![A-Za-z\d])"
)


class Mention(NamedTuple):
    """A context named at [start, end) of a text."""

    context: str
    start: int
    end: int


def is_context(text: str) -> bool:
    """Whether a text can be a context: '' or kind and name."""
    return text == WHOLE or (len(text) <= LONGEST_NAME and _CONTEXT.fullmatch(text) is not None)


def context_of(kind: str, name: str) -> str:
    """The one spelling of a context: a code in capital letters, whatever it was written in."""
    written = clean(name).strip()
    return f"{kind}:{written.upper() if written.isascii() else written}"


def normal_context(context: str) -> str:
    """A context as it was sent, in its one spelling."""
    if context == WHOLE:
        return context
    kind, _, name = context.partition(":")
    return context_of(kind, name)


def kind_of(context: str) -> str:
    return context.partition(":")[0]


def name_of(context: str) -> str:
    return context.partition(":")[2]


def named_in(text: str) -> list[Mention]:
    """Every context a text names, in order."""
    found = []
    for match in _NAMED.finditer(text):
        group = next(key for key, value in match.groupdict().items() if value)
        kind, end = group[3:], match.end(group)
        found.append(Mention(context_of(kind, match[group]), match.start(), end))
        while also := _ALSO.match(text, end):
            found.append(Mention(context_of(kind, also["code"]), also.start("code"), also.end("code")))
            end = also.end("code")
    return found


def is_kind_word(text: str) -> bool:
    """Whether a text is nothing but the word for a kind: 订单, order."""
    return any(pattern.fullmatch(text.strip()) for pattern in _KIND_WORDS.values())


def kinds_in(text: str) -> set[str]:
    """The kinds of context a text speaks of, with or without a code."""
    return {kind for kind, pattern in _KIND_WORDS.items() if pattern.search(text)}
