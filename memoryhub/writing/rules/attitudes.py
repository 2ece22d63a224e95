"""Likes and dislikes with their polarity, and favourites: a form value and a sentence for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import ItemCandidate
from memoryhub.writing.rules import tastes
from memoryhub.writing.rules.favourites import favourites_said_otherwise
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, topic_zh, without_my

type Attitude = Literal["likes", "dislikes"]

_ADVERB = r"(?:(?:really|also|just|absolutely|do|still|actually|honestly|always|generally|quite|truly|simply|especially|personally|now|much|very much|totally|never|only|started to|have come to|came to|definitely|particularly)\s+)*"
# Not after a noun: 'something I love is awesome' states nothing about what follows.
_I = (
    r"(?:^|[,;:(—–!.-]\s*|\b(?:and|but|so|because|['’]?cause|since|(?:know|think|say|mean|mention|note|remember|fact|me)\s+that|why|though|although|yes|yeah|no|well|actually|really|honestly|know|think|much|"
    r"also|personally|now|days|lately|nowadays|anymore|way|hey|hi|ok|okay|oh|sorry|fact|me|guess|recently|currently|sure|course|frankly)\s+)(?:i|we(?=\s+(?:\w+\s+)?prefer))\s+"
)
_NOT = r"(?:don['’]?t|do\s+not|didn['’]?t|no\s+longer|never|never\s+(?:did|really|quite))\s+"
_LIKE_EN = lazy_pattern(
    rf"{_I}{_ADVERB}(?P<verb>like|love|enjoy|adore|prefer|am\s+(?:very\s+|really\s+|so\s+)?(?:fond\s+of|into|keen\s+on|a\s+(?:big\s+|huge\s+)?fan\s+of)|am\s+crazy\s+about|am\s+(?:very\s+|really\s+)?interested\s+in|am\s+obsessed\s+with)\s+(?P<object>.+)|"
    r"(?:^|[\s,;])i['’]m\s+(?:also\s+|really\s+|very\s+|so\s+|now\s+)*(?P<verb2>fond\s+of|into|keen\s+on|a\s+(?:big\s+|huge\s+)?fan\s+of|crazy\s+about|interested\s+in|obsessed\s+with)\s+(?P<object2>.+)",
    re.IGNORECASE,
)
_DISLIKE_EN = lazy_pattern(
    rf"{_I}{_ADVERB}(?P<verb>{_NOT}(?:(?:really|much|particularly|actually|even|particularly)\s+)?(?:liked?|loved?|enjoy(?:ed)?|care[d]?\s+for|want\s+any)|"
    r"(?:really\s+|simply\s+|just\s+)?(?:can['’]?t|cannot|can\s+not|couldn['’]?t|could\s+not)\s+(?:stand|bear|tolerate|abide|stomach)|hate|detest|dislike|loathe|despise|avoid|am\s+not\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of|into|keen\s+on))\s+(?P<object>.+)|"
    r"(?:^|[\s,;])i['’]m\s+not\s+(?:really\s+|very\s+|much\s+of\s+|so\s+|that\s+)?(?P<verb2>a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of|into|keen\s+on)\s+(?P<object2>.+)",
    re.IGNORECASE,
)
_DOUBLE_NEGATIVE = lazy_pattern(
    rf"{_NOT}(?:(?:really|exactly|actually|even)\s+)?(?:dislike|hate|mind|detest|loathe|despise)\b|\b(?:can['’]?t|cannot|can\s+not)\s+(?:say\s+(?:that\s+)?i\s+(?:hate|dislike|don['’]t)|not\s+like)|"
    r"\bnot\s+that\s+i\s+(?:don['’]?t|do\s+not|dislike|hate)|(?:没有|沒有|并不|並不|不|谈不上|說不上|说不上|不是|不算|也不)(?:太|很|怎么)?(?:讨厌|討厭|反感|不喜欢|不喜歡|不爱|不愛|恨|介意|排斥)",
    re.IGNORECASE,
)
_FORMERLY = lazy_pattern(
    r"\bused to\b|(?:以前|从前|從前|过去|過去|曾经|曾經|小时候|原来|原來)(?!的)", re.IGNORECASE
)
_ADVERB_ZH = r"(?:(?:其实|其實|真的|真|也|都|还|還|就|更|一直|一向|从来|從來|从小|從小|向来|最近|现在|現在|如今|平时|平時|平常|已经|已經|开始|開始|非常|特别|特別|比较|比較|很|挺|最|超级|超級|超|蛮|蠻|好|有点|有點|个人|個人|比较|一般|通常|完全|实在|實在|逐渐|慢慢|又|重新|只|变得|越来越|反而)+)?"
_I_ZH = r"(?:^|[，,。；;：:\s]|我们?|我們|本人|俺)"
_EAT_ZH = r"(?=看|吃|喝|听|聽|玩|用|穿|逛|打|去|睡|运动|運動|做|写|寫|跑|画|畫|唱|养|養|读|讀|爬|游|旅|钓|拍|下厨|聊)"
_LIKE_ZH = lazy_pattern(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>喜欢上了?|喜歡上了?|迷上了?|喜欢|喜歡|热爱|熱愛|偏爱|偏愛|钟爱|鍾愛|偏好|中意|爱上了?|愛上了?|爱{_EAT_ZH}|愛{_EAT_ZH}|(?:(?<=特别)|(?<=非常)|(?<=超级)|(?<=[很超最挺真蛮贼巨]))爱(?!(?:[看吃喝听玩逛])(?:的|了)?(?:[，,。！!；;]|$))(?![人国心护情惜你他她我慕上的]))(?P<object>[^，,。.！!？?；;\n]+)"
)
_DISLIKE_ZH = lazy_pattern(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>(?:已经|已經|再也|从不|從不)?(?:不|没那么)(?:再|太|怎么|怎麼|大|是很|是特别|是太|那么|很|特别)?(?:喜欢|喜歡|中意|爱{_EAT_ZH}|愛{_EAT_ZH}|爱|愛|想再?(?=看到|收到|接到))|讨厌|討厭|厌恶|厭惡|受不了|反感|不能忍受|无法忍受|無法忍受|忍不了|忍受不了|最烦|最煩|不习惯|不習慣|恨)(?P<object>[^，,。.！!？?；;\n]+)"
)
_NO_EAT_ZH = lazy_pattern(
    rf"{_I_ZH}{_ADVERB_ZH}(?P<verb>(?:从来|從來|从|從|都|一点|一點)?不(?:吃|喝|碰|抽|沾))(?P<object>(?!下|饭|飯|早|午|晚|药|藥|了$|完|到|惯|消|动|飽|饱|亏|虧|起|得)[^，,。.！!？?；;\n]{{1,12}})"
)
_FAVOURITE_EN = lazy_pattern(
    r"\bmy\s+(?:(?:new|current|absolute|all-time|all time|personal|other)\s+)*(?:favou?rite)(?:\s+(?:kind|type|sort)\s+of)?\s+(?P<topic>[a-z][a-z' -]{1,28}?)\s+(?:(?:to\s+\w+\s+)?(?:is|are|has\s+become|became)|['’]s)\s+(?:(?:now|still|currently|definitely|actually|probably|always)\s+)*(?P<value>.+)",
    re.IGNORECASE,
)
_NO_FAVOURITE = lazy_pattern(
    r"(?:part|thing|things|bit|moment|moments|memory|memories|time|times|one|ones|way|aspect|day|story|character|place|spot|activity|outlet|scene|of\b.*)$",
    re.IGNORECASE,
)
_FAVOURITE_ZH = lazy_pattern(
    r"(?:我|本人|^|[，,])(?:现在|現在|最近|如今)?(?:我)?(?P<most>最喜欢|最喜歡|最爱|最愛|最中意|喜欢|喜歡)(?:吃|喝|看|听|玩)?的(?P<topic>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:现在|現在|已经|已經|还|還|就|一直)?(?:是|变成了?|變成了?|换成了?|換成了?|成了|改成了?)(?P<value>[^，,。.！!？?；;\n]{1,20})"
)


_ENGLISH: tuple[tuple[Attitude, re.Pattern[str]], ...] = (("dislikes", _DISLIKE_EN), ("likes", _LIKE_EN))
_CHINESE: tuple[tuple[Attitude, re.Pattern[str]], ...] = (
    ("dislikes", _NO_EAT_ZH),
    ("dislikes", _DISLIKE_ZH),
    ("likes", _LIKE_ZH),
)
_NEXT_STATEMENT = lazy_pattern(r"(?:,\s*|\s+)(?:and|but|though|while)\s+i\s|[,;]\s*i\s", re.IGNORECASE)
_PREFERRED = lazy_pattern(
    r"(?P<topic>.{2,40}?)\s+(?:over|to|rather\s+than|instead\s+of|more\s+than)\s+.{2,40}$", re.IGNORECASE
)
_OTHERWISE_LIKED_ZH = lazy_pattern(
    r"(?:^|[，,])(?P<object4>[^，,。！!？?；;\n我]{1,12})(?:一直|就|也)*是我(?:的|唯一的|最大的)*(?:爱好|愛好|兴趣|心头好)|我(?:的|最大的|平时的|业余)*(?:爱好|愛好|兴趣)(?:就|主要|一直)*(?:是|有)(?P<object5>[^，,。！!？?；;\n]{1,16})|我(?:的)?(?:最爱|最愛)(?:就)?是(?P<object>[^，,。.！!？?；;\n]{1,16})|(?:^|[，,])(?P<object2>[^，,。.！!？?；;\n我]{1,12})(?:一直|就)?是我的最[爱愛]|我(?:一直|最近|现在|也|其实|从小)*(?:对|對)(?P<object3>[^，,。.！!？?；;\n]{1,12}?)(?:很|非常|特别|挺|比较|都)*(?:感兴趣|感興趣|有兴趣|有興趣|着迷)"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield favourites, else likes and dislikes; nothing of what was once or of a double negative."""
    if says_double_negative(statement.text):
        return
    yield from (
        found
        for found in _felt_now(statement)
        if not (_was_once(found, statement) or _is_eaten_not(found, statement))
    )


