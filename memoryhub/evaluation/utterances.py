"""Labelled utterances: what somebody said, what was said before it, and what of it should be kept.

The format of a line and how labels are compared is described in `data/README.md`.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError, model_validator

from memoryhub.language.values import normalise_value
from memoryhub.starter_fields import STARTER_FIELDS
from memoryhub.writing.candidates import Role

type Half = Literal["develop", "report"]
type Kind = Literal["field", "removal", "refusal", "item"]
type Tongue = Literal["zh", "en"]

KINDS: tuple[Kind, ...] = ("field", "removal", "refusal", "item")
TONGUES: tuple[Tongue, ...] = ("zh", "en")
HALVES: tuple[Half, ...] = ("develop", "report")
_DATA = Path(__file__).parent / "data"
FILES: dict[Half, tuple[str, ...]] = {
    "develop": ("utterances_develop.jsonl", "utterances_develop_second.jsonl"),
    "report": ("utterances_report_second.jsonl",),
}
"""The report half that came first was reported on so often while the rules were tuned that it is one to develop on now."""
ANY_DAY = datetime(2026, 3, 11, 2, tzinfo=UTC)
"""When an utterance was said that no date depends on: a Wednesday morning in Shanghai."""


class UnreadableUtterances(ValueError):
    """The file is missing or a line of it is no labelled utterance; the message names the line."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Strict):
    """One thing that should come of the utterance. `field` is `form_type.field`; a refused plan has operation 'refuse'."""

    kind: Literal["field", "item"]
    field: str = ""
    subject: str | None = None
    accept_subject: tuple[str, ...] = ()
    value: Any = None
    accept: tuple[Any, ...] = ()
    operation: Literal["set", "remove", "refuse"] = "set"
    contains: tuple[str, ...] = ()

    @property
    def what(self) -> Kind:
        """The kind of thing the figures count it under."""
        if self.kind == "item":
            return "item"
        return _KIND_OF[self.operation]


_KIND_OF: dict[str, Kind] = {"set": "field", "remove": "removal", "refuse": "refusal"}


class Utterance(_Strict):
    """One labelled line. `negative` says why nothing may be kept of it; `allowed` is neither right nor wrong to keep."""

    id: str
    language: Literal["zh", "zh-hant", "en"]
    text: str
    before: tuple[str, ...] = ()
    role: Role = "user"
    occurred_at: AwareDatetime = ANY_DAY
    time_zone: str = "Asia/Shanghai"
    expected: tuple[Expected, ...] = ()
    allowed: tuple[Expected, ...] = ()
    negative: str | None = None
    note: str = ""

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> Self:
        if bool(self.expected) == bool(self.negative):
            raise ValueError("either something is expected or the line is negative")
        return self

    @property
    def tongue(self) -> Tongue:
        """The language the figures count it under."""
        return "en" if self.language == "en" else "zh"


class Kept(BaseModel):
    """Something that was stored or proposed because of an utterance."""

    model_config = ConfigDict(frozen=True)

    what: Kind
    field: str = ""
    subject: str = ""
    value: Any = None
    text: str = ""
    proposed: bool = False


def read_utterances(half: Half) -> list[Utterance]:
    """The utterances of one half that come with the package, file after file. Raises UnreadableUtterances."""
    return [utterance for name in FILES[half] for utterance in read_utterance_file(_DATA / name)]


def read_utterance_file(path: Path) -> list[Utterance]:
    """The utterances of a file, in order; blank lines are skipped. Raises UnreadableUtterances."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableUtterances(f"{path.name} cannot be read") from error
    utterances = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            utterances.append(Utterance.model_validate(json.loads(line)))
        except (ValueError, ValidationError) as error:
            raise UnreadableUtterances(
                f"{path.name}, line {number} is no labelled utterance: {_first_fault(error)}"
            ) from error
    return utterances


def _first_fault(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors()[0]
        return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
    return str(error)


def answers(kept: Kept, expected: Expected) -> bool:
    """Whether what was kept is what was expected: same kind and field, same subject when one is named, and the value."""
    if kept.what != expected.what or (expected.kind == "field" and kept.field != expected.field):
        return False
    if expected.kind == "item":
        return all(_plain(part) in _plain(kept.text) for part in expected.contains)
    if expected.subject is not None and not _is_one_of(
        kept.subject, [expected.subject, *expected.accept_subject], "text"
    ):
        return False
    if expected.value is None and expected.what == "removal":
        return True
    value_type = _value_types().get(expected.field, "text")
    return _is_one_of(kept.value, [expected.value, *expected.accept], value_type)


def is_allowed(kept: Kept, utterance: Utterance) -> bool:
    """Whether it is fair to keep this though nobody asked: the field and the operation decide, not the wording."""
    if kept.what == "item":
        return not utterance.negative or utterance.negative == "other_person"
    return any(kept.what == fair.what and kept.field == fair.field for fair in utterance.allowed)


def _is_one_of(value: Any, spellings: Sequence[Any], value_type: str) -> bool:
    return any(_same(value, spelling, value_type) for spelling in spellings)


def _same(value: Any, spelling: Any, value_type: str) -> bool:
    key, wanted = normalise_value(value, value_type), normalise_value(spelling, value_type)
    if key == wanted:
        return True
    if value_type == "money":  # a label always accepts the bare number
        return key == wanted.split(" ")[0]
    # Of a day without a time any time on it fits.
    return value_type == "datetime" and len(wanted) == len("2026-06-30") and key.startswith(wanted)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@cache
def _value_types() -> dict[str, str]:
    return {f"{field.form_type}.{field.name}": field.value_type for field in STARTER_FIELDS}
