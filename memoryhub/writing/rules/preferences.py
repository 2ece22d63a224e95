"""How to reply, how to be reached, standing prohibitions, 老规矩; else likes and dislikes.

A standing prohibition gives only the form value, no sentence, because a person decides on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules import attitudes
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, without_my

_REPLY_NOUN_EN = r"(?:repl(?:y|ies)|answers?|responses?|explanations?|tone)"
_REPLY_STYLE_EN = re.compile(
    rf"(?:\b(?:please\s+)?(?:keep|make)\s+(?:your|the|all)\s+{_REPLY_NOUN_EN}\s+(?P<a>(?!in\b)[a-z][\w ,-]{{2,40}})|"
    rf"(?:^|[\s,])(?:please\s+)?(?:always\s+)?(?:reply|answer|respond)(?:\s+to\s+me)?\s+(?P<b>briefly|concisely|in detail|formally|informally|politely|in bullet points|with bullet points|in short sentences|step by step)|"
    rf"\b(?:i\s+(?:like|prefer|want|need|would\s+like|['’]d\s+like|love)|give\s+me|use)\s+(?P<c>(?:very\s+)?(?:short|brief|concise|detailed|long|formal|informal|casual|friendly|polite|direct|plain|simple|technical|humorous|warm|professional|bulleted|thorough)(?:(?:,|\s+and)\s+\w+)?)\s+(?:and\s+\w+\s+)?{_REPLY_NOUN_EN}\b)",
    re.IGNORECASE,
)
_STYLE_ZH = r"简短|簡短|简洁|簡潔|简明|精简|精簡|详细|詳細|详尽|正式|口语化|口語化|幽默|直接|专业|專業|通俗|客气|客氣|礼貌|禮貌|轻松|輕鬆|活泼|随意|分点|分點|条理|友好|温和|短|长"
_REPLY_STYLE_ZH = re.compile(
    rf"(?:回复|回覆|回答|答复|答覆|说话|說話|语气|語氣|解释)(?:的时候|时|我|风格|風格|得|要|请|請|尽量|盡量|最好|能|都|给我|更|再|可以|，)*(?P<a>(?:{_STYLE_ZH})(?:[、和且又而]?(?:{_STYLE_ZH}))?)(?:一点|一點|一些|些|点|點|明了)?|"
    rf"(?:喜欢|喜歡|偏好|偏爱|习惯|需要|想要|希望(?:得到|收到)?)(?:看)?(?P<b>(?:{_STYLE_ZH})(?:[、和且又而]?(?:{_STYLE_ZH}))?)(?:一点|一點|些)?的?(?:回复|回覆|回答|答复|答覆|说话方式|语气|語氣|风格|表达)"
)
_CHANNELS_EN = r"e-?mail|phone|text(?:\s+message)?|sms|whatsapp|wechat|telegram|slack|signal|teams|post|letter|video call|chat"
_CHANNEL_EN = re.compile(
    rf"\b(?:(?:please\s+)?(?:always\s+)?(?:contact|reach|notify|ping|message)\s+me\s+(?:only\s+)?(?:by|via|on|through|over|with)\s+(?P<a>{_CHANNELS_EN})|i\s+(?:\w+\s+)?(?:prefer|want|like)\s+to\s+be\s+(?:contacted|reached|notified)\s+(?:by|via|on|through)\s+(?P<b>{_CHANNELS_EN})|the\s+best\s+way\s+to\s+(?:reach|contact)\s+me\s+is\s+(?:by\s+|via\s+)?(?P<c>{_CHANNELS_EN})|(?:do\s+not|don['’]?t|stop)\s+call(?:ing)?\s+me,?\s+(?:just\s+|please\s+)?(?P<d>text|e-?mail|message)\s+me|(?:please\s+)?only\s+(?P<e>e-?mail|text|call|message)\s+me)\b",
    re.IGNORECASE,
)
_CHANNELS_ZH = r"微信|电话|電話|短信|邮件|郵件|邮箱|电子邮件|钉钉|飞书|飛書|企业微信|WhatsApp|Telegram|Slack|QQ|LINE|Line"
_CHANNEL_ZH = re.compile(
    rf"(?:(?:请|請|以后|以後|尽量|最好|都|今后)+(?:用|通过|通過|打|发|發|走)(?P<a>{_CHANNELS_ZH})(?:来)?(?:联系|聯繫|聯絡|通知|找)我|(?:联系|聯繫|聯絡|通知)我(?:请|請|最好|就|尽量)?(?:用|通过|通過|打|发|發)(?P<b>{_CHANNELS_ZH})|(?:以后|以後)(?:有事|有消息)?(?:请|請|就|都)*(?:打|发|發|用)(?P<c>{_CHANNELS_ZH})(?:给我|联系我|找我)?|(?:不要|别|不用)(?:再)?(?:给我)?打电话[，,]?(?:请|就|直接|改)?(?:发|用)(?P<d>{_CHANNELS_ZH}))"
)
_NO_RECOMMEND_ZH = re.compile(
    r"(?P<standing>以后|以後|今后|今後|往后|永远|永遠|再也)?(?:请|請|麻烦|也|都|就|千万|您|你)*(?:别|別|不要|不用|勿|甭|少)(?:再)?(?P<me>给我|給我|向我|跟我)?(?:推荐|推薦|推送|介绍|介紹|建议|推)(?:任何|含有?|带有?|這種|这种)?(?P<object>[^，,。.！!？?；;\n]{1,20})"
)
_RECOMMEND_WITHOUT_ZH = re.compile(
    r"(?P<standing>以后|以後|今后|今後)?(?:给我|給我)?(?:推荐|推薦|介绍)(?:的)?[^，,。！!？?；;\n]{0,8}(?:不要|别|別|不能|不可以)(?:有|含有?|带有?|放|包含)(?P<object>[^，,。！!？?；;\n]{1,16})"
)
_NO_RECOMMEND_EN = re.compile(
    r"\b(?:don['’]?t|do\s+not|never|stop|please\s+stop|no\s+longer|quit)\s+(?:ever\s+)?(?:recommend(?:ing)?|suggest(?:ing)?|offer(?:ing)?|show(?:ing)?|propos(?:e|ing)|push(?:ing)?)\s+(?:me\s+)?(?P<object>.+)",
    re.IGNORECASE,
)
_FOR_OTHERS = re.compile(
    r"\bto\s+(?:customers|clients|users|anyone|people|guests|visitors)\b|(?:给|給|向|跟|对|對)(?:客户|客戶|用户|顾客|顧客|客人|别人|任何人)|任何推荐",
    re.IGNORECASE,
)
_USUAL_EN = re.compile(
    r"\bmy\s+usual(?:\s+(?:order|request|drink|room|table|coffee|choice))?\s+is\s+(?P<value>.+)|\bthe\s+usual\s+(?:for\s+me\s+is|means)\s+(?P<value2>.+)",
    re.IGNORECASE,
)
_USUAL_ZH = re.compile(
    r"(?:按|照|还是|還是)?(?:我的?|咱的?)?(?:老规矩|老規矩|老样子|老樣子)(?:就)?(?:是|指的?是|[：:，,])\s*(?P<value>[^。！!？?；;\n]{2,40})"
)
_FROM_NOW_EN = re.compile(
    r"^(?:(?:yes|ok(?:ay)?|right|sure|so|please|no)[,\s]+)*(?P<what>[a-z][\w' -]{2,60}?),?\s+from\s+now\s+on\W*$",
    re.IGNORECASE,
)
_FROM_NOW_ZH = re.compile(
    r"^(?:好的?|嗯|行|对|是的)?[，,]?(?:以后|以後|今后|今後|从现在起|從現在起)[，,]?(?:请|請|都|就|一律|每次|麻烦)+(?P<what>[^，,。！!？?；;\n]{2,30})"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence says about the speaker's preferences; the rules of one purpose come before the general ones."""
    special = [*_reply_style(statement), *_channel(statement), *_usual(statement), *_prohibition(statement)]
    yield from special
    others = [found for found in attitudes.find(statement) if not _overlaps(found, special)]
    yield from others
    if not special and not others:
        yield from _from_now_on(statement)