def _is_eaten_not(found: Found, statement: Statement) -> bool:
    """海鲜我不吃 is a diet, and no dislike beside it."""
    candidate = found.candidate
    topic = candidate.attribute if isinstance(candidate, ItemCandidate) else candidate.subject
    return is_diet_zh(topic) and bool(re.search(r"不[能可以都]{0,2}吃", statement.text))


def _was_once(found: Found, statement: Statement) -> bool:
    """我现在喜欢香菜，以前讨厌: only what stands beside 'used to' is over."""
    first = statement.sentence.clause_at(found.start)[0]
    last = statement.sentence.clause_at(max(found.end - 1, found.start))[1]
    return bool(_FORMERLY.search(statement.text, first, last))


def _felt_now(statement: Statement) -> Iterator[Found]:
    favourites = list(_favourites(statement)) or list(favourites_said_otherwise(statement))
    yield from favourites
    if favourites:
        return
    said = list(_attitudes(statement))
    yield from said or tastes.find(statement)


def says_double_negative(text: str) -> bool:
    """'I don't dislike jazz': neither a like nor a dislike."""
    return bool(_DOUBLE_NEGATIVE.search(text))


def _attitudes(statement: Statement) -> Iterator[Found]:
    if statement.english:
        yield from _attitude_en(statement)
    if statement.chinese:
        yield from _attitude_zh(statement)


