"""Choices between plans, changes of mind and refusals, with the reason given and what was weighed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import members, object_en, object_zh, without_my

_PLAN_ZH = r"(?:(?P<noun{0}>方案|计划|計劃|计畫)\s*(?P<name{0}>[A-Za-zＡ-Ｚ](?![A-Za-z])|[甲乙丙丁]|[一二三四五六](?![一-鿿]*个)|\d{{1,2}}(?!\d))|(?P<nameb{0}>[A-Za-zＡ-Ｚ]|[甲乙丙丁]|第[一二三四五]个?|第[一二三四五]套)\s*(?P<nounb{0}>方案|计划|計劃|计畫))"
_PLAN_EN = r"(?P<noun{0}>plan|option|proposal|variant)\s+(?P<name{0}>[A-Za-z](?![\w'’])|\d{{1,2}}(?!\w)|one|two|three)"
_CHOOSE_ZH = re.compile(
    rf"(?:决定|決定|最终|最終|最后|最後|那就|就|还是|還是|现在|現在|先|暂时|我们|我們|我|项目|这次|要|改|转|轉|重新|又|继续|確定|确定|经过讨论){{0,5}}(?P<verb>(?:改|换|換|选|選|採|采|启|转|轉|沿|继续)?用(?:回)?|(?<=[，,])而?是|换|換|选择|選擇|选定|選定|选|選|走|按照?|回到|换成|換成|换到|換到|换回|換回|改成|改为|改為|改回|切到|切回|定了?[，,：:]?|敲定|采纳|採納|执行|执行回|上|还是|還是|就|恢复|确定|確定|转向)(?:了|到)?\s*(?:的是)?(?:原来的?|原先的?|之前的?|最初的?|老的?|旧的?|原來的?)?{_PLAN_ZH.format(1)}|{_PLAN_ZH.format(2)}\s*(?:吧|定了|就这么定|就行|敲定)(?:了)?(?=[，,。.！!；;]|$)"
)
_REFUSE_ZH = re.compile(
    rf"(?:不要|不用|不选|不選|不采用|不採用|不走|放弃|放棄|否决|否決|砍掉|别用|不考虑|不考慮|排除|拒绝|拒絕)了?\s*{_PLAN_ZH.format(1)}|{_PLAN_ZH.format(2)}\s*(?:就|我们|已经)?(?:不要了?|不用了|不行|否了|否决了?|被否了?|作废了?|作廢|放弃了?|排除了?|pass了?|不考虑了?)"
)
_CHOOSE_EN = re.compile(
    rf"\b(?:let['’]?s|let\s+us|we(?:['’]ll|\s+will|\s+have|['’]ve|['’]re|\s+are)?|i(?:['’]ll|\s+will|['’]m|\s+am|\s+have|['’]ve)?|please|decided\s+to|decision\s*:?|ok(?:ay)?|yes|so|then|the\s+team)?[\s,]*(?:(?:now|just|finally|definitely|actually|decided\s+to|decide\s+to|have\s+to|going\s+to|want\s+to)\s+)*(?P<verb>go(?:ing|es)?\s+(?:back\s+)?(?:with|for|to)|went\s+(?:back\s+)?(?:with|for|to)|gone\s+(?:back\s+)?(?:with|to|for)|choos(?:e|ing)|chose|chosen|pick(?:ed|ing)?|use|using|switch(?:ed|ing)?\s+(?:back\s+)?to|mov(?:e|ed|ing)\s+(?:back\s+)?to|chang(?:e|ed|ing)\s+(?:back\s+)?to|back\s+to|return(?:ed|ing)?\s+to|revert(?:ed|ing)?\s+to|stick(?:ing)?\s+(?:with|to)|do(?:ing)?|settl(?:e|ed|ing)\s+on|adopt(?:ed|ing)?|follow|decided\s+on|select(?:ed)?|it['’]s|it\s+is)\s+(?:with\s+)?(?:the\s+)?(?:original\s+|old\s+|first\s+)?{_PLAN_EN.format(1)}|{_PLAN_EN.format(2)}\s+(?:it\s+is|is\s+(?:decided|final|the\s+one|our\s+choice|approved)|wins)\b",
    re.IGNORECASE,
)
_REFUSE_EN = re.compile(
    rf"\b(?:not|no\s+to|drop(?:ped|ping)?|reject(?:ed|ing)?|rul(?:e|ed|ing)\s+out|abandon(?:ed|ing)?|forget\s+about|scrap(?:ped)?|discard(?:ed)?|don['’]?t\s+(?:want|use|go\s+with|choose)|do\s+not\s+(?:want|use|go\s+with|choose)|won['’]?t\s+(?:use|go\s+with|do)|against)\s+(?:with\s+)?(?:the\s+)?{_PLAN_EN.format(1)}|{_PLAN_EN.format(2)}\s+(?:is|was|has\s+been)\s+(?:out|rejected|off\s+the\s+table|ruled\s+out|dropped|dead|cancelled|canceled)",
    re.IGNORECASE,
)
_ALREADY_NOT_EN = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bno\s+longer|\brather\s+than|\binstead\s+of|\bover|\bthan|\bagainst)\s*(?:go(?:ing)?\s+with|to\s+use|using|going\s+for|use|choose|pick|going\s+back\s+to)?\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_NOT_BEFORE_ZH = re.compile(r"(?:不|没有?|別|别|不要|不再|不想|不能|没法|未|而不是|而非)\s*$")
_DECIDED_EN = re.compile(
    r"\b(?P<who>i|we)\s*(?:['’]ve|\s+have)?\s+(?:finally\s+|just\s+|both\s+|all\s+)?decided\s+(?P<how>to|on|against)\s+(?P<what>[^.!?;\n]+)|\blet['’]?s\s+(?:go\s+with|settle\s+on|choose|pick)\s+(?P<choice>[^.!?;\n]+)",
    re.IGNORECASE,
)
_DECIDED_ZH = re.compile(
    r"(?:我们|我們|我|团队|公司)(?:最终|最后|已经|已經|刚刚?|还是|一致)*(?:决定|決定|敲定)(?:了|要)?(?P<what>[^，,。！!？?；;\n]{2,30})"
)
_REASON = re.compile(
    r"(?:因为|因為|由于|由於|考虑到|考慮到|鉴于|鑒於|原因是|主要是|毕竟)(?P<zh>[^，,。！!？?；;\n]{1,40}?)(?:的?(?:缘故|关系|原因))?(?=[，,。！!？?；;\n]|$)|\b(?:because\s+of|because|since|due\s+to|owing\s+to|on\s+account\s+of|the\s+reason\s+(?:is|was)(?:\s+that)?)\s+(?P<en>[^.!?;\n]{2,120}?)(?=[.!?;\n]|,\s*(?:so|let|we|i)\b|$)|\bfor\s+(?P<for>[a-z]+(?:\s+[a-z]+)?)\s+reasons\b",
    re.IGNORECASE,
)
_REASON_CLAUSE = re.compile(
    r"^(?:是|主要|毕竟)?(?P<zh>[^，,。！!？?；;\n]{0,14}?(?:不够|不夠|不足|太贵|太貴|太高|太慢|太复杂|太紧|超支|超预算|超了|来不及|來不及|紧张|緊張|有限|风险|風險|问题|問題|成本|更便宜|更快|更稳|更稳定|更安全|更简单|便宜|省钱|性价比|受限|缺人|人手)[^，,。！!？?；;\n]{0,8})$|^(?:the\s+)?(?P<en>[a-z][\w '’]{1,40}?\s+(?:is|are|was)\s+(?:too|not|over|tight|limited|cheaper|faster|safer|simpler|short|more)\b[^.!?;,\n]{0,40}|(?:it|that)['’]?s\s+(?:too|cheaper|faster|safer|simpler|more|less|over)\b[^.!?;,\n]{0,40}|over\s+budget|too\s+(?:expensive|slow|risky|complex)[^.!?;,\n]{0,30}|not\s+enough\s+[a-z ]{2,30}|(?:budget|cost|time|risk|price)s?\s+(?:was|is|were|being)\s+the\s+(?:main\s+)?(?:issue|problem|reason|concern)|(?:budget|cost|time|risk|price)(?:\s+(?:reasons|problems|issues|constraints))?)$",
    re.IGNORECASE,
)
_WEIGHED = re.compile(
    r"(?:对比|對比|比较|比較|考虑|考慮|看|评估|評估|研究|权衡|權衡)(?:过|過|了|完)(?:一下)?(?P<a>[^，,。！!？?；;\n]{1,30})|(?:而不是|而非|没选|沒選|没用|放弃了?|放棄了?)(?P<b>[^，,。！!？?；;\n]{1,20})|(?P<b2>[A-Za-z甲乙丙丁方案][^，,。！!？?；;\n]{0,16}?)(?:都|也)?(?:对比|對比|比较|比較|考虑|考慮|看|评估|研究)(?:过|過|完)|\b(?:compared\s+(?:it\s+)?(?:with|to)|(?:we|i)?\s*compared|considered|looked\s+at|weighed|evaluated)\s+(?P<c>[^.!?;,\n]{1,50}(?:,\s*[^.!?;,\n]{1,20}(?=,?\s+and))?)|\b(?:rather\s+than|instead\s+of|over)\s+(?P<d>(?:plan|option|proposal)\s+\w{1,5}(?:\s+(?:and|or)\s+(?:(?:plan|option)\s+)?\w{1,3}\b)?)",
    re.IGNORECASE,
)


class DecisionNotes(NamedTuple):
    """Why, and what else was weighed; both as said."""

    reason: str = ""
    alternatives: tuple[str, ...] = ()


def find(statement: Statement) -> Iterator[Found]:
    """Yield the plan chosen, the plans refused and other decisions of the speaker."""
    chosen = list(_chosen(statement))
    refused = list(_refused(statement, {plan for plan, _ in chosen}))
    for plan, span in chosen:
        # One plan for another is a change of mind, whatever the words.
        yield field_found(
            "project_config", "current_plan", plan, span, confidence=0.95, explicit_correction=bool(refused)
        )
    yield from refused
    if not chosen and not refused:
        yield from _other(statement)


def _chosen(statement: Statement) -> Iterator[tuple[str, tuple[int, int]]]:
    for pattern, refusal in ((_CHOOSE_ZH, _NOT_BEFORE_ZH), (_CHOOSE_EN, _ALREADY_NOT_EN)):
        last = None
        for match in pattern.finditer(statement.text):
            if not refusal.search(statement.text[: match.start()].rstrip()) and not _verb_is_negated(match):
                last = match
        if last:
            yield plan_name(last), last.span()
            return


def _verb_is_negated(match: re.Match[str]) -> bool:
    return bool(re.match(r"(?:不|没|別|别)", match[0]))


def _refused(statement: Statement, chosen: set[str]) -> Iterator[Found]:
    for pattern in (_REFUSE_ZH, _REFUSE_EN):
        for match in pattern.finditer(statement.text):
            plan = plan_name(match)
            if plan in chosen:
                continue
            if statement.chinese:
                content = (
                    f"{statement.user}拒絕了{plan}"
                    if statement.sentence.is_traditional
                    else f"{statement.user}否决了{plan}"
                )
            else:
                content = f"The user refused {plan}."
            yield item_found(
                content,
                match.span(),
                subject="project",
                attribute=plan,
                value="refused",
                entities=(plan,),
                flags=("refused_option",),
            )


def plan_name(match: re.Match[str]) -> str:
    """方案B for B方案 too, 'plan B'; in the language it was said in."""
    groups = match.groupdict()
    name = next(value for key, value in groups.items() if key.startswith("name") and value)
    noun = next(value for key, value in groups.items() if key.startswith("noun") and value)
    if noun.isascii():
        return f"{noun.lower()} {name.upper() if len(name) == 1 else name.lower()}"
    return f"{name}{noun}" if name.startswith("第") else f"{noun}{name.upper()}"


def _other(statement: Statement) -> Iterator[Found]:
    if (match := _DECIDED_EN.search(statement.text)) and (
        what := object_en(match["what"] or match["choice"], longest=14)
    ):
        if re.search(r"\b(?:i|we|you|he|she|they|it|this|that|him|her|them|us)\b", what, re.IGNORECASE):
            return
        verb = f"decided {match['how'].lower()}" if match["how"] else "chose"
        yield item_found(f"The user {verb} {without_my(what)}.", match.span(), subject="", confidence=0.85)
    elif match := _DECIDED_ZH.search(statement.text):
        what = object_zh(match["what"], longest=30)
        if what and not re.search(r"[他她它你您]|这|那", what):
            decided = "決定" if statement.sentence.is_traditional else "决定"
            yield item_found(f"{statement.user}{decided}{what}", match.span(), subject="", confidence=0.85)


def notes(text: str) -> DecisionNotes:
    """The reason and the alternatives named anywhere in a turn that decides."""
    reason = ""
    if match := _REASON.search(text):
        reason = (match["zh"] or match["en"] or match["for"] or "").strip()
    else:
        for clause in re.split(r"[，,。.！!；;:：\n]|——|\s-\s", text):
            if found := _REASON_CLAUSE.match(clause.strip()):
                reason = (found["zh"] or found["en"]).strip()
                break
    alternatives: list[str] = []
    for match in _WEIGHED.finditer(text):
        listed = next(group for group in match.groups() if group)
        alternatives += [part for part in members(listed) if 0 < len(part) <= 30]
    return DecisionNotes(reason, tuple(dict.fromkeys(alternatives)))


def is_reason_alone(text: str) -> bool:
    """因为预算: the reason of something said before."""
    stripped = text.strip(" ，,。.！!")
    return (
        bool(
            re.match(
                r"(?:因为|因為|由于|主要是|成本问题|预算问题|because\b|due to\b)", stripped, re.IGNORECASE
            )
        )
        and len(stripped) <= 60
    )
