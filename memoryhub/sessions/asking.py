"""A value that is asked to be kept for the conversation: what it may be, where it would be kept for good, whether it is served."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memoryhub.exceptions import InvalidInput
from memoryhub.language.masking import MASK, mask_secrets
from memoryhub.language.text import find_text_fault, normalise_value
from memoryhub.policies import Policy
from memoryhub.sessions.contexts import is_context, kind_of, name_of
from memoryhub.sessions.moves import SaidBy
from memoryhub.writing.screening import screen
from memoryhub.writing.source import Source
from memoryhub.writing.whitelist import LONGEST_VALUE_KEY, FieldSpec, Whitelist

MOST_SLOTS = 50
LONGEST_VALUE = 1_000
LONGEST_QUOTE = 1_000
SHORTEST_LIFE, LONGEST_LIFE = 60, 7 * 86_400
"""Seconds."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_FORM_OF_KIND = {"order": "order", "parcel": "order", "ticket": "incident"}


@dataclass(frozen=True, kw_only=True, slots=True)
class NewSlot:
    """One value for one name in one context. `value` None empties the slot; `lifetime_seconds` None is the policy's life.

    `fate` and what follows it are known already when the write path has settled the value by another way (an event).
    """

    context: str
    name: str
    value: str | int | float | bool | None
    said_by: SaidBy = "user"
    event_id: UUID | None = None
    quote: str = ""
    importance: float | None = None
    confidence: float | None = None
    lifetime_seconds: int | None = None
    expected_version: int | None = None
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""
    fate: str = ""
    fate_code: str = ""
    target_id: UUID | None = None
    change_id: UUID | None = None


def check_slots(slots: Sequence[NewSlot]) -> None:
    """Raise InvalidInput naming the place of the first rule that is broken."""
    if not 1 <= len(slots) <= MOST_SLOTS:
        raise InvalidInput(f"1 to {MOST_SLOTS} slots", field="slots", code="batch_size")
    seen: set[tuple[str, str]] = set()
    for index, slot in enumerate(slots):
        if fault := _fault(slot):
            field, code, message = fault
            raise InvalidInput(message, field=f"slots[{index}].{field}", code=code)
        if (slot.context, slot.name) in seen:
            raise InvalidInput("a slot is named twice", field=f"slots[{index}].name", code="named_twice")
        seen.add((slot.context, slot.name))


def _fault(slot: NewSlot) -> tuple[str, str, str] | None:
    if not is_context(slot.context):
        return "context", "bad_context", "a context is empty or kind:name, as order:A"
    if not _NAME.fullmatch(slot.name):
        return "name", "bad_name", "a name is small letters, digits and underscores, at most 60"
    for field, value, longest in (
        ("context", slot.context, 220),
        ("value", slot.value, LONGEST_VALUE),
        ("quote", slot.quote, LONGEST_QUOTE),
    ):
        if fault := find_text_fault(value, field=field, max_length=longest):
            return field, fault.code, fault.code.replace("_", " ")
    if isinstance(slot.value, str) and not slot.value.strip():
        return "value", "blank", "a value is not blank; null empties the slot"
    life = slot.lifetime_seconds
    if life is not None and not SHORTEST_LIFE <= life <= LONGEST_LIFE:
        return "lifetime_seconds", "out_of_range", f"{SHORTEST_LIFE} to {LONGEST_LIFE} seconds"
    return None


def without_secrets(slot: NewSlot) -> NewSlot:
    """The slot with secrets in its value and its quote overwritten: working memory never holds one."""
    if not isinstance(slot.value, str):
        return replace(slot, quote=mask_secrets(slot.quote)[0])
    masked = mask_secrets(_text_of(slot))[0]
    return replace(slot, value=masked[-len(slot.value) :], quote=mask_secrets(slot.quote)[0])


def _text_of(slot: NewSlot) -> str:
    """What a reader would see; a masked text has the length of the text."""
    return f"{slot.context} {slot.name.replace('_', ' ')} {slot.value}"


def field_of(slot: NewSlot, whitelist: Whitelist) -> tuple[str, str, str]:
    """Form type, subject and field the value would be kept in for good; three times '' when there is none.

    Named by the writer, else the field of that name on the form of the context, else the only field of that name.
    """
    if slot.form_type and slot.field_name:
        return slot.form_type, slot.form_subject, slot.field_name
    form_type = _FORM_OF_KIND.get(kind_of(slot.context), "")
    if form_type and (form_type, slot.name) in whitelist:
        return form_type, name_of(slot.context), slot.name
    named = [key for key in whitelist if key[1] == slot.name]
    if not slot.context and len(named) == 1:
        return named[0][0], "", slot.name
    return "", "", ""


def key_of(slot: NewSlot, whitelist: Whitelist) -> str:
    """Equal for values that mean the same: by the type of its field, else as text."""
    form_type, _, field = field_of(slot, whitelist)
    spec: FieldSpec | None = whitelist.get((form_type, field))
    kind = spec.value_type if spec else ("boolean" if isinstance(slot.value, bool) else "text")
    return normalise_value(slot.value, kind)[:LONGEST_VALUE_KEY]


def reason_to_hold(slot: NewSlot, *, source: Source, policy: Policy) -> str:
    """Why the value is kept but not served to a model: '' when it is served."""
    text = _text_of(slot)
    if mask_secrets(text)[1] or MASK in text:
        return "secret"
    if any(flag.startswith("instruction_like") for flag in screen(text, role="user").flags):
        return "instruction_like"
    return "low_trust" if source.trust_tier <= policy.untrusted_up_to_tier else ""
