"""How to reply, how to be reached, standing prohibitions, 老规矩; else likes and dislikes.

A standing prohibition gives only the form value, no sentence, because a person decides on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules import attitudes, channels, replies
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, without_my

_NO_RECOMMEND_ZH = lazy_pattern(
    r"(?P<standing>以后|以後|今后|今後|往后|永远|永遠|再也)?(?:请|請|麻烦|也|都|就|千万|您|你)*(?:别|別|不要|不用|勿|甭|少)(?:再|老|总|整天|一直|动不动)*(?P<me>给我|給我|向我|跟我)?(?:推荐|推薦|推送|介绍|介紹|建议|安利|推)(?:给)?我?(?:任何|含有?(?![^，,。]{1,8}的)|带有?(?![^，,。]{1,8}的)|這種|这种)?(?P<object>(?!给我|我|了|荐|送|介)[^，,。.！!？?；;\n]{1,20})"
)
_RECOMMEND_WITHOUT_ZH = lazy_pattern(
    r"(?P<standing>以后|以後|今后|今後)?(?:给我|給我)?(?:推荐|推薦|介绍)(?:的)?[^，,。！!？?；;\n]{0,8}(?:不要|别|別|不能|不可以)(?:有|含有?|带有?|放|包含)(?P<object>[^，,。！!？?；;\n]{1,16})"
)
_NO_RECOMMEND_EN = lazy_pattern(
    r"\b(?:don['’]?t|do\s+not|never|stop|please\s+stop|no\s+longer|quit)\s+(?:ever\s+)?(?:recommend(?:ing)?|suggest(?:ing)?|offer(?:ing)?|show(?:ing)?|propos(?:e|ing)|push(?:ing)?|send(?:ing)?\s+me|bring(?:ing)?\s+up)\s+(?:me\s+)?(?P<object>.+)|"
    r"\bno\s+more\s+(?P<object2>[\w' -]{2,40}?)\s+(?:recommendations|suggestions|tips|offers)\b|\bi\s+don['’]t\s+want\s+(?:(?:any|to\s+(?:see|get|hear))\s+)*(?:more\s+)?(?P<object3>[\w' -]{2,40}?)\s+(?:recommendations|suggestions|recommended|suggested)\b|\b(?:leave|keep)\s+(?P<object4>[\w' -]{2,40}?)\s+out\s+of\s+(?:your|the|my|any|all)\s+(?:recommendations|suggestions)|\b(?:exclude|skip)\s+(?P<object5>[\w' -]{2,40}?)\s+(?:from|in|when)\s+(?:your\s+|all\s+|you\s+)?(?:recommend|suggest)\w*",
    re.IGNORECASE,
)
_TO_ME_EN = lazy_pattern(r"\s+(?:to|for)\s+me\b.*$", re.IGNORECASE)
_TOPIC_FIRST_ZH = lazy_pattern(
    r"(?:^|[，,。])(?:以后|今后)?(?P<object>(?!以后|今后)[^，,。我你\n]{1,14}?)(?:这种|这类|的话|之类的?|相关的?|就|都|以后|请|，)*(?P<standing>以后)?(?:就|都|请|一律)*(?:别|不要|不用)(?:再|给我|向我)*(?:推荐|推薦|推|安利|推送)(?:给我|給我)?了?(?=[，,。！!；;]|$)|(?:不想|别让我|不要让我)(?:再)?(?:看到|收到)(?:任何)?(?:跟)?(?P<object2>[^，,。\n]{1,12}?)(?:相关|有关)?的?(?:推荐|推送|推薦)|推荐(?:的)?(?:时候|时|里|餐厅|菜)?(?:请|帮我|都)*(?:避开|排除|去掉|跳过|剔除)(?:所有|任何)?(?P<object3>[^，,。！!\n]{1,12})"
)
_FOR_OTHERS = lazy_pattern(
    r"\bto\s+(?:customers|clients|users|anyone|people|guests|visitors)\b|(?:给|給|向|跟|对|對)(?:客户|客戶|用户|顾客|顧客|客人|别人|任何人)|任何推荐",
    re.IGNORECASE,
)
_USUAL_EN = lazy_pattern(
    r"\bmy\s+usual(?:\s+(?:order|request|drink|room|table|coffee|choice|seat|lunch|breakfast|haircut|pizza|setup|settings?))?(?:\s+at\s+[\w' ]{2,20})?\s*(?::|\s+is|\s+are|\s+would\s+be|\s+means|\s+has\s+always\s+been)\s+(?:always\s+)?(?P<value>.+)|\bthe\s+usual\s+(?:\w+\s+)?(?:for\s+me\s+is|means|is|=|being)\s+(?P<value2>.+)|\bwhen\s+i\s+(?:say|ask\s+for|order)\s+[\"'“‘]?(?:the|my)\s+usual[\"'”’]?,?\s+(?:i\s+mean|that\s+means|i\s+(?:always\s+)?mean|i\s+want|it\s+means|it['’]s)\s+(?P<value3>.+)|"
    r"\b(?:the|my)\s+usual(?:\s+for\s+me)?(?:,\s*please)?[,:–-]+\s*(?:that\s+is,?|that['’]s|i\.e\.,?|meaning|so)?\s*(?P<value4>[a-z\d].+)|\bi(?:['’]ll)?\s+always\s+(?:order|get|have|ask\s+for|take|book|request)\s+(?P<value5>(?:an?|the|one|two)\s+.+)",
    re.IGNORECASE,
)
_USUAL_ZH = lazy_pattern(
    r"(?:我说的?|按|照|还是|還是)?(?:我的?|咱的?)?(?:老规矩|老規矩|老样子|老樣子|老一套|惯例|照旧|照舊)(?:就)?(?:是|指的?就?是|的意思就?是|[：:，,])\s*(?:指)?(?P<value>[^。！!？?；;\n]{2,40})|我(?:每次|一般|通常|平时|总是|一直|固定)(?:来|去)?(?:都|只|就)*(?:点|點|要|喝|订|訂|选|坐)(?:的是|的都是)?(?P<value2>(?:一|两|大|中|小|热|冰|靠|同|[\u4e00-\u9fff]{2})[^，,。！!？?；;\n]{2,24})|我(?:每次|向来|一直|从来|总是|固定|一般)都(?:是|要|用|选|点|订|坐|喝)(?P<value3>[^，,。！!？?；;\n]{2,24})(?=[，,。！!；;]|$)"
)
_USUAL_AFTER_ZH = lazy_pattern(
    r"(?:每次|还是|照旧|依旧|给我|都)(?:都|给我|帮我)*(?:来|上|要|点|做|留|订)(?P<value>[^，,。！!？?；;\n]{2,24})[，,](?:还是|按|就是|我的|这是我的?)*(?:老规矩|老样子|惯例)"
)
_NO_USUAL_ZH = lazy_pattern(
    r"^(?:就行|就好|这个意思|这意思|这样|那样|不变|没变|来|謝|谢|可以|吧|帮我|好了|麻烦|送|寄|老|开|走|安排|办|执行)|方案|地铁|公交|车$|班$"
)
_FROM_NOW_EN = lazy_pattern(
    r"^(?:(?:yes|ok(?:ay)?|right|sure|so|please|no)[,\s]+)*(?P<what>[a-z][\w' -]{2,60}?),?\s+from\s+now\s+on\W*$",
    re.IGNORECASE,
)
_FROM_NOW_ZH = lazy_pattern(
    r"^(?:好的?|嗯|行|对|是的)?[，,]?(?:以后|以後|今后|今後|从现在起|從現在起)[，,]?(?:请|請|都|就|一律|每次|麻烦)+(?P<what>[^，,。！!？?；;\n]{2,30})"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence says about the speaker's preferences; the rules of one purpose come before the general ones."""
    special = [
        *replies.reply_style(statement),
        *channels.find(statement),
        *_usual(statement),
        *_prohibition(statement),
    ]
    yield from special
    others = [found for found in attitudes.find(statement) if not _overlaps(found, special)]
    yield from others
    if not special and not others:
        yield from list(replies.standing_wish(statement)) or _from_now_on(statement)


