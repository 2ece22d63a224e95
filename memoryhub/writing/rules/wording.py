"""Cutting the object out of a sentence: where it ends, what is no object at all, how a list splits."""

from __future__ import annotations

import re

from memoryhub.language.patterns import lazy_pattern

_CUT_EN = lazy_pattern(
    r"\s*(?:[,.;!?:…()\"“”~]|\s[-–—]|\b(?:because|since|but|so|when|while|if|though|although|unless|which|who|cause|cuz|until|after|before|anymore|any more|"
    r"these days|nowadays|right now|at the moment|for now|as well|too|either|tbh|imo|imho|ngl|fwiw|lol|honestly|for sure|a lot|very much|so much|the most|please|thanks|btw|by the way|from now on|instead|again|at all|to be honest|lately|recently|nowadays|"
    r"and (?:i|my|we|it|he|she|they|so|then|also|please|that|our)|as (?:i|it|they|we)|(?<!\w)now)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_CUT_ZH = lazy_pattern(
    r"(?:[，,。.！!？?；;：:、~～…（(「『“\"\n]|因为|因為|由于|由於|但是|但|不过|不過|所以|而且|然后|然後|的时候|的時候|之类).*$",
    re.DOTALL,
)
_ARTICLE = lazy_pattern(r"^(?:(?:the|a|an|any|all|some|most|both)\s+)+", re.IGNORECASE)
_VAGUE_EN = lazy_pattern(
    r"(?:it|that|this|these|those|them|they|him|her|he|she|you|your|yours|me|us|what|how|when|where|who|why|whatever|everything|anything|something|nothing|"
    r"everyone|one|ones|(?:all |many |different )?(?:kinds|sorts|types) of things|a (?:wide )?variety of|the (?:idea|way|fact|thought|sound|look|vibe|picture|photo|pic|same|one|other|first|second|latter|former|color|colour|design|message|name)|"
    r"his|their|its|our|to (?:see|hear|know|be|say|do|get|have|take|make|think|go|help|find|give|keep)|seeing|hearing|hear|see|being(?!\s+\w+(?:ed|en)\b)|having|there|here|all of|both|each|knowing|doing|getting|making|giving|helping|finding|showing)\b",
    re.IGNORECASE,
)
_VAGUE_ZH = lazy_pattern(
    r"^(?:这|這|那|它|他|她|你|您|谁|誰|什么|什麼|啥|哪|怎么|怎麼|我|咱|大家|人家|自己|了|过|過|的$|上述|以上|和你|跟你|跟他|跟她|她们|他们|某|如此|一下|一个人|不(?![\u4e00-\u9fff]{1,4}的)|没|太(?![\u4e00-\u9fff]{1,4}的)|很(?![\u4e00-\u9fff]{1,4}的)|是|得|死|坏|事$|用户|惜|护|心|情|人$|国|好的$|的|透)"
)
_POINTS_ZH = lazy_pattern(r"这|這|那[个個种種些]|(?<![吉其排])他|[她您]|你(?!好)")
_TAIL_ZH = lazy_pattern(
    r"(?:那么多|那麼多|了|啦|呢|吧|啊|呀|哦|喔|嘛|哈|的呢|而已|就行|就好|即可|好了|一点|一些|来着|得很|極了|极了)+$"
)
_LIST = lazy_pattern(
    r"\s*(?:,|，|、|;|；|/|&|\band\b|\bor\b|以及|还有|還有|及|和|跟|与|與|或)\s*", re.IGNORECASE
)
_MY = (
    (lazy_pattern(r"\bmy own\b|\bmy\b", re.IGNORECASE), "their"),
    (lazy_pattern(r"\bmyself\b", re.IGNORECASE), "themselves"),
)
_STRONG_VERB = lazy_pattern(r"^(?:看|吃|喝|听|聽|玩|穿|用|逛|读|讀|住)(?=[\u4e00-\u9fffA-Za-z]{1,})")


def object_en(text: str, *, longest: int = 8) -> str:
    """The object at the start of `text`, without its article; '' when there is none or it only points at something."""
    cut = _CUT_EN.sub("", text.strip()).strip(" '’\"")
    words = cut.split()
    if not words or len(words) > longest or len(cut) > 70 or _VAGUE_EN.match(cut):
        return ""
    bare = _ARTICLE.sub("", cut).strip()
    return (
        bare if re.search(r"[A-Za-z]{2}|\d|[\u4e00-\u9fff]", bare) and not _VAGUE_EN.fullmatch(bare) else ""
    )


def object_zh(text: str, *, longest: int = 16) -> str:
    """The object at the start of `text` up to punctuation, without closing particles; '' when it only points at something."""
    cut = _TAIL_ZH.sub("", _CUT_ZH.sub("", text.strip())).strip(" 　")
    if not cut or len(cut) > longest or _VAGUE_ZH.match(cut) or _POINTS_ZH.search(cut):
        return ""
    return cut


def topic_zh(verb_phrase: str) -> str:
    """看恐怖片 → 恐怖片: the thing without the everyday verb before it."""
    bare = _STRONG_VERB.sub("", verb_phrase)
    return bare if bare else verb_phrase


def members(text: str, *, most: int = 8) -> list[str]:
    """The members of a list: 'nuts, milk and eggs', 花生、虾和蟹."""
    parts = [part.strip(" .。,，!！的") for part in _LIST.split(text)]
    return [_ARTICLE.sub("", part) for part in parts if part][:most]


def without_my(text: str) -> str:
    """'time with my family' → 'time with their family', for a sentence about the user."""
    for pattern, other in _MY:
        text = pattern.sub(other, text)
    return text


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
