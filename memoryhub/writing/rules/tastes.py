"""Likes and dislikes said another way than 'I like X': 'Not a fan of X', 'X drives me mad', 恐怖片我看不了, 我对X没兴趣."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, topic_zh, without_my

type Attitude = Literal["likes", "dislikes"]


def _compiled(
    patterns: tuple[tuple[Attitude, str], ...],
) -> tuple[tuple[Attitude, re.Pattern[str]], ...]:
    return tuple((attitude, lazy_pattern(pattern, re.IGNORECASE)) for attitude, pattern in patterns)


_START_EN = r"(?:^|[,;:!–—-]\s*|\b(?:honestly|and|but|also|well|definitely|actually|personally)\s+)"
_OBJECT_EN = r"(?P<object>[^.;!?]+)"
_ENGLISH = _compiled(
    (
        (
            "dislikes",
            rf"{_START_EN}(?:i['’]m\s+|i\s+am\s+)?(?:really\s+|just\s+|definitely\s+)?(?:not\s+(?:really\s+)?(?:(?:a|the\s+biggest)\s+(?:big\s+|huge\s+|great\s+)?fan\s+of|big\s+on|(?:that\s+|too\s+|very\s+|so\s+)?keen\s+on|(?:that\s+|really\s+)?into|(?:too\s+|very\s+)?fond\s+of|crazy\s+about)|no\s+fan\s+of|(?:so\s+)?(?:scared|afraid|terrified)\s+of)\s+{_OBJECT_EN}",
        ),
        (
            "dislikes",
            rf"\bi(?:['’]ve|\s+have)?\s+(?:really\s+|completely\s+|totally\s+)?(?:gone\s+off(?!\s+(?:to|on|with|and|into?|at|for|work)\b)|grown\s+tired\s+of|grown\s+to\s+(?:hate|dislike)|come\s+to\s+(?:hate|dislike)|lost\s+(?:my|all)?\s*(?:taste|love|interest)\s+(?:for|in)|(?:stopped|quit)\s+(?:liking|enjoying|loving)|fallen\s+out\s+of\s+love\s+with)\s+(?P<object4>[^.;!?]+)|{_START_EN}(?:can['’]?t|cannot)\s+(?:stand|bear|stomach|tolerate)\s+{_OBJECT_EN}|^(?:hate|detest|loathe|despise)\s+(?P<object2>[^.;!?]+)|\bi\s+(?:have\s+(?:no\s+(?:patience|time|love)\s+for|a\s+(?:strong\s+)?(?:dislike|aversion)\s+(?:of|to|for))|(?:really\s+)?(?:don['’]t|do\s+not)\s+(?:do|enjoy|care\s+(?:much\s+)?for|get\s+on\s+with|get\s+along\s+with|touch)|steer\s+clear\s+of|stay\s+away\s+from|could\s+do\s+without|find)\s+(?P<object3>[^.;!?]+)",
        ),
        (
            "likes",
            rf"\bi(?:['’]ve|\s+have)\s+(?:really\s+|actually\s+|finally\s+)?(?:(?:come|grown|learned|learnt|started|begun)\s+to\s+(?:love|like|enjoy|appreciate)|(?:started|begun)\s+(?:liking|loving|enjoying))\s+(?P<object5>[^.;!?]+)|^(?:really\s+|absolutely\s+|just\s+)?(?:love|adore|enjoy)\s+{_OBJECT_EN}|^(?:big|huge|massive|total)\s+(?:fan|lover)\s+of\s+(?P<object2>[^.;!?]+)|\bi\s+(?:can['’]t\s+get\s+enough\s+of|have\s+a\s+(?:soft\s+spot|weakness|thing|passion)\s+for|live\s+for|swear\s+by|get\s+a\s+kick\s+out\s+of|take\s+(?:great\s+)?pleasure\s+in)\s+(?P<object3>[^.;!?]+)|\bi(?:['’]m|\s+am)\s+(?:really\s+|very\s+|so\s+|quite\s+)?(?:passionate\s+about|partial\s+to|hooked\s+on|addicted\s+to|mad\s+about|big\s+on|a\s+(?:huge\s+|big\s+)?(?:lover|admirer)\s+of|a\s+sucker\s+for|really\s+into)\s+(?P<object4>[^.;!?]+)",
        ),
    )
)
_TOPIC_EN = r"(?:^|[,;:]\s*)(?P<topic>[A-Za-z][\w' -]{2,40}?)"
_ABOUT_EN = _compiled(
    (
        (
            "dislikes",
            rf"{_TOPIC_EN}\s+(?:(?:really|just|always|totally|absolutely|do|does)\s+)*(?:drives?\s+me\s+(?:mad|crazy|nuts|insane|up\s+the\s+wall)|(?:puts?|turns?)\s+me\s+off|gets?\s+on\s+my\s+nerves|annoys?\s+me|bothers?\s+me|irritates?\s+me|bores?\s+me(?:\s+to\s+\w+)?|(?:disgusts?|repulses?)\s+me|makes?\s+me\s+(?:sick|gag|cringe)|(?:is|are)(?:n['’]t|\s+not)\s+(?:really\s+)?(?:for\s+me|my\s+(?:thing|cup\s+of\s+tea|style|jam))|(?:don['’]t|doesn['’]t|do\s+not|does\s+not)\s+agree\s+with\s+me|(?:is|are)\s+a\s+no-?go\s+for\s+me)\b",
        ),
        (
            "likes",
            rf"{_TOPIC_EN}\s+(?:(?:really|just|always|totally|absolutely)\s+)*(?:(?:is|are)\s+(?:totally\s+|definitely\s+|absolutely\s+|so\s+)?(?:my\s+(?:thing|jam|passion|weakness|guilty\s+pleasure|happy\s+place|cup\s+of\s+tea)|right\s+up\s+my\s+(?:alley|street))|makes?\s+me\s+(?:so\s+|really\s+)?happy|(?:has|have)\s+(?:really\s+)?grown\s+on\s+me|relaxes\s+me|calms\s+me(?:\s+down)?|cheers\s+me\s+up|fascinates?\s+me)\b",
        ),
    )
)
_NO_TOPIC_EN = lazy_pattern(
    r"^(?:it|this|that|these|those|he|she|they|you|we|what|which|who|there|nothing|everything|something|anything|people|someone|the\s+(?:way|fact|idea|thing|whole)|when|if|how|so|and|but|my\s+(?:boss|wife|husband|kids?|sister|brother|mother|father|neighbou?r|colleague)|your|his|her|their|i)\b",
    re.IGNORECASE,
)
_FOUND_BAD = lazy_pattern(
    r"\s+(?:annoying|irritating|disgusting|boring|unbearable|awful|horrible|gross|revolting|tedious|stressful|exhausting|terrible)\b.*$",
    re.IGNORECASE,
)
_NOT_LASTING_EN = lazy_pattern(
    r"^(?:is|are|was|yourself|yourselves|and|to\s+you|life\b|every\s+\w+\s+of|it|this|that|these|those|your|you|the\s+(?!ocean|sea|beach|mountains?|outdoors|countryside|theat|cinema|gym|cold|heat|city|rain|snow)|all\s+(?:this|that|these)|being\s+here|waiting|to\s+(?:hear|see))\b",
    re.IGNORECASE,
)
_ADVERB_ZH = r"(?:其实|其實|真的|真|是真的|是真|也|都|还|就|更|一直|一向|从来|從來|从小|向来|现在|平时|平常|完全|实在|實在|确实|根本|一点|一點|最|超|特别|特別|非常|很|太|挺|有点|比较|是|个人|始终|怎么都|怎麼都|有些|对)*"
_BAD_ZH = r"(?:不喜欢|不喜歡|不爱[吃喝看听玩]?|不愛[吃喝看聽玩]?|讨厌|討厭|受不了|烦|煩|反感|接受不了|接受无能|看不了|看不下去|听不了|吃不惯|吃不慣|吃不下去?|吃不来|喝不惯|喝不来|喝不了|用不惯|忍不了|忍受不了|没兴趣|沒興趣|不感兴趣|不感興趣|不感冒|无感|没感觉|欣赏不来|欣賞不來|不吃(?!了)|不喝(?!了)|不碰|敬谢不敏|害怕|怕|头疼|无法接受|不能接受|不习惯|不太行|喜欢不起来|从不碰|不沾|避之不及)"
_GOOD_ZH = r"(?:喜欢|喜歡|爱[吃喝看听玩]?|愛[吃喝看聽玩]?|热爱|着迷|痴迷|沉迷|上瘾|百吃不厌|百看不厌|百听不厌|情有独钟|感兴趣|感興趣|没有?抵抗力|欲罢不能|离不开|很上头)"
_TOPIC_ZH = r"(?:^|[，,。；;])(?:说实话|说真的|老实说|还有|另外|而且|至于)?[，,]?(?P<topic>[^，,。；;我你他她它这那\n]{1,14}?)(?:这种|这类|这东西|这玩意|那种|这些|之类的|什么的|的话|呢|啊|，|,)*"
_TOPIC_FIRST_ZH: tuple[tuple[Attitude, re.Pattern[str]], ...] = (
    (
        "dislikes",
        lazy_pattern(rf"{_TOPIC_ZH}我(?:个人|们)?{_ADVERB_ZH}{_BAD_ZH}(?:的|了|啊|呀)*(?=[，,。.！!；;]|$)"),
    ),
    (
        "likes",
        lazy_pattern(rf"{_TOPIC_ZH}我(?:个人|们)?{_ADVERB_ZH}{_GOOD_ZH}(?:的|了|啊|呀)*(?=[，,。.！!；;]|$)"),
    ),
)
_CHINESE: tuple[tuple[Attitude, re.Pattern[str]], ...] = (
    (
        "dislikes",
        lazy_pattern(
            r"(?:我|本人)(?:个人|从来|一向|真的|也|其实|实在|现在|一直)*(?:对|對)(?P<object>[^，,。！!？?；;\n]{1,14}?)(?:这种|这类)?(?:真的|实在|完全|一直|也|都|是|就|很|比较|特别|一点)*(?:没兴趣|沒興趣|没什么兴趣|没有兴趣|不感兴趣|不感興趣|不感冒|无感|没感觉|反感|不来电|喜欢不起来|(?:早就|已经|有点)*[腻厌]了)"
        ),
    ),
    (
        "dislikes",
        lazy_pattern(
            rf"(?:我|^|[，,]){_ADVERB_ZH}(?:接受不了|不(?:太)?能(?:接受|忍|吃惯)|吃不惯|吃不慣|吃不来|喝不惯|看不了|看不惯|听不惯|忍不了|欣赏不来|用不惯|最怕|很怕|(?:真的?|有点|特别|一直)*(?:很)?怕(?!不)|害怕|懒得碰|不怎么(?:吃|喝|看|听|玩)|尽量避免|避开|不待见)(?P<object>[^，,。！!？?；;\n]{{1,14}})"
        ),
    ),
    (
        "likes",
        lazy_pattern(
            rf"(?:我|本人|^|[，,]){_ADVERB_ZH}(?:迷恋|痴迷于?|沉迷于?|着迷于?|钟情于?|热衷于?|酷爱|喜爱|独爱|好(?=[吃喝看](?:甜|辣|酒|茶))|偏好|特爱|超爱|贼喜欢|巨喜欢|就好|就爱|就喜欢)(?P<object>[^，,。！!？?；;\n]{{1,14}})"
        ),
    ),
    (
        "likes",
        lazy_pattern(
            r"(?:我|本人)(?:个人|从来|一向|真的|也|其实|现在|一直|从小|就)*(?:对|對)(?P<object>[^，,。！!？?；;\n]{1,14}?)(?:这种|这类)?(?:真的|完全|一直|也|都|是|就|很|非常|特别|比较|挺|蛮)*(?:感兴趣|感興趣|有兴趣|有興趣|着迷|情有独钟|没有?抵抗力|上瘾|上头)"
        ),
    ),
    (
        "likes",
        lazy_pattern(
            r"(?:比起|相比|跟|和)(?P<other>[^，,。]{1,10}?)(?:相比|来说|来讲)?[，,]?\s*我(?:还是|更|比较|其实|会|倒是)*(?:更|比较)?(?:喜欢|喜歡|偏爱|爱|偏好|倾向于?)(?P<object>[^，,。！!？?；;\n]{1,14})"
        ),
    ),
)
_FELT_ZH = lazy_pattern(
    r"我(?:一直|真的|总)?(?:觉得|感觉|認為|认为)(?P<object>[^，,。！!？?；;\n这那你他她它]{2,12}?)(?:真的|特别|很|非常|太|好|超级|实在|挺)*(?P<how>烦|烦人|讨厌|恶心|难吃|难喝|无聊|没意思|折磨人?|好吃|好喝|有意思|很香|享受)(?:了|的|死了)*(?=[，,。！!；;]|$)"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the attitude the sentence shows, at most one of each kind."""
    if statement.chinese:
        yield from list(_chinese(statement)) or _felt(statement)
    elif statement.english:
        yield from _english(statement)