def _overlaps(found: Found, special: list[Found]) -> bool:
    """'I like short replies' is a style, not a liking as well."""
    return any(found.start < other.end and other.start < found.end for other in special)


def _usual(statement: Statement) -> Iterator[Found]:
    if match := _USUAL_EN.search(statement.text):
        if value := _usual_en(next(group for group in match.groups() if group)):
            yield field_found("preferences", "usual_request", value, match.span(), confidence=0.9)
            yield item_found(
                f"The user's usual request is {without_my(value)}.",
                match.span(),
                attribute="usual request",
                value=value,
            )
    elif match := next(
        (
            m
            for p in (_USUAL_ZH, _USUAL_AFTER_ZH)
            for m in p.finditer(statement.text)
            if not _NO_USUAL_ZH.search(m["value"] or "")
        ),
        None,
    ):
        value = re.sub(
            r"(?:就行|就好|即可|吧|啊|哈)+$",
            "",
            next(group for group in match.groups() if group).strip(" ，,"),
        )
        if not _NO_USUAL_ZH.search(value):
            rule = "老規矩" if statement.sentence.is_traditional else "老规矩"
            confidence = 0.95 if match["value"] else 0.8
            yield field_found("preferences", "usual_request", value, match.span(), confidence=confidence)
            yield item_found(f"{statement.user}的{rule}是{value}", match.span(), attribute=rule, value=value)


