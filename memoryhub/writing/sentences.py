"""A turn cut into sentences and clauses that keep their places in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memoryhub.language.patterns import lazy_pattern

MAX_SENTENCE = 300
"""Longer runs are cut: nobody states a fact in one sentence of more, and rule patterns stay fast on hostile text."""
MAX_SENTENCES = 300

# A dot ends a sentence only before a space or the end, so Node.js, 27.1 and a@b.org stay whole; 'Mr.' and 'e.g.' do not end one.
_SENTENCE = lazy_pattern(
    r"(?:[^。！？!?；;\n.]|\.(?!\s|$)|(?:(?<=\bMr)|(?<=\bMs)|(?<=\bDr)|(?<=\bMrs)|(?<=\bSt)|(?<=\bvs)|(?<=\be\.g)|(?<=\bi\.e)|(?<=\bno)(?=\.\s+(?:for|of|is|#|[A-Z]{0,6}\d))|(?<=\b[A-Z]))\.)+"
    r"[。！？!?；;.…]*[”’\"'」』）)]*"
)
_CJK = lazy_pattern(r"[\u3400-\u9fff\uf900-\ufaff]")
_CLAUSE = lazy_pattern(
    r"[，,、；;:：]\s*|\s+(?:but|and(?= (?:i|my|we|our|the|she|he|they)\b))\s+|\s[-–—]+\s|——", re.IGNORECASE
)
_QUESTION_START = lazy_pattern(
    r"\s*(?:(?:and|but|so|hey|hi|ok|well|also|wow|oh|hm+|thanks|by the way|btw)[\s,]+)*"
    r"(?:what|who|whom|whose|where|when|why|how|which|do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may|have|has|had|"
    r"isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|won['’]t|any|anything|what['’]s|how['’]s|who['’]s|where['’]s)\b(?!\s+(?:i\s+(?:love|like|hate|want|need|mean)|a\s+(?:great|nice|lovely)))",
    re.IGNORECASE,
)
_QUESTION_WORD = lazy_pattern(
    r"[吗嗎么麼](?:[？?\s]*$)|[吗嗎](?:[，,？?])|(?<!有)什么(?!的(?:我|都|，))|有什么(?![^，,。？?]{0,8}(?:发|打|请|就|告诉|通知|联系|找|给|随时|都))|什麼(?!的(?:我|都|，))|怎么|怎麼|怎样|怎樣|为什么|為什麼|哪[里裡儿个個些种位家天]|谁|誰|几点|几号|多少|多久|多大|是不是|该不该|值不值|可否|能否|有没有|有沒有|能不能|可不可以|会不会|要不要|好不好|对不对|行不行|知不知道|是否|何时|如何|呢[？?]?$|呢[，,]"
)
_ASKED_WITHOUT_MARK = lazy_pattern(
    r"(?:(?:and|but|so|hey|hi|ok|well)[\s,]+)?(?:(?:do|does|did|can|could|would|should|will|have|has|am|are|is|was|were)\s+(?:i|you|we|they|he|she|it|the|my|your|our|there|this|that|any)\b"
    r"|(?:what|why|how|who|where|which|whose|when)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|am|have|has))\b)",
    re.IGNORECASE,
)
# 'My deadline is Friday, right?' asks about what it seems to say.
_TAG_QUESTION = lazy_pattern(
    r"[，,。\s](?:对吧|对吗|对嘛|是吧|是吗|对不对|是不是|没错吧|没记错吧|right|correct|yes|no|isn['’]t\s+(?:it|that)|aren['’]t\s+(?:i|we)|don['’]t\s+(?:i|we)|am\s+i\s+right|is\s+that\s+(?:right|correct))[？?]+\s*$|吧[？?]+\s*$",
    re.IGNORECASE,
)
_QUESTION_END = lazy_pattern(r"[？?][”’\"'」』）)\s]*$")


@dataclass(frozen=True)
class Sentence:
    """One sentence: `text` without surrounding blanks, and where it starts in the turn."""

    text: str
    start: int

    @cached_property
    def has_chinese(self) -> bool:
        return bool(_CJK.search(self.text))

    @cached_property
    def has_english(self) -> bool:
        return bool(re.search(r"[A-Za-z]{2}|\bI\b", self.text))

    @cached_property
    def is_traditional(self) -> bool:
        return any(_only_traditional(character) for character in self.text)

    @cached_property
    def clauses(self) -> tuple[tuple[int, int], ...]:
        """(start, end) of the clauses, offsets in the sentence."""
        spans, position = [], 0
        for mark in _CLAUSE.finditer(self.text):
            spans.append((position, mark.start()))
            position = mark.end()
        spans.append((position, len(self.text)))
        return tuple(span for span in spans if span[0] < span[1])

    def clause_at(self, position: int) -> tuple[int, int]:
        for start, end in self.clauses:
            if position < end:
                return start, end
        return self.clauses[-1] if self.clauses else (0, len(self.text))

    @cached_property
    def has_statement_before_question(self) -> bool:
        """'I'm allergic to nuts, what do you suggest?': a clause before the question may still hold a fact."""
        if len(self.clauses) < 2 or _QUESTION_START.match(self.text):
            return False
        return any(not asks(self.text[start:end]) for start, end in self.clauses[:-1])

    def is_asked(self, position: int) -> bool:
        """True when what stands at `position` is part of a question."""
        if not is_question(self):
            return False
        if _TAG_QUESTION.search(self.text):
            return True
        if not self.has_statement_before_question:
            return True
        start, end = self.clause_at(position)
        return end >= self.clauses[-1][1] or asks(self.text[start:end])


