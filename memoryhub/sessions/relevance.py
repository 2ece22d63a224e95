"""Which contexts of a conversation a question is about: by their ids, by names in them, by the kind of thing. Pure.

An agent talks about one or two things at a time; the others would only get in the way, and a value of the wrong order does harm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memoryhub.language.text import clean
from memoryhub.sessions.contexts import WHOLE, kind_of, kinds_in, name_of, named_in
from memoryhub.sessions.names import names_in

MOST_CONTEXTS = 2
_LEAST_NAME = 2
_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """One context: the names of its slots, the words in them that may name it, and when it was last spoken of."""

    context: str
    names: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    touched_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The contexts to serve, most relevant first, and the rule that chose them.

    `whole` is the conversation itself, which is never in the way.
    """

    contexts: tuple[str, ...] = ()
    rule: str = "none"
    left_out: tuple[str, ...] = field(default=())


def choose(topics: Sequence[Topic], query: str) -> Chosen:
    """At most two contexts that matter for the query. A query that names things none of which is here gets none of that kind."""
    things = sorted(
        (topic for topic in topics if topic.context != WHOLE),
        key=lambda topic: topic.touched_at,
        reverse=True,
    )
    text = clean(query)
    picked, rule = _pick(things, text)
    whole = [topic.context for topic in topics if topic.context == WHOLE]
    contexts = (*(topic.context for topic in picked[:MOST_CONTEXTS]), *whole)
    return Chosen(
        contexts=contexts,
        rule=rule,
        left_out=tuple(topic.context for topic in things if topic.context not in contexts),
    )


def _pick(things: Sequence[Topic], text: str) -> tuple[Sequence[Topic], str]:
    if not things or not text.strip():
        return things, "latest" if things else "none"
    mentioned = {mention.context for mention in named_in(text)}
    by_id = [topic for topic in things if topic.context in mentioned or _names(text, name_of(topic.context))]
    by_id += [
        topic for topic in things if topic not in by_id and any(_names(text, word) for word in topic.words)
    ]
    if by_id:
        return by_id, "named"
    strangers = {kind_of(context) for context in mentioned}
    left = [topic for topic in things if kind_of(topic.context) not in strangers]
    if strangers and not (kinds_in(text) - strangers):
        return [], "another_named"
    by_kind = [topic for topic in left if kind_of(topic.context) in kinds_in(text)]
    by_name = [topic for topic in (by_kind or left) if names_in(text, topic.names - {"number"})]
    if by_name:
        return by_name, "slot"
    return (by_kind, "kind") if by_kind else (left[:1], "latest" if left else "none")


def _names(text: str, name: str) -> bool:
    """Whether the text holds a name: one letter only in capitals beside Chinese, a longer Latin word as a whole word."""
    if not name or (len(name) < _LEAST_NAME and not name.isascii()):
        return False
    if _CJK.search(name):
        return name in text
    if len(name) < _LEAST_NAME:
        beside = r"(?:[\u3400-\u9fff]\s?{0}(?![A-Za-z\d])|(?<![A-Za-z\d]){0}\s?[\u3400-\u9fff])"
        return re.search(beside.format(re.escape(name)), text) is not None
    return re.search(rf"(?<![A-Za-z\d]){re.escape(name)}(?![A-Za-z\d])", text, re.IGNORECASE) is not None