def _usual_en(told: str) -> str:
    """The request with what belongs to it: 'oat latte, extra hot'."""
    value = object_en(told, longest=12)
    rest = told.strip()[len(value) :] if told.strip().startswith(value) else ""
    more = re.match(
        r",\s*((?!(?:please|thanks|thank|so|but|because|which|as|i|it|and\s+(?:i|please|can)|can|could|you|don|make|that|the\s+one)\b)[a-z][\w -]{2,40}?(?:,\s*(?:and\s+)?(?!please|thanks)[a-z][\w -]{2,30}?)?)(?=\s*(?:[.;!?]|,?\s*please|,?\s*thanks|$))",
        rest,
        re.IGNORECASE,
    )
    return f"{value}, {more[1].strip()}" if value and more else value


def _prohibition(statement: Statement) -> Iterator[Found]:
    """别给我推荐辣的 is a dislike and a prohibition; 以后别推荐咖啡了 only forbids."""
    if _FOR_OTHERS.search(statement.text):
        return
    if match := (
        _NO_RECOMMEND_ZH.search(statement.text)
        or _RECOMMEND_WITHOUT_ZH.search(statement.text)
        or _TOPIC_FIRST_ZH.search(statement.text)
    ):
        groups = match.groupdict()
        told = next(value for name, value in groups.items() if value and name.startswith("object"))
        topic = object_zh(re.sub(r"(?:给我|給我|向我)?(?:看|听)?了?$", "", told))
        standing = match.groupdict().get("standing") or re.match(r"请|麻烦", match[0])
    elif match := _NO_RECOMMEND_EN.search(statement.text):
        topic = object_en(
            re.sub(
                r"^(?:any\s?more|more|any)\s+(?!with|that|of)|^(?:anything|something|dishes|things|food|stuff|products|restaurants|places|items|any(?:\s+\w+)?)\s+(?:with|containing|that\s+(?:contains?|has|is|are)|made\s+(?:with|of))\s+",
                "",
                _TO_ME_EN.sub("", next(group for group in match.groups() if group)),
                flags=re.IGNORECASE,
            )
        )
        standing = re.search(
            r"from now on|any ?more|ever again|again|in future|in the future|never",
            statement.text,
            re.IGNORECASE,
        )
    else:
        return
    if not topic:
        return
    span = match.span()
    yield field_found(
        "preferences", "do_not_recommend", True, span, subject=topic, flags=("standing_prohibition",)
    )
    if not standing:
        yield field_found("preferences", "attitude", "dislikes", span, subject=topic, confidence=0.85)
        content = (
            f"{statement.user}不想被推荐{topic}"
            if statement.chinese
            else f"The user does not want {topic} recommended."
        )
        if statement.sentence.is_traditional:
            content = f"{statement.user}不想被推薦{topic}"
        yield item_found(content, span, attribute=topic, value="dislikes", entities=(topic,))


def _from_now_on(statement: Statement) -> Iterator[Found]:
    """'yes, early calls from now on', 以后都安排在上午: a standing wish that fits no field."""
    if match := _FROM_NOW_EN.match(statement.text):
        if (what := object_en(match["what"])) and not re.match(
            r"(?:you|i|we|he|she|they)\b", what, re.IGNORECASE
        ):
            yield item_found(
                f"The user wants {without_my(what)} from now on.",
                match.span(),
                attribute=what,
                value="from now on",
                confidence=0.85,
            )
    elif match := _FROM_NOW_ZH.match(statement.text):
        what = object_zh(match["what"], longest=24)
        if what and not re.search(r"[我你您]", what):
            later = "以後" if statement.sentence.is_traditional else "以后"
            yield item_found(
                f"{statement.user}希望{later}都{what}",
                match.span(),
                attribute=what,
                value=later,
                confidence=0.85,
            )
