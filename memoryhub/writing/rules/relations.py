"""Relations of a turn: what its candidates imply (orders, parcels, likings), and what it says of things directly.

Pure. Kinds of things are guesses where words do not tell them (`loose`), so that 'coffee' is one thing whoever speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import Extraction, FormCandidate, Importance, RelationCandidate, Turn
from memoryhub.writing.masking import MASK
from memoryhub.writing.rules.refusals import sentence_refusal
from memoryhub.writing.screening import sentence_code
from memoryhub.writing.sentences import Sentence, split_sentences
from memoryhub.writing.transcripts import only_the_owner

ATTITUDES = {"likes": "prefers", "dislikes": "dislikes"}
OPEN_ORDER = "open_order"
"""Flag of a relation that starts at the order which the session is about: settling looks it up."""

_MOST = 8
_ZH = r"[A-Za-z\d\u3400-\u9fff·-]{1,14}?"
_EN = r"[A-Za-z\d][\w'’-]*(?:\s+[A-Za-z\d][\w'’-]*){0,3}?"
_MINE_ZH, _MINE_EN = r"(?:我的?|我们的?|我买的|你们的?|家里的?)", r"(?:my|our|the|your|this|that)"
_BROKEN_ZH = r"(?:又|总是?|一直|经常|突然|已经|昨天|今天|这两天|最近)*(?:坏了|出(?:了|现)?(?:点|些)?(?:问题|故障|毛病)|有(?:点|些)?(?:问题|故障|毛病)|不能用|用不了|漏水|死机|卡顿|发烫|开不了机|黑屏|不工作)"
_BROKEN_EN = (
    r"(?:is|are|was|keeps?|has|have|got|just|still|really|always|stopped|does|do|did|won['’]t|doesn['’]t|don['’]t|isn['’]t|can['’]t|not|\s)+"
    r"\s*(?:broken|broke|leak(?:s|ing)?|crash(?:es|ing|ed)?|faulty|defective|overheat(?:s|ing)?|work(?:s|ing)?\s+(?:properly|any\s?more)|turn(?:ing)? on|start(?:ing)?)\b"
)
_SAID: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("experienced", "open", lazy_pattern(rf"(?:我要|我想|想要|我)?(?:投诉|抱怨)(?:一下)?(?:{_MINE_ZH})?(?P<to>{_ZH})(?:这个产品|的问题|质量|$|[，,。！!])")),
    ("experienced", "open", lazy_pattern(rf"(?:^|[，,。])\s*{_MINE_ZH}(?P<to>{_ZH}){_BROKEN_ZH}")),
    ("experienced", "open", lazy_pattern(rf"\b(?:complain(?:t|ing|ed)?\s+about|(?:a\s+|an\s+)?(?:problems?|issues?|trouble)\s+with)\s+(?:{_MINE_EN}\s+)?(?P<to>{_EN})(?=[,.;!?]|\s+(?:because|since|and|again|it|that|which|as)\b|$)", re.IGNORECASE)),
    ("experienced", "open", lazy_pattern(rf"\b(?:my|our)\s+(?P<to>{_EN})\s+(?=(?:is|are|was|keeps?|has|won['’]t|doesn['’]t|don['’]t|stopped|just|still)\b){_BROKEN_EN}", re.IGNORECASE)),
    ("experienced", "solved", lazy_pattern(rf"(?:^|[，,。])\s*(?:{_MINE_ZH})?(?P<to>{_ZH})(?:的?(?:问题|故障|投诉))?(?:已经|终于|都)?(?:修好了?|解决了|处理好了|恢复正常)")),
    ("experienced", "solved", lazy_pattern(rf"\b(?:{_MINE_EN}\s+)?(?:(?:problem|issue|complaint)\s+with\s+(?:{_MINE_EN}\s+)?)?(?P<to>{_EN})\s+(?:is|has\s+been|was|got)\s+(?:finally\s+|now\s+)?(?:fixed|resolved|solved|repaired|working\s+again)\b", re.IGNORECASE)),
    ("contains", "", lazy_pattern(rf"(?:^|[，,。])\s*(?P<from>{_ZH})(?:里面?|中)?(?:都|也)?(?:包含|含有?|加了)(?P<to>{_ZH})(?=[，,。！!；;的]|$)")),
    ("contains", "", lazy_pattern(rf"\b(?:an?\s+|the\s+)?(?P<from>{_EN})\s+(?:contains?|is\s+made\s+with|has\s+got)\s+(?:some\s+)?(?P<to>{_EN})(?=[,.;!]|\s+(?:and|so|which|but)\b|$)", re.IGNORECASE)),
    ("belongs_to", "", lazy_pattern(rf"(?:^|[，,。])\s*(?P<from>{_ZH})属于(?P<to>{_ZH})(?:类别?|类产品|分类|品类)?(?=[，,。！!；;]|$)")),
    ("belongs_to", "", lazy_pattern(rf"\b(?:the\s+)?(?P<from>{_EN})\s+belongs?\s+to\s+(?:the\s+)?(?P<to>{_EN})(?:\s+category)?(?=[,.;!]|$)", re.IGNORECASE)),
    ("works_on", "", lazy_pattern(rf"(?:^|[，,。])\s*(?P<from>我|{_ZH})(?:在|现在|目前|正在|主要)*(?:负责|参与|跟进)(?:做)?(?P<to>{_ZH})(?:这个)?项目(?=[，,。！!；;]|$)")),
    ("works_on", "", lazy_pattern(r"\b(?P<from>I|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)(?:['’]m|\s+am|\s+is)?\s+(?:now\s+|currently\s+)?(?:works?|working)\s+on\s+(?:the\s+)?(?:project\s+(?P<to>[A-Z][\w-]*)|(?P<to2>[A-Z][\w-]*)\s+project)\b")),
)  # fmt: skip
_KINDS = {
    "experienced": ("", "product"),
    "contains": ("product", "product"),
    "belongs_to": ("product", "category"),
    "works_on": ("person", "project"),
}
_NO_NAME = lazy_pattern(
    r"^(?:it|this|that|they|them|everything|something|nothing|one|i|we|you|he|she|there|what|who|problem|issue|things?"
    r"|它|这|那|这个|那个|这些|那些|什么|问题|东西|里面|其中|都|也|还|我|你|他|她|我们|你们)$|[的了吗呢]$|^(?:在|把|被|给|对|都|也|如果|任何|所有|每|凡)|[不没别勿禁]|无|能|应该|必须|需要|推荐|希望|想"
    r"|\b(?:not|never|no|cannot|can|must|should|would|could|may|any|every|all|if|when)\b|n['’]t\b",
    re.IGNORECASE,
)
_SERVICES = lazy_pattern(
    r"服务|客服|配送|物流|售后|维修|快递|service|support|delivery|courier", re.IGNORECASE
)
_OWN_ORDER = lazy_pattern(
    r"我的?(?:订单|快递|包裹|单)|我(?:刚|昨天|今天)?(?:下单|下了|订了|买了)|\b(?:my\s+(?:\w+\s+)?order|i\s+(?:just\s+)?ordered|i\s+placed)",
    re.IGNORECASE,
)


def relations_in(turn: Turn, read: Extraction) -> tuple[RelationCandidate, ...]:
    """What the turn says of how things are related; nothing of what is no statement of the owner's."""
    if turn.role not in {"user", "staff"} or any(refusal.code in _NOT_MEANT for refusal in read.refusals):
        return ()
    found = [*_implied(read, turn), *_said(turn)] if turn.role == "user" else [*_said(turn)]
    unique = {
        (each.relation, each.from_name.casefold(), each.to_name.casefold(), each.value): each
        for each in found
    }
    return tuple(unique.values())[:_MOST]


