"""Scripted conversations in which decisions change: what is said, and what `/context/` must show at each checkpoint.

The format of a line is described in `data/README.md`. Long conversations are made from their script and small talk of
`data/decision_parts.json`, drawn by a generator that the conversation's id seeds: the same text every time.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from memoryhub.evaluation.utterances import Half, Tongue

_DATA = Path(__file__).parent / "data"
FILES: dict[Half, tuple[str, ...]] = {
    "develop": (
        "decisions_develop.jsonl",
        "decisions_develop_second.jsonl",
        "decisions_develop_third.jsonl",
        "decisions_develop_fourth.jsonl",
    ),
    "report": ("decisions_report_fourth.jsonl",),
}
"""A report half that was looked at while rules were made is one to develop on from then on; three were."""
LONG = 100
"""Turns from which a conversation counts as a long one."""

type Speaker = Literal["user", "assistant"]


class UnreadableDecisions(ValueError):
    """The file is missing or a line of it is no scripted conversation; the message names the line."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PathStep(_Strict):
    """A value on the way, in any of its spellings, and a part of the reason that was given for it."""

    value: tuple[str, ...]
    reason: str = ""


class Check(_Strict):
    """What must hold at this point. `fields` are `form_type.field`; a value fits when any of its spellings does.

    `now`: the value that holds; `path`: all values in order, reasons where said; `never`: what only others have or nobody
    decided; `refused`: turned down, so told as such and never current; `shows`, `hides`: parts of the block; `keeps`, `ended`:
    what some current value says, and what none says any more.
    """

    topic: str
    fields: tuple[str, ...] = ()
    subject: str = ""
    now: tuple[str, ...] = ()
    path: tuple[PathStep, ...] = ()
    never: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not (self.now or self.shows or self.keeps or self.ended):
            raise ValueError("a check names a value that holds, or what must be shown or gone")
        if self.now and not self.fields:
            raise ValueError("a value that holds needs the fields it may stand in")
        return self


class _Entry(_Strict):
    """One entry of a script: a turn, so many turns of small talk, days that pass, or a check."""

    user: str = ""
    agent: str = ""
    states: tuple[str, ...] = ()
    filler: int = 0
    days: int = 0
    check: Check | None = None


class _Script(_Strict):
    id: str
    language: Tongue
    kind: str
    turns: tuple[_Entry, ...]


class _Parts(_Strict):
    questions: dict[str, dict[Tongue, str]]
    fillers: dict[Tongue, tuple[_Entry, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One turn. `states`: the topics whose value it states or ends; `day` counts from the first one."""

    role: Speaker
    text: str
    day: int
    states: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """A check after the first `turns` turns; `question` asks for its topic, for who has to search."""

    turns: int
    check: Check
    question: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A whole conversation with its checkpoints in order."""

    id: str
    language: Tongue
    kind: str
    turns: tuple[Turn, ...]
    checkpoints: tuple[Checkpoint, ...]

    @property
    def is_long(self) -> bool:
        return len(self.turns) >= LONG


def read_conversations(half: Half) -> list[Conversation]:
    """The conversations of one half that come with the package. Raises UnreadableDecisions."""
    return [each for name in FILES[half] for each in read_conversation_file(_DATA / name)]


def read_conversation_file(path: Path) -> list[Conversation]:
    """The conversations of a file, in order. Raises UnreadableDecisions."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableDecisions(f"{path.name} cannot be read") from error
    conversations = []
    for number, line in enumerate(lines, 1):
        try:
            conversations.append(_conversation(_Script.model_validate(json.loads(line))))
        except (ValueError, ValidationError) as error:
            raise UnreadableDecisions(f"{path.name}, line {number}: {_first_fault(error)}") from error
    return conversations


def _conversation(script: _Script) -> Conversation:
    turns: list[Turn] = []
    checkpoints: list[Checkpoint] = []
    small_talk = _small_talk(script)
    day = 0
    for entry in script.turns:
        day += entry.days
        turns += [_turn(next(small_talk), day) for _ in range(entry.filler)]
        if entry.user or entry.agent:
            turns.append(_turn(entry, day))
        if entry.check:
            if not any(entry.check.topic in turn.states for turn in turns):
                raise ValueError(f"{script.id}: no turn before turn {len(turns)} states {entry.check.topic}")
            question = _parts().questions[entry.check.topic][script.language]
            checkpoints.append(Checkpoint(turns=len(turns), check=entry.check, question=question))
    return Conversation(
        id=script.id,
        language=script.language,
        kind=script.kind,
        turns=tuple(turns),
        checkpoints=tuple(checkpoints),
    )


def _turn(entry: _Entry, day: int) -> Turn:
    return Turn(
        role="user" if entry.user else "assistant",
        text=entry.user or entry.agent,
        day=day,
        states=entry.states,
    )


def _small_talk(script: _Script) -> Iterator[_Entry]:
    """Turns of small talk without end: question and answer stay together, the pairs come in a shuffled order."""
    entries = _parts().fillers[script.language]
    pairs = [entries[place : place + 2] for place in range(0, len(entries), 2)]
    shuffled = random.Random(script.id)  # noqa: S311
    while True:
        for pair in shuffled.sample(pairs, len(pairs)):
            yield from pair


@cache
def _parts() -> _Parts:
    return _Parts.model_validate_json((_DATA / "decision_parts.json").read_text("utf-8"))


def small_talk_of(language: Tongue) -> Sequence[str]:
    """Every filler of a language, as it is said."""
    return [entry.user or entry.agent for entry in _parts().fillers[language]]


def _first_fault(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors()[0]
        return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
    return str(error)
