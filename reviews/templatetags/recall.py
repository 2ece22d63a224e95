"""Words and marks of the recall pages. Everything they print is escaped."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any
from uuid import UUID

from django import template

from reviews.queries.recall_replay import Candidate
from reviews.recall_words import CODES, PARTS
from reviews.values import shown

register = template.Library()

_OWN_PLACE = frozenset(
    "recall_id owner_id state text tokens budget_tokens served ranked excluded excluded_counts legs session_hit"
    " policy_version_id valid_at known_at milliseconds".split()
)
"""Parts of an answer that have a place of their own on the page."""


@register.filter
def shown_json(value: Any) -> str:
    """A part of a request as text."""
    return shown(value)


@register.simple_tag
def name_of(names: Mapping[Any, str], key: Any) -> str:
    return names.get(key, "—")


@register.simple_tag
def explained(answer: Any) -> list[tuple[str, str]]:
    """Whatever else the answer says about how the question was taken, by name: pointers, notes, gates."""
    if not is_dataclass(answer) or isinstance(answer, type):
        return []
    facts = {name: getattr(answer, name) for name in answer.__slots__ if name not in _OWN_PLACE}  # type: ignore[attr-defined]
    return [(name, line) for name, value in facts.items() for line in _lines(value)]


def _lines(value: Any) -> list[str]:
    """One line per member; nothing for what is empty."""
    if value in (None, "", 0, False):
        return []
    if isinstance(value, list | tuple | frozenset | set):
        return [line for member in value for line in _lines(member)]
    if is_dataclass(value) and not isinstance(value, type):
        return [_told(asdict(value))]
    if isinstance(value, Mapping):
        return [_told(value)] if value else []
    return [shown(value)]


def _told(value: Mapping[str, Any]) -> str:
    filled = ((name, part) for name, part in value.items() if part not in (None, "", (), []))
    parts = ((name, CODES.get(name, {}).get(str(part)) or _plain(part)) for name, part in filled)
    return " · ".join(f"{PARTS.get(name, name)}: {part}" for name, part in parts)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + _told(value) + "}"
    if isinstance(value, list | tuple):
        return ", ".join(_plain(member) for member in value)
    return shown(str(value) if isinstance(value, UUID) else value)


@register.inclusion_tag("reviews/_judge_marks.html")
def judge_marks(row: Candidate, told: Collection[UUID], judged: Mapping[UUID, str]) -> dict[str, Any]:
    """What a person may say about a candidate: of what was told, relevant or not; of the rest, that it was missed."""
    offered = {"relevant": "used", "polluting": "useless"} if row.target_id in told else {"missed": "missed"}
    said = judged.get(row.target_id, "")
    return {
        "target": row.target_id,
        "text": row.text,
        "choices": [(code, verdict == said) for code, verdict in offered.items()],
        "said": "harmful" if said == "harmful" else "",
    }
