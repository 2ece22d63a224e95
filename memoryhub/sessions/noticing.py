"""What a turn of the owner says about an order, a ticket, a task: names and values, and values that are to come back. Pure.

Rules for Chinese and English. Only plain statements: a question, a joke, a wish or a maybe changes nothing. A sentence without a
code is about the context the turn named before it, else about the one that was spoken of last (`current`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memoryhub.language.fence import blank_recalled_blocks
from memoryhub.language.masking import MASK, mask_secrets
from memoryhub.language.patterns import lazy_pattern
from memoryhub.sessions.contexts import Mention, context_of, named_in
from memoryhub.sessions.names import ANY_EN, ANY_ZH, SLOT_NAMES, matched_name, names_in
from memoryhub.writing.rules.refusals import sentence_refusal, turn_is_joke
from memoryhub.writing.rules.statement import is_correction
from memoryhub.writing.screening import hesitates, sentence_code
from memoryhub.writing.sentences import split_sentences
from memoryhub.writing.transcripts import only_the_owner

LONGEST_VALUE = 120

_SET_ZH = lazy_pattern(
    rf"(?:把)?(?:{ANY_ZH})(?:现在|還是|还是|先|就|请|帮我|已经|也)*(?:改成了?|改为了?|改為|改到|改回(?:到|成)?|换成了?|換成|换到|换回(?:到)?|更新为|更正为|变成|定为|是|为|為|：|:)\s*"
    r"(?P<value>[^，,。！!？?；;\n]{1,120})"
)
_SET_EN = lazy_pattern(
    rf"\b(?:change|set|update|make|switch|correct)\s+(?:the\s+|its?\s+|my\s+)?(?:{ANY_EN})\b(?P<between>[^.;!?\n]{{0,40}}?)\s+(?:back\s+)?to\s+(?P<value>[^.;!?\n]{{1,120}})",
    re.IGNORECASE,
)
_IS_EN = lazy_pattern(
    rf"\b(?:{ANY_EN})(?P<between>[^.;!?\n]{{0,40}}?)\s*(?:\b(?:is|should\s+be|has\s+changed\s+to|changed\s+to|changes\s+to|will\s+be)\b|:)\s*(?:now\s+|actually\s+)?(?P<value>[^;!?\n]{{1,120}})",
    re.IGNORECASE,
)
_OLD_ZH = r"(?:原来|原來|原先|之前|以前|最初|最开始|刚才|先前|旧|舊|第一个|上一个|上一版)"
_BACK_ZH = lazy_pattern(
    rf"(?:{ANY_ZH})?[^，,。！!？?；;\n]{{0,12}}?(?:改回去|改回来|換回去|换回去|换回来|恢复原样|(?:改回|换回|換回|恢复成?|恢復|用回|回到|还是用|還是用|还是按|还是(?:寄|送|发|發)(?:到|回|去)?|还是){_OLD_ZH}(?:的)?(?:那个)?(?:地址|电话|方案|值)?)(?:吧|了|就行|就好|。|$|[，,！!])"
)
_BACK_EN = lazy_pattern(
    rf"\b(?:change|switch|set|put|go|move|revert)\s+(?:the\s+|it\s+|that\s+)?(?:(?:{ANY_EN})\s+)?(?:of\s+[^.;!?\n]{{1,30}}?\s+)?back(?:\s+to\s+(?:the\s+|what\s+)?(?:old|original|previous|first|earlier|former|it\s+was)(?:\s+(?:one|value|address))?)?\s*(?:please)?[.!]?\s*$"
    r"|\b(?:use|keep|restore)\s+the\s+(?:old|original|previous|first|earlier|former)\s+(?P<kept>address|one|phone|plan)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = lazy_pattern(
    r"(?:他|她)们?的|(?:朋友|同事|[爸妈哥姐弟妹]|老公|老婆|室友|邻居)(?:那边)?的|\b(?:his|her|their|\w+['’]s)\s+(?:order|ticket|parcel|tracking|case)",
    re.IGNORECASE,
)
_WAVED_OFF = lazy_pattern(
    r"(?:不用|别|不要|不必|无需)(?:管|理|查|看|处理)|忽略|与(?:我|这)无关|自己(?:会|去)?(?:查|处理|问)|\b(?:ignore|disregard|never\s+mind|leave)\s+(?:that|it|this)|\b(?:will|['’]ll)\s+(?:check|handle|sort)\b[^.;]{0,12}\b(?:himself|herself|themselves)",
    re.IGNORECASE,
)
_POINTED = r"(?:(?:我|你|咱们)?(?:刚才|刚刚|之前|上面)?(?:说|提)?(?:的|过的)?|那个|这个)"
_REMOVE = (
    lazy_pattern(
        rf"(?:取消|作废|撤销|撤掉|删掉|去掉)(?:掉|了)?{_POINTED}[^，,。！!？?；;\n]{{0,16}}?(?:{ANY_ZH})(?:吧|了|。|$|[，,！!])"
    ),
    lazy_pattern(rf"(?:{ANY_ZH})(?:先)?(?:取消|作废|撤销|撤掉|删掉|去掉|不要了)(?:掉|吧|了|。|$|[，,！!])"),
    lazy_pattern(
        rf"\b(?:cancel|drop|forget|remove|scrap)\s+(?:the\s+|that\s+|this\s+)(?:{ANY_EN})\b", re.IGNORECASE
    ),
)
_KEPT = {"address": "address", "phone": "phone", "plan": "plan"}
# What is said about a value and is none: the address is wrong, 地址不对.
_NO_VALUE = lazy_pattern(
    r"(?:all\s+|completely\s+|still\s+)?(?:wrong|incorrect|missing|invalid|different|unknown|outdated|the\s+same\b.*|not\b.*|never\b.*|right|correct|fine|okay|ok|good)"
    r"|(?:错|錯|不对|不對|有误|有誤|有问题|不是|没|沒|什么|什麼|多少|哪|谁|誰|一样|不变|不變).*|.*(?:还是|還是|或者|\bor\b).*",
    re.IGNORECASE,
)
# A code without its word, as X5: it names a context only when the session has one of that name.
_BARE_CODE = lazy_pattern(
    r"(?<![A-Za-z\d])(?=[A-Za-z\d-]*\d)(?=[A-Za-z\d-]*[A-Za-z])[A-Za-z\d][A-Za-z\d-]{1,30}(?![A-Za-z\d-])"
)
NAMED_ONLY = "?"
"""The kind of a context of which only the name was said."""
_OWN = lazy_pattern(r"我们?的|我家|家里|\bmy\b|\bour\b", re.IGNORECASE)
_TAIL_ZH = lazy_pattern(r"(?:吧|了|的|哦|啊|呀|谢谢|谢谢你|，.*)+$")
_TAIL_EN = lazy_pattern(
    r"(?:,?\s+(?:please|thanks|thank\s+you|now|instead|then)|\.\s.*|[.,]|\s+for\s+(?:order|ticket|task|parcel)\s+\S+)+\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Noticed:
    """`mention`: only the context's code was said; `remove`: the value holds no longer and nothing holds instead; `misnamed`: the
    context of `value` was meant when this one was named.

    `quote` is an exact part of the turn's text.
    """

    kind: Literal["mention", "set", "restore", "remove", "misnamed"]
    context: str
    name: str
    value: str = ""
    quote: str = ""


def notice(text: str, *, current: str = "") -> list[Noticed]:
    """Everything a turn says, in order; `current` is the context spoken of last, '' when there is none."""
    readable = only_the_owner(mask_secrets(blank_recalled_blocks(text))[0])
    if turn_is_joke(readable):
        return []
    found: list[Noticed] = []
    about = current
    for sentence in split_sentences(readable):
        mentions = [] if _is_waved_off(sentence.text) else named_in(sentence.text)
        found += [
            Noticed(kind="mention", context=mention.context, name="number", quote=sentence.text)
            for mention in mentions
        ]
        if about and len(mentions) == 1 and _corrects_a_number(sentence.text):
            meant = mentions[0].context
            found.append(
                Noticed(kind="misnamed", context=about, name="number", value=meant, quote=sentence.text)
            )
        if _is_plain(sentence.text) and sentence_code(sentence) is None:
            found += _said(sentence.text, mentions, about)
        about = mentions[-1].context if mentions else about
    return list(dict.fromkeys(found))


def _corrects_a_number(text: str) -> bool:
    """说错了，订单号是…: what was wrong is the number, for the sentence speaks of nothing else."""
    return is_correction(text) and not names_in(text, SLOT_NAMES.keys() - {"number"})


def _is_waved_off(text: str) -> bool:
    """她的订单号是…，这个不用管: somebody else's, and not what the conversation is about."""
    return bool(_OF_ANOTHER.search(text) and _WAVED_OFF.search(text))