def _english(statement: Statement) -> Iterator[Found]:
    for attitude, pattern in _ENGLISH:
        if match := pattern.search(statement.text):
            wanted = next(value for value in match.groupdict().values() if value)
            finds = (
                re.search(r"\bfind\s+$", statement.text[: match.start("object3")], re.IGNORECASE)
                if "object3" in match.groupdict() and match["object3"]
                else None
            )
            if finds and not _FOUND_BAD.search(wanted):
                continue
            topic = (
                ""
                if _NOT_LASTING_EN.match(wanted)
                else object_en(_FOUND_BAD.sub("", wanted) if finds else wanted)
            )
            if topic and not _NO_TOPIC_EN.match(topic):
                yield from _attitude_en(attitude, topic, match.span())
                return
    for attitude, pattern in _ABOUT_EN:
        match = pattern.search(statement.text)
        topic = object_en(match["topic"]) if match and not _NO_TOPIC_EN.match(match["topic"]) else ""
        if match and topic:
            is_name = topic[1:2].isupper() or not topic[:1].isupper()
            yield from _attitude_en(
                attitude, topic if is_name else topic[0].lower() + topic[1:], match.span()
            )
            return


def _attitude_en(attitude: Attitude, topic: str, span: tuple[int, int]) -> Iterator[Found]:
    topic = without_my(topic)
    yield from _attitude(attitude, topic, f"The user {attitude} {topic}.", span)


