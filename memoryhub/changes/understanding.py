"""What an owner's own words answer to a question that was put to him, in Chinese and English. Pure.

Only what is plain is understood; everything else is left to a person, with the words as evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from memoryhub.language.values import normalise_value

type Understood = Literal["new", "keep", "exception"]

_ONCE = re.compile(
    r"例外|(?:只是?|就|仅|光)(?:是)?(?:这|那)一?[次回单]|这[次回]而已|下不为例|临时的?|暂时(?:的|这样)"
    r"|\b(?:just|only)\s+(?:for\s+)?(?:this|that)\s+(?:once|time|one)|\bthis\s+time\s+only|\bjust\s+(?:this\s+)?once\b|\bone[- ]off\b|\bexception\b"
    r"|\bfor\s+now\b|\btemporar(?:y|ily)\b",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"(?:不用|不要|不必|别|无需|甭)(?:再)?(?:改|更新|换|动)|(?:还是|仍然?是?|以|按)(?:之前|原来|以前|原先|老|旧)(?:的|那个)|(?:保持|维持)(?:不变|原样|现状|原来)"
    r"|没(?:有)?(?:改|变|换)|(?:不变|照旧|老样子)"
    r"|\b(?:do\s+not|don['’]t|no\s+need\s+to)\s+(?:update|change|touch)|\bkeep\s+(?:it|the|that|what)|\bstill\s+(?:the\s+(?:old|same)|as)|\bas\s+(?:it\s+was|before)"
    r"|\bleave\s+it\b|\bnothing\s+(?:has\s+)?changed\b|\bhasn['’]t\s+changed\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"(?:已经|早就|现在)?不(?:再)?(?:是|住|用|在)(?:这样|那里|那儿)?了|过时|作废|失效|搬(?:家|走)?了|换(?:掉)?了|变了|没有了|取消了"
    r"|\bno\s+longer\b|\bnot\s+any\s?more\b|\boutdated\b|\bit(?:['’]s|\s+is|\s+has)\s+(?:changed|over|gone)\b|\bi\s+moved\b",
    re.IGNORECASE,
)
_UPDATE = re.compile(
    r"(?:请|帮我)?(?:更新|改(?:成|为|过来|一下|吧|了)|换(?:成|吧))|以(?:新|后面|这次)的?为准|\b(?:please\s+)?(?:update|change)\s+(?:it|that|them)\b|\buse\s+the\s+new\b"
    r"|\bthe\s+new\s+one\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:是的?|对的?|嗯+|没错|好的?|可以|行|确认|当然|正确|yes|yeah|yep|yup|sure|correct|right|ok(?:ay)?|confirmed|please\s+do|exactly)(?:[啊呀呢哦吧了]|\W|$)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"不是|并非|不在|不要|不用|\bnot\b|n['’]t\b|\bnever\b", re.IGNORECASE)
_NO = re.compile(r"^\W*(?:不是?的?|不对|没有|no|nope|nah|wrong)(?:[啊呀呢哦吧了]|\W|$)", re.IGNORECASE)


def understand(text: str, *, kind: str, choices: Sequence[dict[str, Any]]) -> Understood | None:
    """Which of the offered answers the words are; None when they are none of them for sure.

    Of a question about something outdated 'yes' means that it still holds; of any other that the new value does.
    """
    offered = {str(choice["code"]): choice.get("value") for choice in choices}
    outdated = kind == "outdated"
    found: list[Understood] = []
    if "exception" in offered and _ONCE.search(text):
        found.append("exception")
    elif _KEEP.search(text):
        found.append("keep")
    elif (outdated and _ENDED.search(text)) or (
        not outdated and _UPDATE.search(text) and not _names(text, offered.get("keep"))
    ):
        found.append("new")
    elif named := _named(text, offered):
        found.append(named)
    elif _NO.search(text):
        found.append("new" if outdated else "keep")
    elif _YES.search(text):
        found.append("keep" if outdated else "new")
    return found[0] if found and found[0] in offered else None


def _named(text: str, offered: dict[str, Any]) -> Understood | None:
    """The one of both values that the words name, when they name one alone and deny nothing."""
    names = {code for code in ("new", "keep") if _names(text, offered.get(code))}
    if len(names) != 1 or _DENIES.search(text) or _NO.search(text) or _ENDED.search(text):
        return None
    return "new" if "new" in names else "keep"


def _names(text: str, value: Any) -> bool:
    wanted = normalise_value(value, "text") if isinstance(value, str | int | float) else ""
    return len(wanted) > 1 and wanted in normalise_value(text, "text")
