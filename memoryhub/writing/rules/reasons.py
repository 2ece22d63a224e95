"""Why something changed when no word says 'because': 场租太贵，改做直播; 'it is fully booked, so let's …'; '…, the pay is better'.

The reason is a clause of its own beside the one that tells the value: the last one before it, else the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import FormCandidate

_BETWEEN = lazy_pattern(
    r"[，；。！？\n]+|[,;!?]+(?!\d{3})|(?<=\w)\.(?=\s|$)|——|\s[-–]\s|,?\s+\b(?:so|therefore|which\s+is\s+why)\s+(?=(?:i|we|you|it|they|the|my|our|let|please|send|ship|deliver|use|call|change|go|make|set|switch|back|put|no|just)\b)|\s+and\s+(?:now|so)\s+",
    re.IGNORECASE,
)
# What stands beside a value and is no reason: greetings, thanks, announcements of the change, wishes how it is to be done.
_NO_REASON_ZH = lazy_pattern(
    r"^(?:好|嗯|行|哦|噢|喂|对|對|是|那|谢|謝|多谢|麻烦|麻煩|辛苦|哈|呵|唉|不好意思|抱歉|请|請|记|記|帮|幫|另外|对了|對了|就这样|就這樣|就这么|没错|没事|听|想一?想|想了|考虑|商量|决定|决定了|以后|以後|今后|从现在|现在|現在|如果|要是|万一|也许|可能|不过|但是|还是|再说|先这样|尽快)|商量|(?:改|换|換|更新|变更|變更|调整|調整|动|變|变)(?:一下|一个|一個|个|动|過|过)|^[^，,]{0,6}(?:改了|变了|變了|换了|有变|有變|改主意了?|方案[^，,]{0,4}了|要改|要换|定了|没变|沒變)$|[吗呢吧嘛么]$|^[^\u4e00-\u9fffA-Za-z]*$|^.{1,2}$",
)
_NO_REASON_EN = lazy_pattern(
    r"^(?:ok(?:ay)?|yes|yeah|no|well|right|sure|fine|alright|hi|hello|hey|thanks?|thank\s+you|cheers|great|sorry|please|actually|by\s+the\s+way|btw|haha|lol|oh|so|then|now|instead|again|after\s+all|for\s+now|from\s+now\s+on|going\s+forward|as\s+(?:agreed|discussed)|just\s+so\s+you\s+know|fyi|let\s+me|can\s+you|could\s+you|would\s+you|if|maybe|perhaps|unless|when|please\s+\w+)\b(?!\s+(?:longer|one))|chang(?:e|ed|es)\s+(?:my|our|of)\s+(?:mind|plan|address)s?$|^(?:new|quick|small|slight)\s+(?:plan|update|change)|^(?:update|change|correction)\b|^(?:\w+\s*){1}$|\?$",
    re.IGNORECASE,
)
_TELLS_A_CHANGE = lazy_pattern(
    r"改[用成为為做去到回寄打走坐喝吃]|[换換][成到回用为]|方案|计划|預算|预算|截止|交付|延到|推到|提前|[寄送发打]到?[回去]?(?=.*\d)|还是(?!没|不)|又?喜[欢歡]|讨厌|以[后後](?=.{0,4}(?:讲|说|回|用|打|寄|简))|"
    r"\b(?:plan|budget|deadline|address|e-?mail|number|due)\s+(?:is|to|was|has)\b|\b(?:back\s+(?:to|at|on|with)|mov(?:e|ed|ing)\s+to|switch\w*|chang\w+|let['’]s|instead|after\s+all|we['’]ll|i\s+(?:now\s+)?(?:work|like|love|hate|take|use|prefer)|(?:don['’]t|no\s+longer)\s+(?:like|enjoy|use|work))\b",
    re.IGNORECASE,
)
_LEFT = lazy_pattern(r"(?:i|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:left|quit)\s", re.IGNORECASE)
_NEW = lazy_pattern(r"\bnew\b|,\s*so\b|换一?个|[改换]一下|以后|新的|为准|為準", re.IGNORECASE)
_LONGEST = 120


def unmarked_reason(text: str, candidates: Sequence[object]) -> str:
    """The clause that says why a told value changed; '' where no value is told as changed, or nothing stands beside it."""
    changed = [
        each
        for each in candidates
        if isinstance(each, FormCandidate)
        and each.operation != "remove"
        and (each.explicit_correction or _NEW.search(each.quote))
    ]
    if not changed:
        return ""
    clauses = [part.strip() for part in _BETWEEN.split(text) if part and part.strip()]
    told = [place for place, clause in enumerate(clauses) if any(_tells(clause, each) for each in changed)]
    # 运维只会管MySQL，数据库又换回MySQL了: the value stands in the reason, too.
    told = [place for place in told if _TELLS_A_CHANGE.search(clauses[place])] or told
    if not told:
        return ""
    before = [clause for clause in clauses[: told[0]] if _explains(clause)]
    after = [clause for clause in clauses[told[-1] + 1 :] if _explains(clause)]
    said = [*reversed(before), *after]
    return next((clause for clause in said if not _LEFT.match(clause)), said[0] if said else "")


def _tells(clause: str, candidate: FormCandidate) -> bool:
    """Whether the clause holds the value, or the words of a change where the value is written otherwise."""
    value = re.split(r"[,，]", str(candidate.value or ""))[0]
    if len(value) > 1 and value.casefold() in clause.casefold():
        return True
    is_shown_otherwise = value.casefold() not in candidate.quote.casefold()
    if not is_shown_otherwise:
        return False
    if re.search(r"\d", value):
        return bool(re.search(r"\d", clause)) and bool(_TELLS_A_CHANGE.search(clause))
    return bool(_TELLS_A_CHANGE.search(clause))


def _explains(clause: str) -> bool:
    if len(clause) > _LONGEST:
        return False
    if re.search(r"[\u4e00-\u9fff]", clause):
        return not _NO_REASON_ZH.search(clause)
    return not _NO_REASON_EN.search(clause) and len(clause.split()) > 1