def _overlaps(found: Found, special: list[Found]) -> bool:
    """'I like short replies' is a style, not a liking as well."""
    return any(found.start < other.end and other.start < found.end for other in special)


def _reply_style(statement: Statement) -> Iterator[Found]:
    for pattern in (_REPLY_STYLE_EN, _REPLY_STYLE_ZH):
        if match := pattern.search(statement.text):
            value = next(group for group in match.groups() if group).strip(" ,.")
            value = re.sub(r"\s+(?:please|from now on|thanks)$", "", value, flags=re.IGNORECASE)
            yield field_found("preferences", "reply_style", value, match.span())
            if statement.chinese:
                content = (
                    f"{statement.user}喜歡{value}的回覆"
                    if statement.sentence.is_traditional
                    else f"{statement.user}喜欢{value}的回复"
                )
            else:
                content = f"The user wants replies like this: {value}."
            yield item_found(content, match.span(), attribute="reply style", value=value)
            return


def _channel(statement: Statement) -> Iterator[Found]:
    for pattern in (_CHANNEL_EN, _CHANNEL_ZH):
        if match := pattern.search(statement.text):
            value = next(group for group in match.groups() if group)
            yield field_found("preferences", "contact_channel", value, match.span())
            return


def _usual(statement: Statement) -> Iterator[Found]:
    if match := _USUAL_EN.search(statement.text):
        if value := object_en(match["value"] or match["value2"], longest=12):
            yield field_found("preferences", "usual_request", value, match.span(), confidence=0.95)
            yield item_found(
                f"The user's usual request is {without_my(value)}.",
                match.span(),
                attribute="usual request",
                value=value,
            )
    elif match := _USUAL_ZH.search(statement.text):
        value = match["value"].strip(" ，,")
        if not re.match(r"(?:就行|就好|来|謝|谢|可以|吧|帮我|好了|麻烦)", value):
            rule = "老規矩" if statement.sentence.is_traditional else "老规矩"
            yield field_found("preferences", "usual_request", value, match.span(), confidence=0.95)
            yield item_found(f"{statement.user}的{rule}是{value}", match.span(), attribute=rule, value=value)


def _prohibition(statement: Statement) -> Iterator[Found]:
    """别给我推荐辣的 is a dislike and a prohibition; 以后别推荐咖啡了 only forbids."""
    if _FOR_OTHERS.search(statement.text):
        return
    if match := _NO_RECOMMEND_ZH.search(statement.text) or _RECOMMEND_WITHOUT_ZH.search(statement.text):
        topic = object_zh(match["object"])
        standing = match.groupdict().get("standing")
    elif match := _NO_RECOMMEND_EN.search(statement.text):
        topic = object_en(
            re.sub(
                r"^(?:anything|something|dishes|things|food|stuff|products|restaurants|places|items|any(?:\s+\w+)?)\s+(?:with|containing|that\s+(?:contains?|has|is|are)|made\s+(?:with|of))\s+",
                "",
                match["object"],
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
