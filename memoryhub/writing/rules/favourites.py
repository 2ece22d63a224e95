"""A favourite said another way than 'my favourite X is Y': 'my go-to X is Y', Y是我最喜欢的X, 水果里我最爱荔枝."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, without_my

_TOPIC_EN = r"(?P<topic>[a-z][a-z' -]{1,28}?)"
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bmy\s+go-to\s+{_TOPIC_EN}\s+(?:is|are|has\s+always\s+been)\s+(?:now\s+|still\s+|usually\s+|always\s+)?(?P<value>[^.;!?]+)",
        rf"\bmy\s+(?:all-time\s+)?favou?rite\s+{_TOPIC_EN}\s+(?:has\s+always\s+been|would\s+(?:have\s+to\s+)?be|has\s+to\s+be|used\s+to\s+be\s+[\w' ]+,?\s+(?:but\s+)?now\s+(?:it['’]s|it\s+is)|of\s+all\s+time\s+is)\s+(?P<value>[^.;!?]+)",
        rf"(?:^|[.;,]\s*)(?P<value>[A-Z][\w'’ -]{{1,40}}?)\s+(?:is|are|has\s+always\s+been|will\s+always\s+be|remains?)\s+my\s+(?:absolute\s+|all-time\s+|new\s+)?favou?rite\s+{_TOPIC_EN}(?=\s*(?:[.,;!]|$|of\s+all|by\s+far|these\s+days|now|ever))",
        rf"\bnothing\s+beats\s+(?:an?\s+|the\s+)?(?P<value>[\w'’ -]{{2,40}}?),\s*(?:it['’]s|it\s+is|they['’]re)\s+my\s+(?:absolute\s+|all-time\s+)?favou?rite\s+{_TOPIC_EN}(?=\s*(?:[.,;!]|$))",
        rf"\b(?:the|of\s+all)\s+{_TOPIC_EN}\s+i\s+(?:like|love|enjoy|prefer)\s+(?:best|most|the\s+most)\s+(?:is|are)\s+(?P<value>[^.;!?]+)",
        rf"^favou?rite\s+{_TOPIC_EN}\s*:\s*(?P<value>[^.;!?]+)",
        rf"\bmy\s+(?:number\s+one|no\.?\s*1|top|preferred)\s+{_TOPIC_EN}\s+(?:is|are)\s+(?P<value>[^.;!?]+)",
    )
)
_NO_TOPIC_EN = re.compile(
    r"(?:part|things?|bit|moments?|memor(?:y|ies)|times?|ones?|way|aspect|day|story|character|place|spot|activity|outlet|scene|reason|priority|concern|of\b.*)$",
    re.IGNORECASE,
)
_MOST_ZH = r"最(?:喜欢|喜歡|爱|愛|中意|钟爱)"
_TOPIC_ZH = r"(?P<topic>水果|零食|甜品|甜点|饮料|飲料|茶|咖啡|奶茶|酒|菜|菜系|食物|面食|主食|动物|動物|宠物|花|颜色|顏色|季节|季節|城市|国家|國家|歌手|歌|乐队|樂隊|音乐|音樂|电影|電影|导演|導演|演员|演員|剧|电视剧|动漫|動漫|漫画|小说|书|書|作家|作者|诗人|游戏|遊戲|运动|運動|球队|球隊|球员|球星|明星|偶像|牌子|品牌|手机|车|车型|口味|餐厅|餐廳|节日|科目|语言|编程语言|框架|画家|博主|综艺)"
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:要说|要說|说到|說到|论|至于)?{_TOPIC_ZH}(?:里面?|裡面?|当中|中|的话|类)?[，,]?(?:的话)?(?:我)(?:还是|就|一直|个人)*{_MOST_ZH}(?:吃|喝|看|听|聽|玩|去|用)?(?:的)?(?:还是|就|是)*(?P<value>[^，,。！!？?；;\n的]{{1,14}})",
        rf"(?:要说|要說|说到){_TOPIC_ZH}[，,]?\s*(?:我)?(?:还是|就)?{_MOST_ZH}(?:吃|喝|看|听|玩)?(?:的)?(?:还是|就|是)*(?P<value>[^，,。！!？?；;\n]{{1,14}})",
        rf"(?:^|[，,。])(?P<value>[^，,。！!？?；;\n我]{{1,14}}?)(?:一直|永远|始终|绝对|就|才)*是我(?:的)?(?:{_MOST_ZH}(?:吃|喝|看|听|玩)?的|心中(?:最好|第一)的|的?最爱(?:的)?){_TOPIC_ZH}",
        rf"我?(?:个人)?(?:心目?中)?(?:{_MOST_ZH})(?:吃|喝|看|听|聽|玩|用)?的(?P<topic>[\u4e00-\u9fff]{{1,6}}?)(?:一直|永远|始终|肯定|当然|当属|非|还|就|莫过于|一定|应该)*(?:是|就是|要数|当属|莫过于|非)(?P<value>[^，,。！!？?；;\n]{{1,16}}?)(?:莫属|了|吧)*(?=[，,。.！!；;]|$)",
        rf"(?:偏爱|首选|最常[吃喝听看]|第一名)的{_TOPIC_ZH}(?:是|一直是)(?P<value>[^，,。！!？?；;\n]{{1,14}})",
    )
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
        topic, value = match["topic"].strip(), object_en(match["value"], longest=6)
        if value:
            yield field_found("preferences", "favourite", value, match.span(), subject=topic, confidence=0.9)
            content = f"The user's favourite {topic} is {without_my(value)}."
            yield item_found(
                content, match.span(), attribute=f"favourite {topic}", value=value, entities=(topic, value)
            )
            return


def _chinese(statement: Statement) -> Iterator[Found]:
    for pattern in _CHINESE:
        match = pattern.search(statement.text)
        if not match or match["topic"] in _NO_TOPIC_ZH:
            continue
        topic, value = match["topic"], object_zh(match["value"])
        if value:
            yield field_found("preferences", "favourite", value, match.span(), subject=topic, confidence=0.9)
            favourite = "最喜歡" if statement.sentence.is_traditional else "最喜欢"
            content = f"{statement.user}{favourite}的{topic}是{value}"
            yield item_found(
                content, match.span(), attribute=f"{favourite}的{topic}", value=value, entities=(topic, value)
            )
            return