def _attitude_en(statement: Statement) -> Iterator[Found]:
    taken: list[tuple[int, int]] = []
    for attitude, pattern in _ENGLISH:
        for clause_start, clause_end in _statements_of(statement.text):
            match = pattern.search(statement.text, clause_start, clause_end)
            wanted = (match["object"] or match["object2"]) if match else ""
            if not match or not wanted or (clause_start, clause_end) in taken:
                continue
            verb = match["verb"] or ""
            if topic := _lasting_topic(wanted, verb):
                taken.append((clause_start, clause_end))
                yield from _attitude_of(attitude, without_my(topic), verb, match.span())


def _attitude_of(attitude: Attitude, topic: str, verb: str, span: tuple[int, int]) -> Iterator[Found]:
    content = f"The user {attitude} {topic}."
    if "prefer" in verb.lower() and (preferred := _PREFERRED.match(topic)):
        topic, content = preferred["topic"], f"The user prefers {topic}."
    yield from _attitude(attitude, topic.removeprefix("to "), content, span)


def _statements_of(text: str) -> list[tuple[int, int]]:
    """Where 'I like X and I hate Y' may be cut: each part begins with its own 'I'."""
    cuts = [match.start() for match in _NEXT_STATEMENT.finditer(text)]
    return list(zip([0, *cuts], [*cuts, len(text)], strict=True))


