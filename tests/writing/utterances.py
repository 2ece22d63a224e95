"""How the tables of the extraction tests are read: one turn in, its form values written as `type.field[subject]=value`."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType
from uuid import UUID

from memoryhub.starter_fields import STARTER_FIELDS
from memoryhub.writing.candidates import Candidate, Extraction, FormCandidate, ItemCandidate, Role, Turn
from memoryhub.writing.extraction import extract

WEDNESDAY = datetime(2024, 5, 15, 10, tzinfo=UTC)


class Field:
    """The part of a field definition that the extractor looks at."""

    def __init__(self, default_importance: float) -> None:
        self.default_importance = default_importance


STARTER = MappingProxyType({(each.form_type, each.name): Field(each.importance) for each in STARTER_FIELDS})


def turn(text: str, *, role: Role = "user", earlier: tuple[str, ...] = ()) -> Turn:
    zone = "Asia/Shanghai"
    return Turn(event_id=UUID(int=1), text=text, role=role, occurred_at=WEDNESDAY, zone=zone, earlier=earlier)


def read(text: str, *, role: Role = "user", earlier: tuple[str, ...] = ()) -> Extraction:
    return extract(turn(text, role=role, earlier=earlier), fields=STARTER)


def values(extraction: Extraction) -> list[str]:
    return [written(candidate) for candidate in extraction.candidates if isinstance(candidate, FormCandidate)]


def written(candidate: FormCandidate) -> str:
    subject = f"[{candidate.subject}]" if candidate.subject else ""
    removal = "~" if candidate.operation == "remove" else ""
    return f"{candidate.form_type}.{candidate.field}{subject}={removal}{candidate.value}"


def items(extraction: Extraction) -> list[ItemCandidate]:
    return [candidate for candidate in extraction.candidates if isinstance(candidate, ItemCandidate)]


def only(extraction: Extraction) -> Candidate:
    (candidate,) = extraction.candidates
    return candidate


def codes(extraction: Extraction) -> set[str]:
    return {refusal.code for refusal in extraction.refusals}