_NOT_MEANT = frozenset({"joke", "taken_back", "foreign_text", "story", "quoted_text", "translation"})


def _implied(read: Extraction, turn: Turn) -> Iterator[RelationCandidate]:
    values = [each for each in read.candidates if isinstance(each, FormCandidate) and each.operation == "set"]
    parcels = {str(each.value) for each in values if each.field == "tracking_number"}
    for each in values:
        if (each.form_type, each.field) == ("preferences", "attitude") and each.value in ATTITUDES:
            yield _like(
                each, relation=ATTITUDES[each.value], to_kind="preference", to_name=each.subject, loose=True
            )
        elif each.form_type == "order":
            yield from _of_order(each, parcels, turn)


def _of_order(each: FormCandidate, parcels: set[str], turn: Turn) -> Iterator[RelationCandidate]:
    value, subject = str(each.value), each.subject
    if each.field == "tracking_number":
        is_open = subject in ("", value)
        start = {"from_kind": "order", "from_name": "" if is_open else subject}
        flags = (OPEN_ORDER,) if is_open else ()
        yield _like(each, relation="has_tracking", to_kind="parcel", to_name=value, flags=flags, **start)
        return
    name = subject or (next(iter(parcels)) if len(parcels) == 1 else "")
    relation = {"status": "has_status", "expected_arrival": "expected_arrival"}.get(each.field)
    if relation and name:
        kind = "parcel" if name in parcels else "order"
        yield _like(each, relation=relation, from_kind=kind, from_name=name, value=value)
    if subject and subject not in parcels and _OWN_ORDER.search(turn.text):
        yield _like(each, relation="placed", to_kind="order", to_name=subject)


