"""What a model answered about some turns, as candidates and refusals for each turn. Pure: no query, no clock.

Read leniently, believed strictly: every entry must be of the asked shape, about a turn that was offered, with words that stand in
it. What is left out is named with a code; an answer that is no answer is a failure of the turns it was about, never "nothing found".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from memoryhub.language.lenient_json import read_entries
from memoryhub.language.prompts.extraction import ANSWER, Entry, FieldEntry, SentenceEntry, fault_of
from memoryhub.language.text import language_of, locate_quote
from memoryhub.writing.candidates import (
    Candidate,
    Extraction,
    FormCandidate,
    Importance,
    ItemCandidate,
    Refusal,
    Turn,
)
from memoryhub.writing.extraction import LEAST_CONFIDENCE, with_decision, without_repeats, without_secrets
from memoryhub.writing.importance import ITEM_DEFAULTS
from memoryhub.writing.masking import MASK
from memoryhub.writing.rules.refusals import sentence_refusal, turn_is_joke
from memoryhub.writing.screening import sentence_code
from memoryhub.writing.sentences import Sentence, split_sentences
from memoryhub.writing.transcripts import only_the_owner
from memoryhub.writing.whitelist import Whitelist, check_value

FARTHEST = timedelta(days=366 * 60)

_PRONOUN_SUBJECT = re.compile(
    r"[\s\"'“‘「]*(?:(?:i|you|he|she|it|we|they|this|that|these|those|his|her|hers|its|their|theirs|my|mine|our|ours|your|yours|"
    r"someone|somebody|there)(?=\W|$)|"
    r"(?:我|你|您|他|她|它|牠|咱|俺|这|這|那|此|其(?!他|它|余|餘|实|實)|自己|本人|人家|大家|某人|有人|对方|對方|该|該))",
    re.IGNORECASE,
)
_ROLE_LABEL = re.compile(
    r"\s*[\[(（【*]*(?:user|human|assistant|system|tool|ai|bot|用户|用戶|助手|系统|系統|工具)[\])）】*]*\s*[:：]",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """No usable answer about a turn. `salvaged` is what stood whole in one that was cut off."""

    code: str
    salvaged: Extraction = dataclass_field(default_factory=Extraction)


class _Left(Exception):
    """This entry is left out, for this reason."""

    def __init__(self, code: str, quote: str = "") -> None:
        super().__init__(code)
        self.refusal = Refusal(code=code, quote=quote[:200])


@dataclass(frozen=True, slots=True)
class _Heard:
    """One turn and what may be read of it: same length as its text, so offsets are those of the event."""

    turn: Turn
    text: str


def readable_text(turn: Turn) -> str:
    """What a model may see of a turn: no secrets, no recalled blocks, nobody else's lines; offsets are kept."""
    return only_the_owner(without_secrets(turn.text))


def read_answer(
    text: str, *, is_cut: bool, turns: Sequence[Turn], fields: Whitelist
) -> list[Extraction | Failed]:
    """One result per turn, in their order. `is_cut`: the provider says that it stopped the model."""
    found = read_entries(text)
    if found is None:
        return [Failed(code="answer_without_list")] * len(turns)
    if found.values and not found.has_objects and not found.is_cut:
        return [Failed(code="answer_of_another_shape")] * len(turns)
    heard = [_Heard(turn, readable_text(turn)) for turn in turns]
    candidates: list[list[Candidate]] = [[] for _ in turns]
    refusals: list[list[Refusal]] = [[] for _ in turns]
    place = 0
    for value in found.values:
        place = _place_of(value, len(turns), before=place)
        try:
            candidates[place].append(_candidate(value, heard, fields))
        except _Left as left:
            refusals[place].append(left.refusal)
    extractions: list[Extraction | Failed] = [
        with_decision(each.text, without_repeats(said), left)
        for each, said, left in zip(heard, candidates, refusals, strict=True)
    ]
    if not (is_cut or found.is_cut):
        return extractions
    whole = _whole_turns(found.values, len(turns))
    return [*extractions[:whole], *(_cut_off(extraction) for extraction in extractions[whole:])]


def _cut_off(extraction: Extraction | Failed) -> Failed:
    assert isinstance(extraction, Extraction)
    return Failed(code="answer_cut_off", salvaged=extraction)


