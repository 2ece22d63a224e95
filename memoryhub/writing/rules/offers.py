"""An offer that is turned down by its name: 优惠券就不要了, 'no, we don't want a pool' right after it was proposed.

Only what the turn before offered counts; what is not wanted otherwise is no option that anybody put forward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Statement

_OFFERS = lazy_pattern(
    r"[?？]|要不|可以给|建议|推荐|不如|给您(?:发|送|安排|换|做|加)|为您|\b(?:how\s+about|what\s+about|would\s+you\s+like|we\s+(?:can|could)|i\s+(?:can|could)|you\s+(?:can|could|might)|shall\s+(?:i|we)|maybe|perhaps|suggest|recommend|option|offer)\b",
    re.IGNORECASE,
)
_TURNED_DOWN_ZH = lazy_pattern(
    r"(?:^|[，,。！!])(?:好意心领了?[，,]|谢谢[，,])?(?:那个?|这个?|你说的|您说的)?(?P<a>[\u4e00-\u9fff]{2,10}?)(?:我|我们)?(?:就|还是|也|先|真的|倒|暂时)*(?:不要了?|不用了?|不需要了?|不必了?|算了|免了|不考虑了?|没必要|没兴趣|不接受)(?:吧)?(?=[，,。！!]|$)|"
    r"(?:^|[，,。！!])(?:我们|我|还是|先|那|真|谢谢)*(?:不要|不用|不需要|不想要|不接受|不想|别|不做|不考虑|用不着|拒绝)(?:再)?(?P<b>[\u4e00-\u9fff]{2,10}?)(?:了|吧|啦)*(?=[，,。！!]|$)"
)
_LEAD_ZH = lazy_pattern(r"^(?:给我|帮我|再|安排|发|送|用|做|加|换|要|上门|什么|搞|弄)+(?=[\u4e00-\u9fff]{2})")
_TURNED_DOWN_EN = lazy_pattern(
    r"(?:(?:^|[,;.]\s*)(?:(?:no|nah|thanks?|thank\s+you|sorry|please)[,.\s]+)*(?:no|not|skip|forget|leave\s+out|without|drop)|\b(?:don['’]t|do\s+not|won['’]t|wouldn['’]t|not\s+going\s+to)\s+(?:really\s+)?(?:want|need|like|take|have|do)|\bno\s+need\s+for|\b(?:pass|passing)\s+on|\brather\s+not\s+(?:have|do|take))\s+(?:to\s+(?:have|do|take|get)\s+)?(?:(?:a|an|the|any|your|that|another)\s+)?(?P<c>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}?)(?=\s*(?:[,.;!]|$)|\s+(?:please|though|thanks|either|for|at|because|right|now|here|in)\b)",
    re.IGNORECASE,
)
_NO_OFFER_EN = lazy_pattern(
    r"^(?:thanks?|problem|worr(?:y|ies)|idea|need|way|doubt|matter|rush|hurry|one|it|that|this|more|longer|need|sure|yet|really|yes|no)\b",
    re.IGNORECASE,
)


def refused_offers(statement: Statement) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what the turn before offered and this sentence turns down, with its place in the sentence."""
    before = next((turn for turn in reversed(statement.heard) if turn != statement.turn_text), "")
    if not before or not _OFFERS.search(before):
        return
    pattern = _TURNED_DOWN_ZH if statement.chinese else _TURNED_DOWN_EN
    for match in pattern.finditer(statement.text):
        told = next(group for group in match.groups() if group).strip()
        offer = next(
            (each for each in (told, _LEAD_ZH.sub("", told)) if each.casefold() in before.casefold()), ""
        )
        if offer and not _NO_OFFER_EN.match(offer):
            yield offer, match.span()