_SITUATED = lazy_pattern(
    r"(?:all\s+)?the\s+(?!(?:ocean|sea|seaside|beach|mountains?|outdoors|countryside|theatre|theater|cinema|gym|snow|rain|cold|heat|sun|desert|forest|woods|piano|guitar|violin|drums|water|city|night|winter|summer|window|aisle|smell|taste|sound)\b)",
    re.IGNORECASE,
)
_NO_TOPIC = lazy_pattern(
    r"^(?:is|was|are|were|be|makes?|has|have|had|not|to|brings?|every\s+day|for|from|with|in|on|of|and|as|about|than|up|by|out|still|down|alone|back)(?:\s|$)(?!\w+\s+(?:ing)$)",
    re.IGNORECASE,
)
_PLAN = lazy_pattern(
    r"(?:plan|option|proposal)\s+\w{1,2}$|方案|计划|^第[一二三四五六七八九十\d]+[段张个個条條页頁版句章张節节]|(?:first|second|third|last)\s+(?:one|paragraph|section|version|draft|part|picture|option)$",
    re.IGNORECASE,
)
_POINTS_BACK = lazy_pattern(
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
    taken: list[tuple[int, int]] = []
    for attitude, pattern in _CHINESE:
        for match in pattern.finditer(statement.text):
            wanted = object_zh(_bare(match))
            if any(match.start() < end and start < match.end() for start, end in taken) or not wanted:
                continue
            if wanted in {"看", "吃", "喝", "听", "玩"} or _PLAN.search(wanted):
                continue
            if pattern is _NO_EAT_ZH and is_diet_zh(wanted):
                continue
            taken.append(match.span())
            content = f"{statement.user}{match['verb']}{wanted}"
            yield from _attitude(attitude, topic_zh(wanted), content, match.span())
    for match in _OTHERWISE_LIKED_ZH.finditer(statement.text):
        if (wanted := object_zh(next(group for group in match.groups() if group))) and not taken:
            love = "喜歡" if statement.sentence.is_traditional else "喜欢"
            yield from _attitude("likes", wanted, f"{statement.user}{love}{wanted}", match.span())


def _bare(match: re.Match[str]) -> str:
    """The object without the closing 的 of 我挺喜欢看纪录片的."""
    before, told = match[0][: match.start("verb") - match.start()], match["object"]
    return told.removesuffix("的") if re.search(r"挺|蛮|蠻|还|是|很|都", before) and len(told) > 2 else told


def _attitude(attitude: Attitude, topic: str, content: str, span: tuple[int, int]) -> Iterator[Found]:
    yield field_found("preferences", "attitude", attitude, span, subject=topic, confidence=0.9)
    yield item_found(content, span, attribute=topic, value=attitude, entities=(topic,))


def is_diet_zh(wanted: str) -> bool:
    """不吃猪肉 is a diet, 不吃香菜 a dislike."""
    return bool(
        re.fullmatch(
            r"(?:猪|豬|牛羊?|羊|鸡|雞|红|紅|生)?肉(?:类|類)?(?:(?:和|跟|、|或者?|以及)(?:猪|牛|羊|鸡|红)?[肉鱼虾蛋].{0,2})*|荤|葷|荤腥|海鲜|海鮮|鱼|魚|蛋|奶制品|乳制品|麸质|麩質|大荤|素|动物性食品|辣",
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