@lru_cache(maxsize=16_384)
def _only_traditional(character: str) -> bool:
    """True for a character of Big5 (Taiwan, Hong Kong) that GB 2312 (simplified) does not have."""
    if not _CJK.match(character):
        return False
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return _in_big5(character)
    return False


def _in_big5(character: str) -> bool:
    try:
        character.encode("big5")
    except UnicodeEncodeError:
        return False
    return True


def asks(text: str) -> bool:
    return bool(_QUESTION_END.search(text) or _QUESTION_WORD.search(text))


def is_question(sentence: Sentence) -> bool:
    """True when the sentence, or its last clause, asks something; a question mark may be missing."""
    if _QUESTION_END.search(sentence.text) or _ASKED_WITHOUT_MARK.match(sentence.text):
        return True
    if not sentence.has_chinese:
        return False
    start, end = sentence.clauses[-1] if sentence.clauses else (0, 0)
    return bool(_QUESTION_WORD.search(sentence.text[start:end]))


_STANDING_REQUEST = lazy_pattern(
    r"以后|以後|今后|今後|往后|从现在起|每次|之后都|\b(?:from\s+now\s+on|in\s+(?:the\s+)?future|going\s+forward|always|every\s+time)\b",
    re.IGNORECASE,
)
_ASKS_TO_DO = lazy_pattern(
    r"^(?:please\s+)?(?:could|can|would|will)\s+you\b|能不能|可不可以|可以.{0,20}吗|能.{0,20}吗",
    re.IGNORECASE,
)


def is_standing_request(sentence: Sentence) -> bool:
    """'Can you reply in Italian from now on?' wants no answer: it says how to do it from now on."""
    return bool(_STANDING_REQUEST.search(sentence.text) and _ASKS_TO_DO.search(sentence.text))


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of `text`, at most `MAX_SENTENCES` of at most `MAX_SENTENCE` characters, blank ones left out."""
    sentences: list[Sentence] = []
    for match in _SENTENCE.finditer(text):
        whole, start = match[0], match.start()
        for offset in range(0, len(whole), MAX_SENTENCE):
            piece = whole[offset : offset + MAX_SENTENCE]
            stripped = piece.strip()
            if stripped.strip("。！？!?；;.…,， ”’\"'"):
                sentences.append(Sentence(stripped, start + offset + len(piece) - len(piece.lstrip())))
            if len(sentences) >= MAX_SENTENCES:
                return sentences
    return sentences
