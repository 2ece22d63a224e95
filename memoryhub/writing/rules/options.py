"""The plans and options a choice is about: how they are named, and which one 'this plan' or a bare letter points at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryhub.language.patterns import lazy_pattern

_LETTER_ZH = r"[A-Za-zＡ-Ｚ](?![A-Za-z])|[甲乙丙丁]|[一二三四五六](?![一-鿿]*个)|\d{{1,2}}(?!\d)"
PLAN_ZH = (
    rf"(?:(?P<noun{{0}}>方案|计划|計劃|计畫|计画|选项|選項|套餐|提案)\s*(?P<name{{0}}>{_LETTER_ZH})|(?P<nameb{{0}}>[A-Za-zＡ-Ｚ]|[甲乙丙丁]|第[一二三四五](?:个|個|套|种|種)?|(?:\d{{{{1,2}}}}|[一二三四五六])号)\s*(?P<nounb{{0}}>方案|计划|計劃|计畫|计画|选项|選項|套餐|提案)|"
    r"(?P<namec{0}>(?!(?:这|這|那|哪|什|原|新的|其他|另|别的|別的|两|兩|几|幾|所有|每|一[个個套种]|我|你|他|该|該|上述|同|用|选|選|要|定|换|換|把|就|还是|還是|采|採|走|按|不|改|旧|舊|老(?!带)|之前|最后|最終|最终|整|现在|現在|下|回|了|个|的|成|到|为|放[弃棄]|否|拒|取消|排除|通过|批|执|讨论|对比|比较|修改|提交|关于|[和与跟、]|是|在|觉|认|更|很|对|让|看|出|来|两|第|多|哪|啥|别))(?![出来])(?:(?![的是了个])[\u4e00-\u9fff]){{2,5}}的?)(?P<nounc{0}>方案)(?!\s*[A-Za-z甲乙丙丁一二三四五六\d]))"
)
PLAN_EN = (
    r"(?:(?P<noun{0}>plan|option|proposal|variant|version|package|design|draft|approach|choice)\s+(?P<name{0}>[A-Za-z](?![\w'’])|\d{{1,2}}(?!\w)|one|two|three)|"
    r"(?P<namec{0}>first|second|third|fourth|(?!(?:clear|bad|good|same|other|whole|original|old|new|current|right|wrong|this|that|your|our|my|better|best|a|an|the|no|any|each|next|last|only|previous|current|different|another|family|data|game|business|floor|lesson|meal|payment)\b)[a-z-]{{3,20}})\s+(?P<nounc{0}>plan|option|proposal|package|approach))"
)
_LETTERED_EN = lazy_pattern(
    r"\b(?P<noun>plan|option|proposal|variant|version|package|design|draft|approach|choice)\s+(?P<name>[A-Za-z](?![\w'’])|\d{1,2}(?!\w)|one|two|three)",
    re.IGNORECASE,
)
_LETTERED_ZH = lazy_pattern(
    r"(?P<noun>方案|计划|計劃|计畫|计画|选项|選項|套餐|提案)\s*(?P<name>[A-Za-zＡ-Ｚ](?![A-Za-z])|[甲乙丙丁]|[一二三四五六]|\d{1,2}(?!\d))|(?P<nameb>[A-Za-zＡ-Ｚ]|[甲乙丙丁]|第[一二三四五](?:个|個|套|种|種)?|(?:\d{1,2}|[一二三四五六])号)\s*(?P<nounb>方案|计划|計劃|计畫|计画|选项|選項|套餐|提案)"
)
_DESCRIBED_ZH = lazy_pattern(
    r"(?P<namec>[\u4e00-\u9fff]{2,9})(?P<nounc>方案)(?!\s*[A-Za-z甲乙丙丁一二三四五六\d])"
)
# 要不要再加一个砍价方案 names 砍价方案.
_LEADS_ZH = lazy_pattern(
    r"^.*(?:[一这那][个套种]|再[加上做搞]个?|加[个上]|增加|新增|提供|推荐|建议|尝试|试试|考虑|改用|改成|换成|采用|采取|使用|选择|[做用走选按搞是有])(?=[\u4e00-\u9fff]{2,}$)"
)
_LONGEST_UNLED_ZH = 4
_DESCRIBED_EN = lazy_pattern(
    r"\b(?:the|an?|our)\s+(?P<name>(?:(?!(?:same|other|whole|original|old|new|current|right|wrong|best|better|next|last|only|previous|different|another|first|second|third|good|great|few|clear|bad)\b)[a-z][\w-]*\s+){1,3})(?P<noun>plan|option|proposal|package|approach)\b(?!\s+(?:[A-Z]\b|\d))"
)
_NO_NAME_ZH = lazy_pattern(
    r"[这這那哪什]|^[最全更]?新|其他|另|别的|[两兩几幾个個些]|所有|[我你他]|[看试試用选選要定换換把就采採走按下了]|先|再|一下|比较|更|的$|^[的是了都也还将给对让]"
)
# 'A or B' of an earlier turn: letters that share one noun.
_SHARED = lazy_pattern(
    r"(?P<noun>方案|计划|\b(?:plans?|options?|proposals?)\b)\s*(?P<first>[A-Z])\s*(?:和|与|、|或|还是|跟|and|or|/|,|vs\.?)\s*(?P<second>[A-Z])\b",
    re.IGNORECASE,
)


def plan_name(match: re.Match[str]) -> str:
    """方案B for B方案 too, 'plan B'; in the language it was said in."""
    groups = match.groupdict()
    name = next(value for key, value in groups.items() if key.startswith("name") and value)
    noun = next(value for key, value in groups.items() if key.startswith("noun") and value)
    in_front = any(value for key, value in groups.items() if key.startswith("namec"))
    return named(noun, name, in_front=in_front)


def named(noun: str, name: str, *, in_front: bool = False) -> str:
    """The name as it is stored: 'plan B', 'second option', 方案B, 外包方案."""
    if noun.isascii():
        if in_front:
            return f"{name.lower()} {noun.lower()}"
        return f"{noun.lower()} {name.upper() if len(name) == 1 else name.lower()}"
    return f"{name}{noun}" if in_front or name.startswith("第") else f"{noun}{name.upper()}"


def plans_named_in(text: str) -> list[str]:
    """The plans a text names, in order, each once."""
    found: list[tuple[int, str]] = []
    for match in _LETTERED_EN.finditer(text):
        found.append((match.start(), named(match["noun"], match["name"])))
    for match in _DESCRIBED_EN.finditer(text):
        found.append((match.start(), f"{match['name'].strip().lower()} {match['noun']}"))
    for match in (*_LETTERED_ZH.finditer(text), *_DESCRIBED_ZH.finditer(text)):
        described = _without_lead(match.groupdict().get("namec") or "")
        if not _NO_NAME_ZH.search(described):
            found.append((match.start(), f"{described}{match['nounc']}" if described else plan_name(match)))
    for match in _SHARED.finditer(text):
        noun = match["noun"].rstrip("sS") if match["noun"].isascii() else match["noun"]
        found += [(match.start(), named(noun, match["first"])), (match.end(), named(noun, match["second"]))]
    return list(dict.fromkeys(name for _, name in sorted(found)))


def _without_lead(described: str) -> str:
    """The name in the words before 方案; of more words than a name has, the last ones."""
    bare = _LEADS_ZH.sub("", described)
    return bare if bare != described else described[-_LONGEST_UNLED_ZH:]


def last_named(turns: Sequence[str]) -> str:
    """The plan spoken of last, '' when none was or when the last turn that names any names several."""
    for text in reversed(turns):
        if plans := plans_named_in(text):
            return plans[0] if len(plans) == 1 else ""
    return ""


def with_letter(letter: str, turns: Sequence[str]) -> str:
    """The plan of this letter or number that was spoken of before, '' when none was."""
    wanted = letter.upper()
    for text in reversed(turns):
        for plan in plans_named_in(text):
            if plan.upper().endswith(wanted) or plan.upper().startswith(f"第{wanted}"):
                return plan
    return ""


_ORDINALS = (("first", "第一", "前者"), ("second", "第二", "后者", "後者"), ("third", "第三"))


def by_place(words: str, turns: Sequence[str]) -> str:
    """'the first one', 后者: the plan at that place among those the last turn with any plan names; '' when it names fewer."""
    place = next(
        (at for at, names in enumerate(_ORDINALS) if any(name in words.lower() for name in names)), None
    )
    for text in reversed(turns):
        if plans := plans_named_in(text):
            return plans[place] if place is not None and place < len(plans) > 1 else ""
    return ""