def _number_of(value: Any) -> int | None:
    number = value.get("event") if isinstance(value, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _place_of(value: Any, count: int, *, before: int) -> int:
    """The turn an entry is told of; one that names none that was offered is told of where the one before it stood."""
    number = _number_of(value)
    return number - 1 if number is not None and 1 <= number <= count else before


def _whole_turns(values: Sequence[Any], count: int) -> int:
    """How many turns at the beginning were surely dealt with before the cut: those before the last one that was written about."""
    numbers = [
        number for value in values if (number := _number_of(value)) is not None and 1 <= number <= count
    ]
    return numbers[-1] - 1 if numbers and numbers == sorted(numbers) else 0


def _candidate(value: Any, heard: Sequence[_Heard], fields: Whitelist) -> Candidate:
    try:
        entry = ANSWER.validate_python(value)
    except ValidationError as error:
        raise _Left(fault_of(error)) from None
    if entry.event > len(heard):
        raise _Left("target_not_offered")
    said = heard[entry.event - 1]
    quote, start = _quote(entry, said)
    if entry.confidence < LEAST_CONFIDENCE:
        raise _Left("low_confidence", quote)
    if code := _not_meant(said.text, start):
        raise _Left(code, quote)
    if isinstance(entry, FieldEntry):
        return _field(entry, said, fields, quote=quote, start=start)
    return _sentence(entry, said, quote=quote, start=start)


def _quote(entry: Entry, said: _Heard) -> tuple[str, int]:
    """The quote as it stands in the turn, and where."""
    span = locate_quote(entry.quote, said.text)
    if span is None:
        raise _Left("quote_not_in_event")
    quote = said.text[span[0] : span[1]]
    if MASK in quote:
        raise _Left("secret")
    return quote, span[0]


def _not_meant(text: str, start: int) -> str:
    """Why the sentence at this place states nothing, or '': a joke, a question, a supposition, a pleasantry."""
    if turn_is_joke(text):
        return "joke"
    around = [each for each in split_sentences(text) if each.start <= start < each.start + len(each.text)]
    for sentence in around[:1]:
        return sentence_refusal(sentence.text) or sentence_code(sentence) or ""
    return ""


def _field(entry: FieldEntry, said: _Heard, fields: Whitelist, *, quote: str, start: int) -> FormCandidate:
    spec = fields.get((entry.form_type, entry.field))
    if spec is None:
        raise _Left("field_not_allowed", quote)
    if entry.operation == "set":
        if entry.value is None:
            raise _Left("entry_bad:value", quote)
        if fault := check_value(entry.value, field=spec).fault:
            raise _Left(fault, quote)
        if MASK in str(entry.value):
            raise _Left("secret")
        if _is_the_sentence(entry.value, quote):
            raise _Left("pronoun_unresolved", quote)
    # What a field is worth is the workspace's word: a model may raise it and not talk it down.
    importance = max(spec.default_importance, entry.importance or 0.0)
    return FormCandidate(
        form_type=entry.form_type,
        field=entry.field,
        subject=entry.subject,
        value=entry.value if entry.operation == "set" else None,
        operation=entry.operation,
        quote=quote,
        quote_start=start,
        confidence=entry.confidence,
        importance=Importance(value=importance, parts=(("model", importance),)),
        basis="corrected" if entry.never_true else "stated",
        explicit_correction=entry.corrects or entry.never_true,
        world_change=not entry.never_true,
        valid_from=_moment(entry.valid_from, "valid_from", said),
        valid_until=_moment(entry.valid_until, "valid_until", said),
    )


def _is_the_sentence(value: object, quote: str) -> bool:
    """Whether a value is no value but all that was said ('I am allergic to nuts'): small models answer so."""
    return isinstance(value, str) and value.strip() == quote.strip() and bool(_PRONOUN_SUBJECT.match(value))


def _sentence(entry: SentenceEntry, said: _Heard, *, quote: str, start: int) -> ItemCandidate:
    content = " ".join(entry.content.split())
    if code := sentence_fault(content, source=said.text, quote=quote):
        raise _Left(code, quote)
    importance = ITEM_DEFAULTS[entry.kind] if entry.importance is None else entry.importance
    has_place = bool(entry.subject and entry.attribute)
    return ItemCandidate(
        item_kind=entry.kind,
        content=content,
        entities=tuple(dict.fromkeys(name for name in entry.entities if name)),
        subject_entity=entry.subject if has_place else "",
        attribute=entry.attribute if has_place else "",
        value=entry.value if has_place else "",
        quote=quote,
        quote_start=start,
        confidence=entry.confidence,
        importance=Importance(value=importance, parts=(("model", importance),)),
        basis="corrected" if entry.never_true else "stated",
        explicit_correction=entry.corrects or entry.never_true,
        world_change=not entry.never_true,
        valid_from=_moment(entry.valid_from, "valid_from", said),
        valid_until=_moment(entry.valid_until, "valid_until", said),
    )


def sentence_fault(content: str, *, source: str, quote: str) -> str:
    """Why a sentence is not one to keep, or '': pronoun_unresolved, role_label, secret, other_language, other_script."""
    if _ROLE_LABEL.match(content):
        return "role_label"
    if _PRONOUN_SUBJECT.match(content):
        return "pronoun_unresolved"
    if MASK in content:
        return "secret"
    if language_of(content) not in {language_of(source), language_of(quote)}:
        return "other_language"
    return (
        "other_script" if _script_of(content) not in {"", _script_of(source) or _script_of(content)} else ""
    )


def _script_of(text: str) -> str:
    """'traditional' or 'simplified' by the characters that only one of the two has; '' when it has both or none."""
    traditional = Sentence(text, 0).is_traditional
    simplified = any(_is_only_simplified(character) for character in text)
    if traditional == simplified:
        return ""
    return "traditional" if traditional else "simplified"


def _is_only_simplified(character: str) -> bool:
    if not "\u3400" <= character <= "\u9fff":
        return False
    try:
        character.encode("big5hkscs")
    except UnicodeEncodeError:
        return True
    return False


def _moment(text: str | None, member: str, said: _Heard) -> datetime | None:
    """An instant from ISO text; a day or a time without an offset is the owner's."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise _Left(f"entry_bad:{member}") from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(said.turn.zone))
    if abs(aware - said.turn.occurred_at) > FARTHEST:
        raise _Left(f"entry_bad:{member}")
    return aware
