"""Likes and dislikes with their polarity, favourites, how to reply, how to be reached, standing prohibitions, 老规矩.

A like or dislike gives the form value and a sentence; a standing prohibition only the form value, because a person decides on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, topic_zh, without_my

type Attitude = Literal["likes", "dislikes"]

_ADVERB = r"(?:(?:really|also|just|absolutely|do|still|actually|honestly|always|generally|quite|truly|simply|especially|personally|now|much|very much|totally|never|only|started to|have come to|came to|definitely|particularly)\s+)*"
# Not after a noun: 'something I love is awesome' states nothing about what follows.
_I = (
    r"(?:^|[,;:(—–!.-]\s*|\b(?:and|but|so|because|['’]?cause|since|that|why|though|although|yes|yeah|no|well|actually|really|honestly|know|think|much|"
    r"also|personally|now|days|lately|nowadays|anymore|way|hey|hi|ok|okay|oh|sorry|fact|me|guess|recently|currently|sure|course|frankly)\s+)(?:i|we(?=\s+(?:\w+\s+)?prefer))\s+"
)
_NOT = r"(?:don['’]?t|do\s+not|didn['’]?t|no\s+longer|never|never\s+did)\s+"
_LIKE_EN = re.compile(
    rf"{_I}{_ADVERB}(?P<verb>like|love|enjoy|adore|prefer|am\s+(?:very\s+|really\s+|so\s+)?(?:fond\s+of|into|keen\s+on|a\s+(?:big\s+|huge\s+)?fan\s+of)|am\s+crazy\s+about)\s+(?P<object>.+)|"
    r"(?:^|[\s,;])i['’]m\s+(?:also\s+|really\s+|very\s+|so\s+|now\s+)*(?P<verb2>fond\s+of|into|keen\s+on|a\s+(?:big\s+|huge\s+)?fan\s+of|crazy\s+about)\s+(?P<object2>.+)",
    re.IGNORECASE,
)
_DISLIKE_EN = re.compile(
    rf"{_I}{_ADVERB}(?P<verb>{_NOT}(?:(?:really|much|particularly|actually|even|particularly)\s+)?(?:like|love|enjoy|care\s+for|want\s+any)|"
    r"(?:really\s+|simply\s+|just\s+)?(?:can['’]?t|cannot|can\s+not|couldn['’]?t|could\s+not)\s+(?:stand|bear|tolerate|abide|stomach)|hate|detest|dislike|loathe|despise|avoid|am\s+not\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of|into|keen\s+on))\s+(?P<object>.+)|"
    r"(?:^|[\s,;])i['’]m\s+not\s+(?:really\s+|very\s+|much\s+of\s+|so\s+|that\s+)?(?P<verb2>a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of|into|keen\s+on)\s+(?P<object2>.+)",
    re.IGNORECASE,
)
_DOUBLE_NEGATIVE = re.compile(
    rf"{_NOT}(?:(?:really|exactly|actually|even)\s+)?(?:dislike|hate|mind|detest|loathe|despise)\b|\b(?:can['’]?t|cannot|can\s+not)\s+(?:say\s+(?:that\s+)?i\s+(?:hate|dislike|don['’]t)|not\s+like)|"
    r"\bnot\s+that\s+i\s+(?:don['’]?t|do\s+not|dislike|hate)|(?:没有|沒有|并不|並不|不|谈不上|說不上|说不上|不是|不算|也不)(?:太|很|怎么)?(?:讨厌|討厭|反感|不喜欢|不喜歡|不爱|不愛|恨|介意|排斥)",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\bused to\b|(?:以前|从前|從前|过去|過去|曾经|曾經|小时候|原来|原來)(?!的)", re.IGNORECASE
)
_ADVERB_ZH = r"(?:(?:其实|其實|真的|真|也|都|还|還|就|更|一直|一向|从来|從來|从小|從小|向来|最近|现在|現在|如今|平时|平時|平常|已经|已經|开始|開始|非常|特别|特別|比较|比較|很|挺|最|超级|超級|超|蛮|蠻|好|有点|有點|个人|個人|比较|一般|通常|完全|实在|實在|逐渐|慢慢|又|只|变得|越来越|反而)+)?"
_I_ZH = r"(?:^|[，,。；;：:\s]|我们?|我們|本人|俺)"
_EAT_ZH = r"(?=看|吃|喝|听|聽|玩|用|穿|逛|打|去|睡|运动|運動|做|写|寫|跑|画|畫|唱|养|養|读|讀|爬|游|旅|钓|拍|下厨|聊)"
_LIKE_ZH = re.compile(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>喜欢上了?|喜歡上了?|喜欢|喜歡|热爱|熱愛|偏爱|偏愛|钟爱|鍾愛|偏好|中意|爱上了?|愛上了?|爱{_EAT_ZH}|愛{_EAT_ZH})(?P<object>[^，,。.！!？?；;\n]+)"
)
_DISLIKE_ZH = re.compile(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>(?:已经|已經|再也|从不|從不)?(?:不|没那么)(?:再|太|怎么|怎麼|大|是很|是特别|是太|那么|很|特别)?(?:喜欢|喜歡|中意|爱{_EAT_ZH}|愛{_EAT_ZH}|爱|愛|想再?(?=看到|收到|接到))|讨厌|討厭|厌恶|厭惡|受不了|反感|不能忍受|无法忍受|無法忍受|忍不了|忍受不了|最烦|最煩|不习惯|不習慣|恨)(?P<object>[^，,。.！!？?；;\n]+)"
)
_NO_EAT_ZH = re.compile(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>(?:从来|從來|从|從|都|一点|一點)?不(?:吃|喝|碰|抽|沾))(?P<object>(?!下|饭|飯|早|午|晚|药|藥|了$|完|到|惯|消|动|飽|饱|亏|虧|起|得)[^，,。.！!？?；;\n]{{1,12}})"
)
_FAVOURITE_EN = re.compile(
    r"\bmy\s+(?:(?:new|current|absolute|all-time|all time|personal|other)\s+)*(?:favou?rite)(?:\s+(?:kind|type|sort)\s+of)?\s+(?P<topic>[a-z][a-z' -]{1,28}?)\s+(?:(?:to\s+\w+\s+)?(?:is|are|has\s+become|became)|['’]s)\s+(?:(?:now|still|currently|definitely|actually|probably|always)\s+)*(?P<value>.+)",
    re.IGNORECASE,
)
_NO_FAVOURITE = re.compile(
    r"(?:part|thing|things|bit|moment|moments|memory|memories|time|times|one|ones|way|aspect|day|story|character|place|spot|activity|outlet|scene|of\b.*)$",
    re.IGNORECASE,
)
_FAVOURITE_ZH = re.compile(
    r"(?:我|本人|^|[，,])(?:现在|現在|最近|如今)?(?:我)?(?P<most>最喜欢|最喜歡|最爱|最愛|最中意|喜欢|喜歡)(?:吃|喝|看|听|玩)?的(?P<topic>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:现在|現在|已经|已經|还|還|就|一直)?(?:是|变成了?|變成了?|换成了?|換成了?|成了|改成了?)(?P<value>[^，,。.！!？?；;\n]{1,20})"
)
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
    rf"\b(?:(?:please\s+)?(?:always\s+)?(?:contact|reach|notify|ping|message)\s+me\s+(?:only\s+)?(?:by|via|on|through|over|with)\s+(?P<a>{_CHANNELS_EN})|i\s+(?:\w+\s+)?(?:prefer|want|like)\s+to\s+be\s+(?:contacted|reached|notified)\s+(?:by|via|on|through)\s+(?P<b>{_CHANNELS_EN})|the\s+best\s+way\s+to\s+(?:reach|contact)\s+me\s+is\s+(?:by\s+|via\s+)?(?P<c>{_CHANNELS_EN}))\b",
    re.IGNORECASE,
)
_CHANNELS_ZH = r"微信|电话|電話|短信|邮件|郵件|邮箱|电子邮件|钉钉|飞书|飛書|企业微信|WhatsApp|Telegram|Slack|QQ|LINE|Line"
_CHANNEL_ZH = re.compile(
    rf"(?:(?:请|請|以后|以後|尽量|最好|都|今后)+(?:用|通过|通過|打|发|發|走)(?P<a>{_CHANNELS_ZH})(?:来)?(?:联系|聯繫|聯絡|通知|找)我|(?:联系|聯繫|聯絡|通知)我(?:请|請|最好|就|尽量)?(?:用|通过|通過|打|发|發)(?P<b>{_CHANNELS_ZH})|(?:以后|以後)(?:有事|有消息)?(?:请|請|就|都)*(?:打|发|發|用)(?P<c>{_CHANNELS_ZH})(?:给我|联系我|找我)?)"
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
    if special or _FORMERLY.search(statement.text) or says_double_negative(statement.text):
        return
    favourites = list(_favourites(statement))
    yield from favourites
    if not favourites:
        yield from _attitudes(statement)
        yield from _from_now_on(statement)


def says_double_negative(text: str) -> bool:
    """'I don't dislike jazz': neither a like nor a dislike."""
    return bool(_DOUBLE_NEGATIVE.search(text))


