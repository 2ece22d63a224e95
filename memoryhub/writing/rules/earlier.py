"""A correction that names only the new value: 'I meant Thursday', 刚才说错了，是苏州. The field is found in the earlier turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from memoryhub.language.dates import find_times
from memoryhub.language.patterns import lazy_pattern
from memoryhub.language.quantities import find_numbers
from memoryhub.writing.candidates import Candidate, FormCandidate, Turn
from memoryhub.writing.importance import importance_of

_NEW_VALUE = lazy_pattern(
    r"(?:(?:刚才|剛才|刚刚|之前|前面|上面)?(?:我)?(?:说|說|讲|記|记|写|寫|搞|弄|打|填)错了?|口误|更正(?:一下)?|纠正(?:一下)?|不对|不對|不好意思)[，,。：:\s]*(?:我)?(?:应该|應該|其实|其實|准确地说|准确来说)?(?:是|叫|在|住在|改为|要的是)?\s*(?P<zh>[^，,。！!？?；;\n]{1,40}?)(?:[，,]?(?:不是|而不是)(?P<zh_old>[^，,。！!？?；;\n]{1,30}))?[。.！!\s]*$|"
    r"^\s*(?:不是|不叫|不在)(?P<zh_old2>[^，,。！!？?；;\n]{1,30})[，,]\s*(?:而)?(?:应该|應該)?(?:是|叫|在)(?P<zh2>[^，,。！!？?；;\n]{1,30})[。.！!\s]*$|"
    r"^\s*(?:(?:sorry|oops|no|wait|correction|ah|hm+|i\s+misspoke|my\s+mistake|my\s+bad)[\s,.:;–—-]+)*(?:i\s+meant(?:\s+to\s+say)?|(?<=[\s,.:;–—-])(?:it['’]s|it\s+is|that['’]s)(?=\s+[^,]{1,40},\s*not\s)|i\s+mean|it['’]s\s+actually|actually,?\s+it['’]s|actually,?\s+(?:make\s+(?:that|it))|make\s+that|it\s+should\s+be|that\s+should\s+be|correction:)\s+(?P<en>[^.!?;\n]{1,60}?)(?:,?\s+not\s+(?P<en_old>[^.!?;,\n]{1,40}))?[.!\s]*$|"
    r"^\s*(?:(?:sorry|oops|whoops|wait|correction|my\s+(?:mistake|bad)|typo|no,?\s+wait|wait,?\s+no)[\s,.:;–—-]+)+(?:no[,\s]+)?(?:(?:it['’]s|it\s+is|that['’]s|should\s+be|make\s+it)\s+)?(?P<en2>(?!(?:i|you|we|he|she|they|it|that|this|what|can|could|for|about|but|no|my|the\s+\w+\s+is)\b)[^!?;\n]{1,60}?)[.!\s]*$|"
    r"^\s*not\s+(?P<en_old2>[^.!?;,\n]{1,40}),\s*(?:but\s+|it['’]s\s+)?(?P<en3>[^.!?;,\n]{1,40})[.!\s]*$|^\s*(?:那就|还是)?(?:改成|改为|换成)(?P<zh3>[^，,。！!？?；;\n]{1,30}?)(?:吧|了|好了)?[。.！!\s]*$",
    re.IGNORECASE,
)
_TRIM = lazy_pattern(r"^(?:the|a|in|on|at|to|是|叫|在)\s*|(?:才对|才對|了|的|吧)$", re.IGNORECASE)
_ADAPTABLE = frozenset(
    {
        "location",
        "name",
        "occupation",
        "employer",
        "favourite",
        "current_plan",
        "address",
        "pet",
        "commute",
        "allergies",
        "language",
        "programming_language",
        "database",
        "framework",
        "time_zone",
        "usual_request",
        "tracking_number",
        "diet",
        "reply_style",
        "phone",
        "email",
        "max_budget",
        "budget",
        "deadline",
        "birthday",
        "expected_arrival",
        "contact_channel",
    }
)


_DATES = frozenset({"deadline", "birthday", "expected_arrival"})
_MEMBERS = frozenset({"allergies", "diet", "pet"})
_AMOUNTS = frozenset({"max_budget", "budget"})


def corrected_from_earlier(
    turn: Turn,
    readable: str,
    *,
    read: Callable[[str], tuple[Candidate, ...]],
    default_of: Callable[[FormCandidate], float],
) -> Iterator[Candidate]:
    """Yield the earlier candidate with the corrected value, the latest turn that fits first; `read` extracts a text."""
    match = _NEW_VALUE.search(readable)
    if not match:
        return
    groups = match.groupdict()
    written = next(value for name in ("zh", "zh2", "zh3", "en", "en2", "en3") if (value := groups[name]))
    new = _TRIM.sub("", written.strip())
    old = next(
        (value.strip() for name in ("zh_old", "zh_old2", "en_old", "en_old2") if (value := groups[name])), ""
    )
    # Without the old value only the turn just before can be meant.
    meant = (
        [text for text in reversed(turn.earlier) if old.casefold() in text.casefold()]
        if old
        else turn.earlier[-1:]
    )
    for text in meant:
        for candidate in read(text):
            if not isinstance(candidate, FormCandidate) or candidate.field not in _ADAPTABLE:
                continue
            value = _same_shape(candidate, turn, text, new, old, read)
            if value is not None and value != candidate.value:
                corrected = replace(
                    candidate,
                    value=value,
                    quote=readable.strip(),
                    quote_start=len(readable) - len(readable.lstrip()),
                    basis="corrected",
                    explicit_correction=True,
                    world_change=bool(groups["zh3"]),
                    confidence=min(candidate.confidence or 0.9, 0.9),
                    importance=importance_of(default_of(candidate), {"change of decision"}),
                )
                if candidate.field in _MEMBERS:  # the wrong member would stay beside the right one
                    yield replace(corrected, value=candidate.value, operation="remove")
                yield corrected
                return


def _same_shape(
    candidate: FormCandidate,
    turn: Turn,
    text: str,
    new: str,
    old: str,
    read: Callable[[str], tuple[Candidate, ...]],
) -> Any:
    """The new value as the same field would have read it in the earlier sentence; None when it cannot be read so."""
    place = _place_of_value(candidate, turn, text, old)
    if place is None:
        return None
    for again in read(text[: place[0]] + new + text[place[1] :]):
        if isinstance(again, FormCandidate) and (again.form_type, again.field) == (
            candidate.form_type,
            candidate.field,
        ):
            return again.value
    return None


def _place_of_value(candidate: FormCandidate, turn: Turn, text: str, old: str) -> tuple[int, int] | None:
    """Where the value stands in the earlier text: as written, else its last date or number."""
    for word in (old, str(candidate.value)):
        if word and (start := text.find(word)) >= 0:
            return start, start + len(word)
    if candidate.field in _DATES:
        times = find_times(text, now=turn.occurred_at, zone=turn.zone)
        return times[-1].span if times else None
    if candidate.field in _AMOUNTS:
        numbers = find_numbers(text)
        return (numbers[-1].start, numbers[-1].end) if numbers else None
    return None
