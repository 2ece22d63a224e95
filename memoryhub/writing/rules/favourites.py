"""A favourite said another way than 'my favourite X is Y': 'my go-to X is Y', Y是我最喜欢的X, 水果里我最爱荔枝."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, without_my

_TOPIC_EN = r"(?P<topic>[a-z][a-z' -]{1,28}?)"
_ENGLISH = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bmy\s+go-to\s+{_TOPIC_EN}\s+(?:is|are|has\s+always\s+been)\s+(?:now\s+|still\s+|usually\s+|always\s+)?(?P<value>[^.;!?]+)",
        rf"\bmy\s+(?:all-time\s+)?favou?rite\s+{_TOPIC_EN}\s+(?:has\s+always\s+been|would\s+(?:have\s+to\s+)?be|has\s+to\s+be|used\s+to\s+be\s+[\w' ]+,?\s+(?:but\s+)?now\s+(?:it['’]s|it\s+is)|of\s+all\s+time\s+is)\s+(?P<value>[^.;!?]+)",
        rf"(?:^|[.;,]\s*)(?P<value>[A-Z][\w'’ -]{{1,40}}?)\s+(?:is|are|has\s+always\s+been|will\s+always\s+be|remains?)\s+my\s+(?:absolute\s+|all-time\s+|new\s+)?favou?rite\s+{_TOPIC_EN}(?=\s*(?:[.,;!]|$|of\s+all|by\s+far|these\s+days|now|ever|after\s+all|again|instead|lately|at\s+the\s+moment))",
        rf"\bnothing\s+beats\s+(?:an?\s+|the\s+)?(?P<value>[\w'’ -]{{2,40}}?),\s*(?:it['’]s|it\s+is|they['’]re)\s+my\s+(?:absolute\s+|all-time\s+)?favou?rite\s+{_TOPIC_EN}(?=\s*(?:[.,;!]|$))",
        rf"\b(?:the|of\s+all)\s+{_TOPIC_EN}\s+i\s+(?:like|love|enjoy|prefer)\s+(?:best|most|the\s+most)\s+(?:is|are)\s+(?P<value>[^.;!?]+)",
        rf"\bof\s+all\s+(?:the\s+|my\s+)?{_TOPIC_EN},?\s+i\s+(?:like|love|enjoy|prefer)\s+(?P<value>[^.;!?]+?)\s+(?:best|(?:the\s+)?most)(?=\s*(?:[.,;!]|$))",
        rf"\bwhen\s+it\s+comes\s+to\s+{_TOPIC_EN},\s+(?:i\s+(?:like|love)\s+(?P<value>[^.;!?]+?)\s+(?:best|(?:the\s+)?most)(?=\s*(?:[.,;!]|$)))",
        rf"\bno\s+{_TOPIC_EN}\s+(?:beats|comes\s+close\s+to|tops)\s+(?P<value>[^.;!?]+)",
        rf"\bmy\s+favou?rite\s+{_TOPIC_EN}\s*:\s*(?P<value>[^.;!?]+)",
        rf"^favou?rite\s+{_TOPIC_EN}\s*:\s*(?P<value>[^.;!?]+)",
        rf"\bmy\s+(?:number\s+one|no\.?\s*1|top|preferred)\s+{_TOPIC_EN}\s+(?:is|are)\s+(?P<value>[^.;!?]+)",
    )
)
_LEAD_EN = lazy_pattern(
    r"^(?:(?:i\s+(?:think|guess|believe|suppose|reckon|must\s+say|have\s+to\s+say)|honestly|actually|well|so|and|but|now|maybe|these\s+days)[,\s]+(?:that\s+)?)+",
    re.IGNORECASE,
)
_NO_TOPIC_EN = lazy_pattern(
    r"(?:part|things?|bit|moments?|memor(?:y|ies)|times?|ones?|way|aspect|day|story|character|place|spot|activity|outlet|scene|reason|priority|concern|of\b.*)$",
    re.IGNORECASE,
)
_MOST_ZH = r"最(?:喜欢|喜歡|爱|愛|中意|钟爱)"
_TOPIC_ZH = r"(?P<topic>编程语言|电视剧|季节|電影|主食|动漫|小说|遊戲|球星|明星|歌手|综艺|漫画|水果|科目|甜品|节日|城市|手机|音樂|语言|導演|饮料|诗人|樂隊|作家|画家|咖啡|餐厅|音乐|动物|奶茶|导演|偶像|国家|球员|运动|球队|季節|動漫|菜系|面食|球隊|運動|甜点|颜色|餐廳|电影|顏色|動物|牌子|零食|作者|框架|演員|游戏|演员|口味|宠物|國家|飲料|品牌|车型|博主|乐队|食物|车|书|剧|歌|菜|茶|酒|書|花)"
_CHINESE = tuple(
    lazy_pattern(pattern)
    for pattern in (
        rf"(?:要说|要說|说到|說到|论|至于)?{_TOPIC_ZH}(?:里面?|裡面?|当中|中|的话|类)?[，,]?(?:的话)?(?:我)(?:还是|就|一直|个人)*{_MOST_ZH}(?:吃|喝|看|听|聽|玩|去|用)?(?:的)?(?:还是|就|是)*(?P<value>[^，,。！!？?；;\n的]{{1,14}})",
        rf"(?:要说|要說|说到){_TOPIC_ZH}[，,]?\s*(?:我)?(?:还是|就)?{_MOST_ZH}(?:吃|喝|看|听|玩)?(?:的)?(?:还是|就|是)*(?P<value>[^，,。！!？?；;\n]{{1,14}})",
        rf"(?:^|[，,。])(?P<value>[^，,。！!？?；;\n我]{{1,14}}?)(?:一直|永远|始终|绝对|就|才)*是我(?:的)?(?:{_MOST_ZH}(?:吃|喝|看|听|玩)?的|心中(?:最好|第一)的|的?最爱(?:的)?){_TOPIC_ZH}",
        rf"我?(?:个人)?(?:心目?中)?(?:{_MOST_ZH})(?:吃|喝|看|听|聽|玩|用)?的(?P<topic>[\u4e00-\u9fff]{{1,6}}?)(?:一直|永远|始终|肯定|当然|当属|非|还|就|莫过于|一定|应该)*(?:是|就是|要数|当属|莫过于|非)(?P<value>[^，,。！!？?；;\n]{{1,16}}?)(?:莫属|了|吧)*(?=[，,。.！!；;]|$)",
        r"我?(?:心目中|心里|觉得)最(?:好听|好看|好吃|好喝|厉害|棒|好|伟大|好玩)的(?P<topic>[\u4e00-\u9fff]{1,6}?)(?:一直|永远|还|就)*是(?P<value>[^，,。！!？?；;\n]{1,14})",
        rf"(?:偏爱|首选|最常[吃喝听看]|第一名)的{_TOPIC_ZH}(?:是|一直是)(?P<value>[^，,。！!？?；;\n]{{1,14}})",
    )
)
_BY_VERB_ZH = lazy_pattern(
    rf"我(?:个人|平时|一直|现在|还是)*{_MOST_ZH}(?P<verb>吃|喝|看|听|玩|去|读|穿|养|用)的?(?:就|还|一直)?(?:是|要数|莫过于)(?P<value>[^，,。！!？?；;\n的]{{1,14}}?)(?:了|啦)?(?=[，,。！!；;]|$)"
)
_EATEN_ZH = {"吃": "食物", "喝": "饮料", "看": "", "听": "音乐", "玩": "游戏", "去": "地方", "读": "书", "穿": "衣服", "养": "宠物", "用": ""}  # fmt: skip
_AMONG_ZH = lazy_pattern(
    rf"(?:所有|这么多|那么多|全部|各种|各支|众多)(?:的)?{_TOPIC_ZH}(?:里面?|当中|中)?[，,]?我(?:还是|就|一直)?{_MOST_ZH}(?:的)?(?:是|还是)?(?P<value>[^，,。！!？?；;\n的]{{1,14}})"
)
_WITHIN_ZH = lazy_pattern(
    rf"(?P<topic>(?!这|那|心|家|其|手|眼|梦|哪|平)[\u4e00-\u9fff]{{2,4}}?)(?:里面?|当中|中)(?:头)?[，,]?我(?:还是|就|一直|个人)?{_MOST_ZH}(?:吃|喝|看|听|玩|去|用)?(?:的)?(?:还)?(?:是)?(?P<value>[^，,。！!？?；;\n的]{{1,14}})"
)
_NO_TOPIC_ZH = frozenset("人 事 时候 地方 部分 一个 那个 原因 理由 样子 东西 方式 感觉 方案 一点 就".split())


def favourites_said_otherwise(statement: Statement) -> Iterator[Found]:
    """Yield the favourite the sentence names, at most one."""
    if statement.chinese:
        yield from _chinese(statement)
    elif statement.english:
        yield from _english(statement)


def _english(statement: Statement) -> Iterator[Found]:
    for pattern in _ENGLISH:
        match = pattern.search(statement.text)
        if not match or _NO_TOPIC_EN.search(match["topic"].strip()):
            continue
        topic, value = match["topic"].strip(), object_en(_LEAD_EN.sub("", match["value"]), longest=6)
        if value:
            yield field_found("preferences", "favourite", value, match.span(), subject=topic, confidence=0.9)
            content = f"The user's favourite {topic} is {without_my(value)}."
            yield item_found(
                content, match.span(), attribute=f"favourite {topic}", value=value, entities=(topic, value)
            )
            return


def _favourite_zh(statement: Statement, topic: str, match: re.Match[str], value: str) -> Iterator[Found]:
    """The field, and a sentence of it."""
    yield field_found("preferences", "favourite", value, match.span(), subject=topic, confidence=0.9)
    content = f"{statement.user}最喜欢的{topic}是{value}"
    yield item_found(
        content, match.span(), attribute=f"最喜欢的{topic}", value=value, entities=(topic, value)
    )


def _chinese(statement: Statement) -> Iterator[Found]:
    if (
        match := _AMONG_ZH.search(statement.text)
        or _WITHIN_ZH.search(statement.text)
        or _BY_VERB_ZH.search(statement.text)
    ):
        told = match.groupdict()
        topic = (told.get("topic") or "").replace("四季", "季节") or _EATEN_ZH.get(told.get("verb") or "", "")
        value = object_zh(match["value"])
        if topic and value:
            yield from _favourite_zh(statement, topic, match, value)
            return
    for pattern in _CHINESE:
        match = pattern.search(statement.text)
        if not match or match["topic"] in _NO_TOPIC_ZH:
            continue
        topic, value = match["topic"], object_zh(match["value"])
        if value:
            yield from _favourite_zh(statement, topic, match, value)
            return