def _attitudes(statement: Statement) -> Iterator[Found]:
    if statement.english:
        yield from _attitude_en(statement)
    if statement.chinese:
        yield from _attitude_zh(statement)


def _attitude_en(statement: Statement) -> Iterator[Found]:
    for attitude, pattern in (("dislikes", _DISLIKE_EN), ("likes", _LIKE_EN)):
        for match in pattern.finditer(statement.text):
            wanted = match["object"] or match["object2"]
            if wanted and (topic := _lasting_topic(wanted, match["verb"] or "")):
                topic = without_my(topic)
                content = f"The user {attitude} {topic}."
                topic = topic.removeprefix("to ")
                yield from _attitude(statement, attitude, topic, content, match.span())  # type: ignore[arg-type]
                return


_SITUATED = re.compile(
    r"(?:all\s+)?the\s+(?!(?:ocean|sea|seaside|beach|mountains?|outdoors|countryside|theatre|theater|cinema|gym|snow|rain|cold|heat|sun|desert|forest|woods|piano|guitar|violin|drums|water|city|night|winter|summer|window|aisle|smell|taste|sound)\b)",
    re.IGNORECASE,
)
_NO_TOPIC = re.compile(
    r"^(?:is|was|are|were|be|makes?|has|have|had|not|to|brings?|every\s+day|for|from|with|in|on|of|and|as|about|than|up|by|out|still|down|alone|back)(?:\s|$)(?!\w+\s+(?:ing)$)",
    re.IGNORECASE,
)
_PLAN = re.compile(r"(?:plan|option|proposal)\s+\w{1,2}$|方案|计划", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:i|you|your|he|she|it|its|they|them|this|that\s+\w+$|these|those|our|us|his|her|him|ours|mine|one\s+another|each\s+other)\b",
    re.IGNORECASE,
)


