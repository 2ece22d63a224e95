"""Lasting facts about the speaker's life that have no field: family, age, schooling, origin, what he learns or gave up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, item_found

_PLACE = r"[A-ZÀ-Þ][\w'’-]*(?:\s+(?:of\s+)?[A-ZÀ-Þ][\w'’-]*){0,4}"
_COUNT = r"(?:an?|one|two|three|four|five|six|\d)"
_ZH_COUNT = r"(?:一|两|兩|二|三|四|五|\d)(?:个|個|位|双|对)?"
_ZH_LEAD = r"我(?:现在|現在|目前|已经|已經|最近|正在|也|还|還|都|刚|剛|一直|打算不|就)*"


class Fact(NamedTuple):
    """`pattern` has a group `value`, which answers the attribute; `verb` stands between 'The user' and it in English."""

    attribute: str
    pattern: re.Pattern[str]
    verb: str = ""


def _en(attribute: str, verb: str, pattern: str) -> Fact:
    whole = rf"(?:^|[,;]\s*|\band\s+){pattern}(?=\s*(?:[.,;!]|$|\band\b|\bbut\b))"
    return Fact(attribute, lazy_pattern(whole), verb)


_ENGLISH = (
    _en("children", "has", rf"(?i:i\s+have|i['’]ve\s+got|we\s+have)\s+(?P<value>{_COUNT}\s+(?:young\s+|little\s+|grown\s+)?(?:kids?|child(?:ren)?|sons?|daughters?|twins))"),
    _en("marital status", "is", r"(?i:i\s+am|i['’]m)\s+(?P<value>(?:happily\s+|now\s+|recently\s+)?(?:married|single|divorced|widowed|engaged))"),
    _en("age", "is", r"(?i:i\s+am|i['’]m)\s+(?P<value>\d{1,2}\s+years?\s+old)"),
    _en("handedness", "is", r"(?i:i\s+am|i['’]m)\s+(?P<value>left-handed|right-handed|ambidextrous)"),
    _en("education", "graduated from", rf"(?i:i\s+(?:just\s+)?graduated\s+from)\s+(?P<value>{_PLACE})"),
    _en("origin", "is from", rf"(?i:i\s+am|i['’]m|i\s+come)\s+(?:originally\s+)?from\s+(?P<value>{_PLACE})"),
    _en("learning", "is learning", r"(?i:i\s+am|i['’]m)\s+(?:currently\s+|now\s+)?(?:learning|studying)\s+(?P<value>[A-Z][a-z]{2,14}|(?:the\s+)?(?:guitar|piano|violin|drums|cello|flute)|programming|coding|cooking|pottery|nursing|law|medicine|photography|sign\s+language|calligraphy|chess)"),
    _en("gave up", "gave up", r"(?i:i\s+(?:have\s+)?(?:quit|stopped|given\s+up|gave\s+up)|i['’]ve\s+(?:quit|stopped|given\s+up))\s+(?P<value>smoking|drinking|coffee|alcohol|sugar|meat|caffeine|gambling)"),
    _en("work status", "is", r"(?i:i\s+am|i['’]m)\s+(?P<value>(?:now\s+)?(?:retired|unemployed|self-employed|on\s+parental\s+leave))"),
)  # fmt: skip
_CHINESE = tuple(
    Fact(attribute, lazy_pattern(rf"{_ZH_LEAD}(?P<told>{pattern})(?=\s*(?:[，,。.！!；;]|$))"))
    for attribute, pattern in (
        ("孩子", rf"有(?P<value>{_ZH_COUNT}(?:孩子|小孩|儿子|兒子|女儿|女兒|宝宝))"),
        ("婚姻状况", r"(?:是)?(?P<value>结婚了|結婚了|已婚|单身|單身|离婚了|離婚了|未婚|订婚了)"),
        ("年龄", r"(?:今年)?(?P<value>\d{1,2}\s?岁|\d{1,2}\s?歲)(?:了)?"),
        ("惯用手", r"是?(?P<value>左撇子|右撇子)"),
        ("毕业院校", r"(?:是)?(?:毕业于|畢業於|从)?(?P<value>[\u4e00-\u9fff]{2,12}(?:大学|大學|学院|學院))(?:毕业|畢業)?(?:的)?"),
        ("籍贯", r"(?:(?:来自|來自|老家在|老家是)(?P<value>[\u4e00-\u9fff]{2,8})|是(?P<value2>北京|上海|天津|重庆|重慶|广东|广州|深圳|四川|成都|湖南|湖北|武汉|河南|河北|山东|山西|陕西|西安|江苏|南京|浙江|杭州|福建|厦门|江西|安徽|广西|云南|贵州|海南|辽宁|吉林|黑龙江|东北|内蒙古|新疆|西藏|宁夏|青海|甘肃|台湾|臺灣|台北|香港|澳门|中国|中國|美国|日本|韩国|英国|法国|德国|新加坡|马来西亚)人)"),
        ("在学", r"(?:在学|在學|在学习|在自学|开始学|開始學)(?:习)?(?P<value>(?!校|院|会|到)[\u4e00-\u9fffA-Za-z]{2,10})"),
        ("戒除", r"(?:戒(?:了|掉了?)?|不再(?:抽|喝))(?P<value>烟|煙|酒|咖啡|糖|奶茶)了?"),
        ("工作状态", r"(?P<value>退休了|失业了|自由职业|休产假)"),
    )
)  # fmt: skip
# Several of these are true at once, so each value is a slot of its own.
_MANY = frozenset({"learning", "gave up", "education", "在学", "戒除", "毕业院校"})


def find(statement: Statement) -> Iterator[Found]:
    """Yield one sentence per lasting fact."""
    for fact in _CHINESE if statement.chinese else _ENGLISH:
        match = fact.pattern.search(statement.text)
        if not match or (fact.attribute == "毕业院校" and not re.search(r"毕业|畢業", match[0])):
            continue
        groups = match.groupdict()
        value = (groups["value"] or groups.get("value2", "")).strip()
        told = f"{statement.user}{match['told']}" if statement.chinese else f"The user {fact.verb} {value}."
        attribute = f"{fact.attribute} {value}" if fact.attribute in _MANY else fact.attribute
        yield item_found(told, match.span(), attribute=attribute, value=value, confidence=0.85)
