"""Conversations in the public LoCoMo JSON layout: sessions of turns, and questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
TURN_SPACING = timedelta(seconds=20)
"""The layout dates sessions, not turns; turns follow each other so that their order is kept."""

_TURN_ID = re.compile(r"D:?\s*0*(\d+)\s*:\s*0*(\d+)", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")


class UnreadableFile(ValueError):
    """The file is not in the layout it should have; the message says what was found where."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DialogueTurn:
    """One turn. `id` is D<session>:<number>; `occurred_at` is aware (UTC)."""

    id: str
    speaker: str
    text: str
    occurred_at: datetime
    session: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question; `evidence` are ids of turns of the same conversation, `unresolvable` the references that name none."""

    text: str
    category: int
    evidence: tuple[str, ...]
    unresolvable: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    """One conversation of two speakers over many sessions."""

    name: str
    turns: tuple[DialogueTurn, ...]
    questions: tuple[Question, ...] = field(default=())

    @property
    def ended_at(self) -> datetime:
        """The time of the last turn."""
        return max(turn.occurred_at for turn in self.turns)


def read_dialogues(path: Path) -> list[Dialogue]:
    """All conversations of a file. Raises UnreadableFile."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path.name}: {error}") from error
    if not is_dialogue_document(document):
        raise UnreadableFile(f"{path.name}: expected a list of objects with 'conversation' and 'qa'")
    return [_dialogue(sample, number) for number, sample in enumerate(document, 1)]


def is_dialogue_document(document: Any) -> bool:
    """Whether parsed JSON has the outer shape of the layout."""
    return (
        isinstance(document, list)
        and bool(document)
        and all(
            isinstance(sample, dict) and isinstance(sample.get("conversation"), dict) for sample in document
        )
    )


def _dialogue(sample: Mapping[str, Any], number: int) -> Dialogue:
    name = str(sample.get("sample_id") or f"conversation-{number}")
    turns = tuple(_turns(sample["conversation"], name))
    if not turns:
        raise UnreadableFile(f"{name}: no session has a turn")
    known = {turn.id for turn in turns}
    return Dialogue(
        name=name, turns=turns, questions=tuple(_question(entry, known) for entry in sample.get("qa", []))
    )


def _turns(conversation: Mapping[str, Any], name: str) -> Iterator[DialogueTurn]:
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        started = _session_start(str(conversation.get(f"session_{number}_date_time", "")), name, number)
        for position, turn in enumerate(conversation[f"session_{number}"]):
            text = _spoken(turn)
            if text:
                yield DialogueTurn(
                    id=_normalised_ids(str(turn["dia_id"]))[0],
                    speaker=str(turn["speaker"]),
                    text=text,
                    occurred_at=started + position * TURN_SPACING,
                    session=f"session_{number}",
                )


def _spoken(turn: Mapping[str, Any]) -> str:
    """What was said, with the caption of a shared photo: to the other speaker it was part of the turn."""
    text = str(turn.get("text", "")).strip()
    caption = str(turn.get("blip_caption") or "").strip()
    return f"{text} [photo: {caption}]".strip() if caption else text


def _session_start(text: str, name: str, number: int) -> datetime:
    """'1:56 pm on 8 May, 2023', taken as UTC."""
    try:
        return datetime.strptime(" ".join(text.split()), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise UnreadableFile(f"{name}: session {number} has no readable date: {text!r}") from error


def _question(entry: Mapping[str, Any], known: set[str]) -> Question:
    named: dict[str, None] = {}
    unresolvable: list[str] = []
    for reference in entry.get("evidence") or []:
        ids = [turn_id for turn_id in _normalised_ids(str(reference)) if turn_id in known]
        named |= dict.fromkeys(ids)
        if not ids:
            unresolvable.append(str(reference))
    return Question(
        text=str(entry["question"]),
        category=int(entry.get("category", 0)),
        evidence=tuple(named),
        unresolvable=tuple(unresolvable),
    )


def _normalised_ids(reference: str) -> Sequence[str]:
    """'D8:6; D9:17' → both, 'D:11:26' → D11:26, 'D30:05' → D30:5."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(reference)] or [reference]