def _lasting_topic(wanted: str, verb: str) -> str:
    """The object of a lasting attitude, '' for what is only there at the moment ('the colours', 'holding them')."""
    if _SITUATED.match(wanted.strip()) and "prefer" not in verb.lower():
        return ""
    topic = object_en(wanted)
    to_do = re.match(r"to\s+[a-z]+", topic)
    if (
        not topic
        or _PLAN.match(topic)
        or (not to_do and _NO_TOPIC.match(topic))
        or _POINTS_BACK.search(topic)
    ):
        return ""
    return topic


def _attitude_zh(statement: Statement) -> Iterator[Found]:
    for pattern, attitude in ((_NO_EAT_ZH, "dislikes"), (_DISLIKE_ZH, "dislikes"), (_LIKE_ZH, "likes")):
        if not (match := pattern.search(statement.text)):
            continue
        wanted = object_zh(match["object"])
        if not wanted or _PLAN.search(wanted) or (pattern is _NO_EAT_ZH and is_diet_zh(wanted)):
            continue
        verb = match["verb"]
        content = f"{statement.user}{verb}{wanted}"
        yield from _attitude(statement, attitude, topic_zh(wanted), content, match.span())  # type: ignore[arg-type]
        return


def _attitude(
    statement: Statement, attitude: Attitude, topic: str, content: str, span: tuple[int, int]
) -> Iterator[Found]:
    yield field_found("preferences", "attitude", attitude, span, subject=topic, confidence=0.9)
    yield item_found(content, span, attribute=topic, value=attitude, entities=(topic,))


def is_diet_zh(wanted: str) -> bool:
    """不吃猪肉 is a diet, 不吃香菜 a dislike."""
    return bool(
        re.fullmatch(
            r"(?:猪|豬|牛|羊|鸡|雞|红|紅|生)?肉(?:类|類)?|荤|葷|荤腥|海鲜|海鮮|鱼|魚|蛋|奶制品|乳制品|麸质|麩質|大荤|素|动物性食品",
            wanted,
        )
    )


def _favourites(statement: Statement) -> Iterator[Found]:
    if match := _FAVOURITE_EN.search(statement.text):
        topic, value = match["topic"].strip(), object_en(match["value"], longest=6)
        if value and not _NO_FAVOURITE.search(topic):
            span = (match.start(), match.end())
            yield field_found("preferences", "favourite", value, span, subject=topic, confidence=0.95)
            content = f"The user's favourite {topic} is {without_my(value)}."
            yield item_found(
                content, span, attribute=f"favourite {topic}", value=value, entities=(topic, value)
            )
    elif match := _FAVOURITE_ZH.search(statement.text):
        topic, value = match["topic"], object_zh(match["value"])
        if value and topic not in {
            "人",
            "事",
            "时候",
            "地方",
            "部分",
            "一个",
            "那个",
            "原因",
            "理由",
            "样子",
            "东西",
            "方式",
            "感觉",
        }:
            confidence = 0.95 if match["most"].startswith("最") else 0.8
            yield field_found(
                "preferences", "favourite", value, match.span(), subject=topic, confidence=confidence
            )
            favourite = "最喜歡" if statement.sentence.is_traditional else "最喜欢"
            content = f"{statement.user}{match['most']}的{topic}是{value}"
            yield item_found(
                content, match.span(), attribute=f"{favourite}的{topic}", value=value, entities=(topic, value)
            )


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
