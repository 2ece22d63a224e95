"""Plans that are told by what is done and not by a letter: 方案改成露营, 'the plan is now indoor climbing'.

A plan of something (退款方案, 'the refund plan') is kept under that subject. A choice that names no plan at all (还是用灰度发布,
'back to the canary deployment') is only offered with the flag `of_standing_plan`: settling looks whether it continues one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.options import plans_named_in
from memoryhub.writing.rules.returns import returns_to_earlier
from memoryhub.writing.rules.statement import Found, Statement, field_found
from memoryhub.writing.rules.vocabulary import field_of

OF_STANDING_PLAN = "of_standing_plan"
"""Only a former value of the standing plan, or one of its sort, is meant; nothing else."""
PLAN_SPOKEN_OF = "plan_spoken_of"
"""A plan was spoken of a few turns ago, and one thing is put in the place of another."""
WEIGHED_BEFORE = "weighed_before"
"""The same value was weighed earlier in the conversation."""

# Cheap looks that spare most sentences the long patterns.
_SPEAKS_OF_A_CHOICE_ZH = lazy_pattern(
    r"方案|计划|改[成为用回做去办搞走]|换[成用回]|回到|用回|还是|决定|恢复|退回|重新|最[后终]"
)
_SPEAKS_OF_A_CHOICE_EN = lazy_pattern(
    r"plan|option|proposal|approach|package|strateg|\bso\s+(?:we|let)|let['’]s|we['’]ll|strateg|migrat|cut-?over|switch-?over|rewrite|campaign|itinerar|variant|concept|programme?|format|deploy|roll-?out|release|model|scheme|method|route|setup|back|return|revert|again|after\s+all|instead|switch|chang|mov(?:ed|ing)|decide|settled|final|in\s+the\s+end|chose|once\s+more",
    re.IGNORECASE,
)
_CLAUSE_ZH = lazy_pattern(r"[^，,。！!？?；;：:\n]+(?:[：:][^，,。！!？?；;\n]+)?")
_TOPIC_ZH = r"(?P<topic>(?:(?!改成|改为|采用|决定|还是|换成|[的是了把将在对跟和与我你他她这那哪])[\u4e00-\u9fff]){2,6})"
_PLAN_ZH = lazy_pattern(
    rf"^(?:那么?|所以|然后|于是|现在|目前|最后|最终|把|将|我们的?|咱们的?|我这边的?|我的?|这次的?|本次的?|这回的?|[^，,。的]{{1,8}}的(?!当前|现在|目前|最新|最终|整体|现行)(?=[\u4e00-\u9fff]{{2,6}}方案))*(?:{_TOPIC_ZH}的?)??(?:当前的?|现在的?|目前的?|最新的?|最终的?|新的?|整体的?|现行的?)?(?P<noun>方案|计划)(?:已经|现在|最终|最后|暂时|目前|又|就|先|也|都|还是|要|得|需要|我们)*"
    r"(?P<verb>改成了?|改为了?|改到|改用了?|换成了?|换为|换到|变成了?|变为|变更为|调整为|调整成|定为|定成|定的是|敲定为|确定为|确定是|改回了?|换回了?|回到|恢复为|恢复成|退回到?|是|为|：|:|先用|就用|用的是|采用|选用|选的是|走的是|先走|就定了?|就按照?|就选|就做|就走|就是|定了?|选了?|用|走|按照?)(?P<plan>[^，,。！!？?；;\n]{2,20})$"
)
_COPULA_ZH = frozenset(
    {
        "是",
        "为",
        "：",
        ":",
        "就是",
        "定",
        "定了",
        "选",
        "选了",
        "用",
        "走",
        "按",
        "按照",
        "就按",
        "就按照",
        "就做",
        "就走",
    }
)
# 方案定了，去大理: what was settled comes after.
_SETTLED_ZH = lazy_pattern(
    rf"(?:{_TOPIC_ZH}的?)?方案(?:已经|终于|就|都|也)*(?:定好|定下来|定|确定|敲定|商量好|想好|选好)了[，,：:]\s*(?:最后|我们|还是|决定|打算|就)*(?:是|去|做|搞|办|用|走|选|按|采用|先)(?P<plan>[^，,。！!？?；;\n]{{2,20}})"
)
# What a plan is said to be without being told: 方案是好的, 方案是他们做的, 方案是什么.
_NO_PLAN_ZH = lazy_pattern(
    r"^(?:流程|落实|执行|准备|手续|推进|得|下来|完|好|错|起来|时|期|要求|规定|了|不到|不上|[一二三两几\d]+[天周个]|由|在|被|让|给|他|她|它|你|我|谁|什么|啥|哪|怎|不|没|很|太|更|最|比较|挺|非常|这|那|有|要|可|能|对|错|好|为了|以前|之前|谈|讨论|大家|老板|客户|领导|原来|旧|老)|[吗呢么]$|多少|的$|什么|如何|问题|还没|不行|可行|不错|合适"
)
_LETTER_ZH = lazy_pattern(
    r"^(?:方案|计划|第)?\s*(?:[A-Za-zＡ-Ｚ甲乙丙丁]|[一二三四五六]|\d{1,2})(?:号|个|套)?(?:方案|计划)?$"
)
_LONE_ZH = lazy_pattern(
    r"^(?:那|就|我们?|咱们|大家|最后|最终|现在|定了|所以|商量后|一致|又|再)*(?:(?:还是|決定|决定|重新|最后|最终)(?:采用|选用|走|用|选|按|定|做|去|搞|办)?|改做|改去|改办|改搞|改走|改成|改为|改用|换成|换用|用回|改回|换回|(?:还是)?回到|恢复成?|退回到?)(?P<plan>[\u4e00-\u9fffA-Za-z0-9 ]{2,12}?)(?:吧|了|好了|就行|就好|来)*$"
)
_LEAD_VALUE_ZH = lazy_pattern(r"^(?:先|去|采用|选用|用|走)(?=[\u4e00-\u9fff]{2})")
_TAIL_ZH = lazy_pattern(r"(?:吧|了|好了|就行了?|就好|来吧|来做|的方案|这个方案)+$")

_NOUN_EN = r"(?:plan|option|proposal|approach|package|strategy|deployment|rollout|roll-out|release|model|scheme|method|route|setup|migration|cut-?over|switch-?over|rewrite|campaign|itinerary|variant|concept|programme?|format)"
_TOPIC_EN = r"(?:(?P<topic>(?!(?:the|a|an|this|that|my|our|your|his|her|their|current|new|same|final|latest|original|old)\b)[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+)?"
_PLAN_EN = lazy_pattern(
    rf"\b(?:the|our|my)\s+(?:(?:current|new|latest|final|agreed|overall)\s+)*{_TOPIC_EN}plan(?:\s+for\s+(?:(?:the|our|my|this)\s+)?(?P<of>[a-z][\w-]*(?:\s+[a-z][\w-]*)?))?"
    r"\s*(?:(?<=\s)(?:is|was)\s+(?:now|still\s+)?(?:changed\s+(?:back\s+)?to\s+)?|now\s+is|has\s+(?:now\s+)?(?:changed|become|moved)\s*(?:back\s+)?(?:to\s*)?|changed\s+(?:back\s+)?to|will\s+(?:now\s+)?be|becomes|:)\s*:?\s*(?P<plan>[^.;!?\n,:]{3,60})",
    re.IGNORECASE,
)
_NEW_PLAN_EN = lazy_pattern(
    r"(?:^|[,;]\s*)(?:ok(?:ay)?,?\s+|so,?\s+)?(?:the\s+|a\s+)?(?:new|revised)\s+plan(?:\s+is(?:\s+to)?)?\s*[:,–—-]?\s+(?P<plan>(?!is\b|for\b|was\b|of\b|needs\b|looks\b|sounds\b)[^.;!?\n,:]{3,60})",
    re.IGNORECASE,
)
_CHANGED_EN = lazy_pattern(
    rf"(?:\b(?:we|i)(?:['’]ve|\s+have)?\s+(?:just\s+|now\s+)?(?:changed|switched|moved|updated|set)|(?:^|[,;]\s*|\bso\s+)(?:(?:please|let['’]s|can\s+you)\s+)?(?:change|switch|move|update|set))\s+(?:the|our|my)\s+{_TOPIC_EN}plan\s+(?:back\s+)?(?:from\s+[^.;!?\n,]{{2,30}}?\s+)?to\s+(?P<plan>[^.;!?\n,:]{{3,60}})",
    re.IGNORECASE,
)
_WE_EN = r"(?:we|i|let['’]s|let\s+us)(?:['’](?:re|ve|ll|m)|\s+(?:are|have|will|am))?(?:\s+(?:now|just|finally|all|both|then|instead))*"
_CHOICE_EN = r"(?:decided\s+(?:on|for|to\s+(?:use|go\s+with|do))|decide\s+(?:on|for)|chose|choosing|choose|picked|picking|pick|go(?:ing)?\s+(?:ahead\s+|back\s+)*(?:with|for|to)|went\s+(?:back\s+)?(?:with|for|to)|gone\s+(?:back\s+)?(?:with|to|for)|switch(?:ed|ing)?\s+(?:back\s+|over\s+)?to|mov(?:ed|ing|e)\s+(?:back\s+|over\s+)?to|chang(?:ed|ing|e)\s+(?:back\s+)?to|back\s+to|return(?:ed|ing)?\s+to|revert(?:ed|ing)?\s+to|settl(?:ed|ing)\s+(?:on|for)|start(?:ing)?\s+with|opt(?:ed|ing)?\s+for|run(?:ning)?(?:\s+with)?|try(?:ing)?(?:\s+out)?|commit(?:ted|ting)?\s+to|landed\s+on|proceed(?:ing)?\s+with|us(?:e|ing)|adopt(?:ed|ing)?|follow(?:ing)?|stick(?:ing)?\s+(?:with|to)|agreed\s+on|do(?:ing)?|releas(?:e|ing)\s+with|launch(?:ing)?\s+with|tak(?:e|ing))"
_CHOSEN_EN = lazy_pattern(
    rf"(?:\b{_WE_EN}\s+{_CHOICE_EN}|(?:^|[,;.]\s*)(?:so\s+|then\s+|now\s+)?(?:(?:it['’]s\s+)?back\s+to|return(?:ing)?\s+to|revert(?:ing)?\s+to)|\b(?:decision|verdict|choice|conclusion)\s*:)\s+(?:the|an?|our)\s+(?P<plan>(?:(?!(?:same|other|whole|right|wrong|this|that|your|better|best|no|any|each|next|last|only|different|another|new|current|data|business|floor|meal|payment|family|pricing)\b)[a-z][\w-]*\s+){{1,3}}{_NOUN_EN})\b(?!\s+(?:of|that|which)\b)",
    re.IGNORECASE,
)
_LONE_CHOICE_EN = r"(?:decided\s+(?:on|for|to\s+(?:use|go\s+with|do))|chose|picked|(?:go|going|went|gone)\s+(?:back\s+)?(?:with|for)|(?:go|going|went|gone|switch(?:ed|ing)?|mov(?:ed|ing|e)|chang(?:ed|ing|e))\s+back\s+to|back\s+to|switch(?:ed|ing)?\s+to|chang(?:ed|ing)\s+to|return(?:ed|ing)?\s+to|revert(?:ed|ing)?\s+to|settl(?:ed|ing)\s+(?:on|for)|doing|do|going\s+to(?=\s+the\s)|go\s+to(?=\s+the\s)|making\s+it|make\s+it)"
_LONE_EN = lazy_pattern(
    rf"(?:^|[,;]\s*(?:so\s+|then\s+|and\s+)?|\bso\s+)(?:(?:ok(?:ay)?|yes|so|then|right|now|finally|in\s+the\s+end|after\s+all|it['’]s\s+(?:settled|decided))[\s,]+)*(?:{_WE_EN}\s+(?:are\s+)?{_LONE_CHOICE_EN}|back\s+to|it['’]s|it\s+is|it\s+will\s+be)\s+(?:(?:the|an?|our)\s+)?(?P<plan>[a-z][\w'’ -]{{2,40}}?)(?=\s*(?:[.,;!]|$|\b(?:because|since|as|so|again|now|after\s+all|instead|then|once\s+more)\b))",
    re.IGNORECASE,
)
# '…, so we'll migrate in batches instead'
_INSTEAD_EN = lazy_pattern(
    r"(?:^|[,;]\s*(?:so\s+)?|\bso\s+)(?:we|i|let['’]s)(?:['’]ll|\s+will|['’]re\s+going\s+to)?\s+(?P<plan>(?!(?:not|use|have|do|go)\b)[a-z][\w -]{3,50}?)\s+instead\b",
    re.IGNORECASE,
)
_MOVES_EN = lazy_pattern(
    r"(?<=\w),?\s+so\s|,\s*let['’]s\s|\b(?:back|return\w*|revert\w*|again|after\s+all|instead|switch\w*|chang\w+|mov(?:ed|ing)|decided?|settled|final(?:ly)?|in\s+the\s+end|chose|chosen|once\s+more)\b",
    re.IGNORECASE,
)
_NO_PLAN_EN = lazy_pattern(
    r"^(?:not|no|never|still|good|great|fine|ready|done|ok(?:ay)?|clear|unclear|simple|wrong|right|too|very|so|really|quite|being|been|under|on\s+(?:track|hold)|in\s+(?:place|progress|the)|up\s+to|what|when|where|who|how|why|that|this|his|her|their|your|by|from|about|over|approved|rejected|dead|off|out|attached|below|above|late|delayed|finished|complete[d]?|unchanged|(?:the\s+)?(?:same|original|old|previous|earlier|former|first|last|next)(?=\s|$)|it|them|him|he|she|they|you)\b",
    re.IGNORECASE,
)
_TAIL_EN = lazy_pattern(
    r"\s+(?:because|since|due\s+to|as\s+(?:the|we|it)|so\s+(?:that|we)|instead|now|again|for\s+now|from\s+now\s+on|then|after\s+all)\b.*$",
    re.IGNORECASE,
)
_LETTER_EN = lazy_pattern(
    r"^(?:(?:plan|option|proposal|variant|version|approach)\s+)?(?:[A-Z]|\d{1,2}|one|two|three)$",
    re.IGNORECASE,
)

# What one thing is put in the place of another with; what belongs to a field of its own is not meant.
_SWITCHES = lazy_pattern(
    r"改[成为用做去办搞走]|换[成用]|\b(?:that|it|this|they)\b[^.;!?]*,?\s+so\s[^.;!?]*\binstead\b",
    re.IGNORECASE,
)
_OF_OTHERS = lazy_pattern(
    r"\d|[一二两三四五六七八九十百]+[万千百月号日点杯份件]|周[一二三四五六日末]|[大中小]杯|[明后]天|英文|中文|简短|详细|电话|微信|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:sizes?|colou?r|cup|english|chinese|bed|sleep|work|lunch|dinner)\b",
    re.IGNORECASE,
)
_AMOUNT_ZH = lazy_pattern(r"[\d.,一二两三四五六七八九十百]+[万千百]?[元块点号]?\d*(?:钟|半)?")
_PLAN_WORD = lazy_pattern(r"方案|\bplan\b", re.IGNORECASE)
_SPOKEN_WITHIN = 8


def find(statement: Statement) -> Iterator[Found]:
    """Yield the plan the sentence tells, the last one when it tells several; none of 'the original one', which has no name."""
    found = list(_zh(statement) if statement.chinese else _en(statement))
    if found and not returns_to_earlier(statement.text):
        yield found[-1]


def topic_of(option: str) -> str:
    """退款 of 退款方案, 'refund' of 'refund plan'; '' for what names no plan of something."""
    if match := re.fullmatch(r"(?:the\s+)?(.+?)\s+plan", option.strip(), re.IGNORECASE):
        return match[1].casefold()
    match = re.fullmatch(r"(.+?)的?(?:方案|计划)", option.strip())
    return match[1] if match else ""


def _zh(statement: Statement) -> Iterator[Found]:
    if not _SPEAKS_OF_A_CHOICE_ZH.search(statement.text):
        return
    if (settled := _SETTLED_ZH.search(statement.text)) and _is_plan_zh(plan := _trimmed_zh(settled["plan"])):
        yield _plan(plan, settled.span(), topic=settled["topic"] or "")
    for clause in _CLAUSE_ZH.finditer(statement.text):
        said, start = clause[0].strip(), clause.start()
        if match := _PLAN_ZH.match(said):
            plan = _named_zh(_trimmed_zh(match["plan"]))
            is_told = match["noun"] == "方案" or match["verb"] not in _COPULA_ZH
            if is_told and _is_plan_zh(plan):
                span = (start + match.start("noun"), start + match.end())
                yield _plan(plan, span, topic=match["topic"] or "")
        elif match := _LONE_ZH.match(said):
            plan = _trimmed_zh(match["plan"])
            if _is_plan_zh(plan) and not _AMOUNT_ZH.fullmatch(plan):
                yield _continued(plan, (start, start + match.end()), statement)


def _en(statement: Statement) -> Iterator[Found]:
    text = statement.text
    if not _SPEAKS_OF_A_CHOICE_EN.search(text):
        return
    told = [match for pattern in (_PLAN_EN, _NEW_PLAN_EN, _CHANGED_EN) for match in pattern.finditer(text)]
    for each in told:
        plan = _trimmed_en(each["plan"])
        if _is_plan_en(plan):
            topic = each.groupdict().get("topic") or each.groupdict().get("of") or ""
            yield _plan(plan, (each.start("plan"), each.end()), topic=topic.casefold())
    if told:
        return
    if match := _CHOSEN_EN.search(text):
        yield _plan(match["plan"].strip(), match.span(), topic="")
    elif (
        _MOVES_EN.search(text)
        and (match := _last_choice_en(text))
        and _is_plan_en(plan := _trimmed_en(match["plan"]))
    ):
        yield _continued(plan, match.span(), statement)


def _last_choice_en(text: str) -> re.Match[str] | None:
    """'It's going to rain, so we'll go to the museum': what is decided comes last."""
    found = [match for match in _LONE_EN.finditer(text) if _is_plan_en(_trimmed_en(match["plan"]))]
    return found[-1] if found else _INSTEAD_EN.search(text)


def settled_after(text: str) -> bool:
    """方案定了，去大理: what the plan is comes after the word for it."""
    settled = _SETTLED_ZH.search(text)
    return settled is not None and _is_plan_zh(_trimmed_zh(settled["plan"]))


def _plan(plan: str, span: tuple[int, int], *, topic: str) -> Found:
    return field_found("project_config", "current_plan", plan, span, subject=topic, confidence=0.95)


def _continued(plan: str, span: tuple[int, int], statement: Statement) -> Found:
    """A choice without a word for plan: whether it continues the standing one is looked up."""
    weighed = any(plan.casefold() in text.casefold() for text in statement.heard)
    flags = (OF_STANDING_PLAN, WEIGHED_BEFORE) if weighed else (OF_STANDING_PLAN,)
    switches = _SWITCHES.search(statement.text) and not _OF_OTHERS.search(plan)
    if switches and any(_PLAN_WORD.search(text) for text in statement.heard[-_SPOKEN_WITHIN:]):
        flags = (*flags, PLAN_SPOKEN_OF)
    return field_found(
        "project_config", "current_plan", plan, span, confidence=0.95, explicit_correction=True, flags=flags
    )


def _trimmed_zh(plan: str) -> str:
    return _LEAD_VALUE_ZH.sub("", _TAIL_ZH.sub("", plan.strip()))


def _named_zh(plan: str) -> str:
    """方案一 as it is named everywhere else; other words as they are."""
    named = plans_named_in(plan) if _LETTER_ZH.match(plan) else []
    return named[0] if named else plan


def _is_plan_zh(plan: str) -> bool:
    is_bare = _LETTER_ZH.match(plan) and not plans_named_in(plan)
    return len(plan) >= 2 and not (_NO_PLAN_ZH.search(plan) or is_bare or field_of(plan))


def _trimmed_en(plan: str) -> str:
    return re.sub(
        r"^(?:to\s+|an?\s+|the\s+)+", "", _TAIL_EN.sub("", plan.strip()), flags=re.IGNORECASE
    ).strip()


def _is_plan_en(plan: str) -> bool:
    is_named = _NO_PLAN_EN.match(plan) or _LETTER_EN.match(plan) or any(map(field_of, plan.split()))
    return len(plan) >= 3 and not is_named