def _chinese(statement: Statement) -> Iterator[Found]:
    for attitude, pattern in (*_CHINESE, *_TOPIC_FIRST_ZH):
        match = pattern.search(statement.text)
        if not match:
            continue
        groups = match.groupdict()
        told = re.sub(r"(?:什么的|之类的?|这种|这类)$", "", groups.get("object") or groups.get("topic") or "")
        too = "太" if told.startswith("太") else ""
        wanted = object_zh(told.removeprefix("太"))
        wanted = wanted and f"{too}{wanted}"
        if not wanted or re.search(r"方案|计划|第[一二三四五\d]+[段张个条页版句]", wanted):
            continue
        topic = topic_zh(wanted)
        yield from _attitude(
            attitude, topic, f"{statement.user}{_verb(attitude, statement)}{wanted}", match.span()
        )
        return


def _felt(statement: Statement) -> Iterator[Found]:
    """我觉得视频会议特别烦: what is found good or bad in general."""
    if match := _FELT_ZH.search(statement.text):
        wanted = object_zh(match["object"])
        if wanted and not re.search(r"方案|今天|昨天|刚才|上次|文章|报告", wanted):
            good = re.search(r"好|有意思|香|享受", match["how"])
            attitude: Attitude = "likes" if good else "dislikes"
            content = f"{statement.user}{_verb(attitude, statement)}{wanted}"
            yield from _attitude(attitude, topic_zh(wanted), content, match.span())


def _verb(attitude: Attitude, statement: Statement) -> str:
    likes = "喜歡" if statement.sentence.is_traditional else "喜欢"
    return likes if attitude == "likes" else f"不{likes}"


def _attitude(attitude: Attitude, topic: str, content: str, span: tuple[int, int]) -> Iterator[Found]:
    yield field_found("preferences", "attitude", attitude, span, subject=topic, confidence=0.85)
    yield item_found(content, span, attribute=topic, value=attitude, entities=(topic,))
