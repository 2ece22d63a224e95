"""What a check takes for claimed: what was given, what the rule extractor reads in a text, what stands in the session. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memoryhub.exceptions import InvalidInput
from memoryhub.language.names import name_key
from memoryhub.language.text import find_text_fault
from memoryhub.language.values import normalise_value
from memoryhub.models import new_id
from memoryhub.recall.asking import fields_named
from memoryhub.recall.knowing import Known
from memoryhub.recall.state_check import Claim, ClaimSource
from memoryhub.sessions.contexts import WHOLE, kind_of, name_of
from memoryhub.sessions.filling import KIND_OF_FORM
from memoryhub.writing.candidates import FormCandidate, Turn
from memoryhub.writing.extraction import extract
from memoryhub.writing.whitelist import FieldSpec, Whitelist, check_value

# In a draft of the agent the owner is 'you'; the rules read the owner's own words.
_AS_OWNER = (
    (re.compile(r"\byou['’]re\b|\byou\s+are\b", re.IGNORECASE), "I am"),
    (re.compile(r"\byou['’]ve\b|\byou\s+have\b", re.IGNORECASE), "I have"),
    (re.compile(r"\byours?\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
    (re.compile(r"[您你]们?"), "我"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenClaim:
    """A claim as it was sent. `field` is 'form_type.field', or a name or alias that means one field."""

    field: str
    value: Any
    subject: str = ""


def claims_given(given: Sequence[GivenClaim], *, known: Known, whitelist: Whitelist) -> Iterator[Claim]:
    """Raises InvalidInput naming the claim for a field nobody knows, one that could be several, and an unusable value."""
    for index, claim in enumerate(given):
        spec = _field(claim.field, index, known, whitelist)
        for name, value in (("value", claim.value), ("subject", claim.subject)):
            if fault := find_text_fault(value, field=f"claims[{index}].{name}", max_length=16_000):
                raise InvalidInput(fault.code.replace("_", " "), field=fault.field, code=fault.code)
        removes = claim.value is None
        checked = None if removes else check_value(claim.value, field=spec)
        if checked is not None and checked.fault:
            raise InvalidInput(
                f"value: {checked.fault.replace('_', ' ')}",
                field=f"claims[{index}].value",
                code=checked.fault,
            )
        yield _claim(
            spec,
            subject=claim.subject,
            value=claim.value,
            norm=checked.norm if checked else "",
            source="claim",
            index=index,
            removes=removes,
        )


def _field(name: str, index: int, known: Known, whitelist: Whitelist) -> FieldSpec:
    form_type, _, field = name.strip().partition(".")
    if spec := whitelist.get((form_type, field)):
        return spec
    wanted = name_key(name)
    named = [spec for spec in whitelist.values() if spec.name == wanted]
    if not named:
        by_id = {spec.id: spec for spec in whitelist.values()}
        aliases = fields_named(wanted, known.fields)
        named = [
            by_id[field_id]
            for field_id, alias in aliases.items()
            if name_key(alias) == wanted and field_id in by_id
        ]
    if len(named) == 1:
        return named[0]
    where = f"claims[{index}].field"
    if not named:
        raise InvalidInput("no such field", field=where, code="unknown_field")
    choices = sorted(f"{spec.form_type}.{spec.name}" for spec in named)
    raise InvalidInput(
        "names several fields; say which", field=where, code="ambiguous_field", details={"choices": choices}
    )


def claims_in_text(
    text: str, *, speaker: Literal["user", "assistant"], known: Known, whitelist: Whitelist
) -> Iterator[Claim]:
    """What the rules of the write path read in the text, in the owner's voice or in the agent's about him."""
    if not text.strip():
        return
    read = text
    if speaker == "assistant":
        for pattern, owner in _AS_OWNER:
            read = pattern.sub(owner, read)
    turn = Turn(event_id=new_id(), text=read, role="user", occurred_at=known.now, zone=known.zone)
    for candidate in extract(turn, fields=whitelist).candidates:
        if not isinstance(candidate, FormCandidate) or candidate.operation == "restore":
            continue
        spec = whitelist[candidate.form_type, candidate.field]
        removes = candidate.operation == "remove"
        yield _claim(
            spec,
            subject=candidate.subject,
            value=candidate.value,
            norm="" if candidate.value is None else normalise_value(candidate.value, spec.value_type),
            source="text",
            quote=candidate.quote if speaker == "user" else "",
            removes=removes,
            is_correction=candidate.explicit_correction and speaker == "user",
        )


def claims_in_session(known: Known, *, whitelist: Whitelist) -> Iterator[Claim]:
    """The values that stand in the session, as far as they are values of a field."""
    for slot in known.slots:
        if slot.place is not None:
            form_type, subject, field = slot.place
        else:
            form_type, subject, field = _place_of(slot.context, slot.name, whitelist)
        spec = whitelist.get((form_type, field))
        if spec is None or slot.value is None:
            continue
        yield _claim(
            spec,
            subject=subject,
            value=slot.value,
            norm=normalise_value(slot.value, spec.value_type),
            source="session",
            slot_id=slot.id,
        )


def _place_of(context: str, name: str, whitelist: Whitelist) -> tuple[str, str, str]:
    """The field a slot without one would be a value of: that of its context's form, or for the whole conversation the one so named."""
    if context != WHOLE:
        form_type = next((form for form, kind in KIND_OF_FORM.items() if kind == kind_of(context)), "")
        return form_type, name_of(context), name
    named = [spec for spec in whitelist.values() if spec.name == name]
    return (named[0].form_type, "", name) if len(named) == 1 else ("", "", name)


def _claim(
    spec: FieldSpec, *, subject: str, value: Any, norm: str, source: ClaimSource, **more: Any
) -> Claim:
    return Claim(
        form_type=spec.form_type,
        field=spec.name,
        subject=subject,
        label_en=spec.label_en,
        label_zh=spec.label_zh,
        value=value,
        norm=norm,
        source=source,
        **more,
    )