def _is_plain(text: str) -> bool:
    return MASK not in text and not sentence_refusal(text) and not hesitates(text)


def _said(text: str, mentions: list[Mention], about: str) -> Iterator[Noticed]:
    if back := _BACK_ZH.search(text) or _BACK_EN.search(text):
        context = _context_at(mentions, back.end(), _meant(text, mentions, about))
        kept = back.groupdict().get("kept")
        name = matched_name(back) or _KEPT.get(kept or "", "") or _only_name(text)
        if context:
            yield Noticed(kind="restore", context=context, name=name, quote=text)
        return
    if gone := next((match for pattern in _REMOVE if (match := pattern.search(text))), None):
        context = _context_at(mentions, gone.end(), _meant(text, mentions, about))
        if context:
            yield Noticed(kind="remove", context=context, name=matched_name(gone), quote=text)
        return
    taken: list[tuple[int, int]] = []
    for pattern in (_SET_ZH, _SET_EN, _IS_EN):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            yield from _set(match, text, mentions, about)


def _only_name(text: str) -> str:
    """The one name a sentence speaks of, '' when it is none or several."""
    named = names_in(text, SLOT_NAMES.keys() - {"number"})
    return named.pop() if len(named) == 1 else ""


def _set(match: re.Match[str], text: str, mentions: list[Mention], about: str) -> Iterator[Noticed]:
    between = match.groupdict().get("between") or ""
    inner = [
        mention for mention in mentions if between and match.start() <= mention.start < match.start("value")
    ]
    if not mentions and _OWN.search(text[: match.end()]):
        return  # his own address, not the order's
    about = _meant(text[: match.start("value")] + " " + text[match.end("value") :], mentions, about)
    context = inner[-1].context if inner else _context_at(mentions, match.start(), about)
    tail = _TAIL_ZH if re.search(r"[\u3400-\u9fff]", match["value"]) else _TAIL_EN
    value = tail.sub("", match["value"].strip()).strip(" \"'“”「」")
    name = matched_name(match)
    if context and value and name != "number" and not _NO_VALUE.fullmatch(value):
        yield Noticed(kind="set", context=context, name=name, value=value, quote=text)


def _meant(text: str, mentions: list[Mention], about: str) -> str:
    """What a sentence that names no context is about: a bare code in it, else what was spoken of last."""
    code = None if mentions else _BARE_CODE.search(text)
    return context_of(NAMED_ONLY, code[0]) if code else about


def _context_at(mentions: list[Mention], place: int, about: str) -> str:
    """The context named last before a place in the sentence; else the only one named in it; else what it is about anyway."""
    before = [mention.context for mention in mentions if mention.start <= place]
    if before:
        return before[-1]
    named = {mention.context for mention in mentions}
    return named.pop() if len(named) == 1 else ("" if named else about)