def _like(each: FormCandidate, *, relation: str, **columns: object) -> RelationCandidate:
    """A relation that rests on the same words, and is meant as surely, as a form value."""
    candidate = RelationCandidate(
        relation=relation,
        quote=each.quote,
        quote_start=each.quote_start,
        confidence=each.confidence,
        basis=each.basis,
        explicit_correction=each.explicit_correction,
        world_change=each.world_change,
        valid_from=each.valid_from,
        valid_until=each.valid_until,
        flags=tuple(flag for flag in each.flags if flag in ("instruction_like", "quote_not_in_event")),
    )
    given = dict(columns)
    given["flags"] = (*candidate.flags, *(given.pop("flags", ()) or ()))  # type: ignore[misc]
    return replace(candidate, **given)  # type: ignore[arg-type]


def _said(turn: Turn) -> Iterator[RelationCandidate]:
    readable = only_the_owner(turn.text)
    for sentence in split_sentences(readable):
        text = sentence.text
        if MASK in text or sentence_refusal(text) or sentence_code(sentence) in {"question", "vague_pointer"}:
            continue
        for relation, resolution, pattern in _SAID:
            for match in pattern.finditer(text):
                if made := _made(relation, resolution, match, sentence):
                    yield made


def _made(
    relation: str, resolution: str, match: re.Match[str], sentence: Sentence
) -> RelationCandidate | None:
    groups = match.groupdict()
    start = _name(groups.get("from") or "")
    end = _name(groups["to"] or groups.get("to2") or "")
    from_kind, to_kind = _KINDS[relation]
    is_owner = relation == "experienced" or groups.get("from") in ("我", "I")
    if not end or not (is_owner or start) or start.casefold() == end.casefold():
        return None
    if relation == "experienced" and _SERVICES.search(end):
        to_kind = "service"
    return RelationCandidate(
        relation=relation,
        from_kind="" if is_owner else from_kind,
        from_name="" if is_owner else start,
        to_kind=to_kind,
        to_name=end,
        resolution=resolution,
        loose=True,
        quote=match[0].strip(" ，,。"),
        quote_start=sentence.start + match.start() + len(match[0]) - len(match[0].lstrip(" ，,。")),
        confidence=0.8,
        importance=Importance(value=0.7, parts=(("default", 0.7),)),
        explicit_correction=resolution == "solved",
    )


def _name(text: str) -> str:
    name = re.sub(r"^(?:the|an?|my|our|your|this|that)\s+", "", text.strip(), flags=re.IGNORECASE).strip()
    return "" if _NO_NAME.search(name) else name
