"""What a question asks for: its words, the fields it names, the times it names, and what kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from memoryhub.language.dates import TimeExpression, find_times
from memoryhub.language.patterns import lazy_pattern
from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean
from memoryhub.language.tokens import query_tokens
from memoryhub.recall.knowing import Field
from memoryhub.sessions.contexts import is_kind_word

MOST_NAMES = 16

_CODE = lazy_pattern(r"[A-Za-z0-9]+(?:[-_/.#][A-Za-z0-9]+)+")
_CAPITALISED = lazy_pattern(r"\b[A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+)*")
_CJK = lazy_pattern(r"[\u3400-\u9fff]")

_INTENTS: dict[str, re.Pattern[str]] = {
    "history": lazy_pattern(
        r"为什么|为何|原因|怎么又|改成|改用|换成|变更|变化|变过|改过|之前|以前|从前|原来|原先|曾经|历史"
        r"|\bwhy\b|\breason|\bchanged?\b|\bhistory\b|\bbefore\b|\bused to\b|\bprevious|\bearlier\b|\bformer|\bswitch",
        re.IGNORECASE,
    ),
    "recent": lazy_pattern(
        r"最近|近来|刚才|刚刚|这几天|近况|发生了什么|\brecent|\blately\b|\bjust now\b|\blatest\b|\bwhat happened\b|\bwhat's new\b",
        re.IGNORECASE,
    ),
    "timeline": lazy_pattern(
        r"做了什么|做过什么|干了什么|发生了?什么|有什么事|决策|决定了?|做了哪些|哪些事|有哪些变化"
        r"|\bwhat happened\b|\bdecisions?\b|\bdecided?\b|\bwhat did (?:i|we|you|they)\b|\bwhat went on\b|\bwhat changed\b",
        re.IGNORECASE,
    ),
    "promise": lazy_pattern(
        r"派单|承诺|答应|说好|进度|处理了|安排了|退款|\bpromis|\bdispatch|\brefund|\bfollow.?up|\bdid you\b|\bhave you\b",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """`fields` maps a field to the alias that named it; `names` are what the entity leg looks for, spelt as asked.

    `searched` are words that its pointers stand for, `pointed` the events and values they point at (recall.pointers).
    """

    text: str
    folded: str
    tokens: tuple[str, ...]
    fields: Mapping[UUID, str]
    times: tuple[TimeExpression, ...]
    names: tuple[str, ...]
    intents: frozenset[str]
    searched: str = ""
    pointed: frozenset[UUID] = frozenset()

    @property
    def asked_fields(self) -> frozenset[UUID]:
        """The fields whose value is wanted: 订单 alone asks for the order's status, 订单的发货时间 does not."""
        wanted = frozenset(field for field, alias in self.fields.items() if not is_kind_word(alias))
        return wanted or frozenset(self.fields)

    @property
    def asks_for_a_time(self) -> bool:
        """Whether it wants what happened in the time it names: by its words, or because it names nothing else."""
        return bool(self.times) and ("timeline" in self.intents or not self._words_beside_times())

    def _words_beside_times(self) -> list[str]:
        rest, taken = [], 0
        for time in self.times:
            rest.append(self.text[taken : time.span[0]])
            taken = time.span[1]
        return query_tokens(" ".join([*rest, self.text[taken:]]))

    def mentions(self, name: str) -> bool:
        """Whether the question holds the name: as a word for names in Latin letters, anywhere for Chinese ones."""
        return mentions(self.folded, name)


def ask(
    *, text: str, entities: tuple[str, ...], fields: tuple[Field, ...], now: datetime, zone: str
) -> Question:
    """Read a question. Times without a year of their own are taken to lie in the past."""
    cleaned = clean(text)
    folded = cleaned.casefold()
    return Question(
        text=cleaned,
        folded=folded,
        tokens=tuple(query_tokens(cleaned)),
        fields=fields_named(folded, fields),
        times=tuple(find_times(cleaned, now=now, zone=zone, prefer="past")),
        names=tuple(dict.fromkeys([*entities, *_names(cleaned)]))[:MOST_NAMES],
        intents=frozenset(intent for intent, pattern in _INTENTS.items() if pattern.search(cleaned)),
    )


def mentions(folded: str, name: str) -> bool:
    """Whether a folded text holds a name, compared without case; a Latin name must stand as a word of its own."""
    wanted = name.casefold().strip()
    if not wanted:
        return False
    if _CJK.search(wanted):
        return wanted in folded
    return _word(wanted).search(folded) is not None


@lru_cache(maxsize=20_000)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])")


def _names(text: str) -> list[str]:
    """Codes and capitalised words: what an entity may be called."""
    return [match[0] for pattern in (_CODE, _CAPITALISED) for match in pattern.finditer(text)]


def fields_named(folded: str, fields: tuple[Field, ...]) -> dict[UUID, str]:
    """The fields that a cleaned and case-folded question names, each with its alias.

    The longest alias at each place counts, so that 预算上限 is not also 预算; traditional characters are simplified ones.
    """
    pattern, by_alias = _aliases(fields)
    named: dict[UUID, str] = {}
    for match in pattern.finditer(simplified(folded)):
        for field_id in by_alias[match["name"]]:
            named.setdefault(field_id, match["name"])
    return named


@lru_cache(maxsize=256)
def _aliases(fields: tuple[Field, ...]) -> tuple[re.Pattern[str], dict[str, list[UUID]]]:
    by_alias: dict[str, list[UUID]] = {}
    for field in fields:
        spellings = {field.label_en, field.label_zh, field.name.replace("_", " "), *field.aliases}
        for alias in {simplified(clean(spelling).casefold()).strip() for spelling in spellings}:
            if alias:
                by_alias.setdefault(alias, []).append(field.id)
    longest_first = sorted(by_alias, key=lambda alias: (-len(alias), alias))
    chinese = "|".join(re.escape(alias) for alias in longest_first if _CJK.search(alias))
    latin = "|".join(re.escape(alias) for alias in longest_first if not _CJK.search(alias))
    parts = [
        rf"(?:{chinese})" if chinese else "",
        rf"(?<![a-z0-9])(?:{latin})(?=s?(?![a-z0-9]))" if latin else "",
    ]
    whole = "|".join(part for part in parts if part) or r"(?!)"
    return re.compile(f"(?P<name>{whole})"), by_alias
