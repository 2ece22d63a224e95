"""A labelled set for tuning a policy: owners with memories of known age, and for every question what has to be told.

One JSON object per line (`data/README.md` tells the keys). A third of the cases is held back: by their `part`, or by a hash of
their id, so that the same file always falls apart in the same way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from memoryhub.evaluation.dialogues import UnreadableFile

type Part = Literal["tuning", "held_back"]

PARTS: tuple[Part, ...] = ("tuning", "held_back")
KINDS = ("semantic", "episodic", "procedural")
HELD_BACK_OF = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledMemory:
    """A sentence, how many days old it is, and how important whoever sent it said it is."""

    id: str
    text: str
    days: float
    importance: float
    kind: str = "semantic"


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledQuestion:
    """`needed` has to be told, `fair` may be; everything else that is told is beside the point. Ids of memories."""

    query: str
    needed: frozenset[str]
    fair: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledCase:
    """One owner."""

    id: str
    language: str
    part: Part
    memories: tuple[LabelledMemory, ...]
    questions: tuple[LabelledQuestion, ...]


def read_cases(path: Path) -> list[LabelledCase]:
    """All cases of a file. Raises UnreadableFile naming the line and what is wrong with it."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path.name}: {error}") from error
    cases: list[LabelledCase] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                cases.append(_case(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UnreadableFile(f"{path.name}, line {number}: {error!r}") from error
    if not cases:
        raise UnreadableFile(f"{path.name}: no case in it")
    if len({case.id for case in cases}) < len(cases):
        raise UnreadableFile(f"{path.name}: an id stands twice")
    return cases


def _case(given: Mapping[str, Any]) -> LabelledCase:
    memories = tuple(_memory(entry) for entry in given["memories"])
    known = {memory.id for memory in memories}
    if len(known) < len(memories):
        raise ValueError("a memory's id stands twice")
    return LabelledCase(
        id=str(given["id"]),
        language=str(given.get("language", "")),
        part=_part(given),
        memories=memories,
        questions=tuple(_question(entry, known) for entry in given["questions"]),
    )


def _memory(given: Mapping[str, Any]) -> LabelledMemory:
    kind, importance, days = (
        str(given.get("kind", "semantic")),
        float(given["importance"]),
        float(given["days"]),
    )
    if kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}")
    if not 0 <= importance <= 1 or days < 0:
        raise ValueError("importance is 0 to 1, days 0 or more")
    return LabelledMemory(
        id=str(given["id"]), text=str(given["text"]), days=days, importance=importance, kind=kind
    )


def _question(given: Mapping[str, Any], known: set[str]) -> LabelledQuestion:
    needed, fair = (frozenset(map(str, given.get(name, ()))) for name in ("needed", "fair"))
    if unknown := sorted((needed | fair) - known):
        raise ValueError(f"no memory {unknown[0]}")
    if not needed:
        raise ValueError("a question needs at least one memory")
    return LabelledQuestion(query=str(given["query"]), needed=needed, fair=fair - needed)


def _part(given: Mapping[str, Any]) -> Part:
    if "part" not in given:
        digest = hashlib.sha256(str(given["id"]).encode()).digest()
        return "held_back" if digest[0] % HELD_BACK_OF == 0 else "tuning"
    if given["part"] not in PARTS:
        raise ValueError(f"part is one of {', '.join(PARTS)}")
    part: Part = given["part"]
    return part
