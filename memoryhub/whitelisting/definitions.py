"""What a person may say about a form type or a field, as plain data, and the rules it must keep. No query here."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import Any

from memoryhub.exceptions import InvalidInput
from memoryhub.language.text import clean, find_text_fault
from memoryhub.models import Event, FieldDefinition, FormType
from memoryhub.whitelisting.aliases import alias_key

type Values = dict[str, Any]

TYPE_COLUMNS = ("label_en", "label_zh")
FIELD_COLUMNS = (
    "label_en", "label_zh", "value_type", "choices", "minimum", "maximum", "max_length", "aliases", "multi_valued",
    "key_attribute", "safety", "sensitivity", "default_importance", "conflict_policy", "tolerance", "lifetime_days",
    "review_mode", "least_trust_tier", "writer_roles", "writer_agents", "decay_rate", "active",
)  # fmt: skip
SENSITIVITIES = ("normal", "personal", "health", "financial")
LONGEST_LABEL, LONGEST_WORD, LONGEST_NAME = 100, 60, 60
MOST_CHOICES, MOST_ALIASES = 50, 60
LONGEST_VALUE = 2_000
LONGEST_LIFETIME = 36_500
LONGEST_REASON = 500
MEASURED = ("number", "money", "date", "datetime")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def values_of(row: FieldDefinition | FormType) -> Values:
    """The editable columns of a row, JSON-ready."""
    columns = FIELD_COLUMNS if isinstance(row, FieldDefinition) else TYPE_COLUMNS
    found = {column: getattr(row, column) for column in columns}
    if "writer_agents" in found:
        found["writer_agents"] = [str(agent_id) for agent_id in found["writer_agents"]]
    return found


def differing(before: Values | None, after: Values) -> list[str]:
    """The columns in which two versions differ, in the order of the form."""
    return [name for name in after if before is None or before.get(name) != after[name]]


def check_name(name: str) -> None:
    """A name agents write: lower-case letters, digits and underscores. It never changes. Raises InvalidInput."""
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        raise InvalidInput(
            "lower-case letters, digits and underscores, a letter first", field="name", code="bad_name"
        )


def check_reason(reason: str) -> str:
    """The reason without blanks around it. Raises InvalidInput when there is none."""
    return _words(reason, "reason", LONGEST_REASON)


def check_labels(values: Values) -> None:
    for name in TYPE_COLUMNS:
        _words(values[name], name, LONGEST_LABEL)


def check_field(values: Values, *, agents: Collection[str]) -> None:
    """Whether a field may be as `values` say; `agents` are the ids there are. Raises InvalidInput naming column and rule."""
    check_labels(values)
    _one_of(values, "value_type", FieldDefinition.ValueType.values)
    _one_of(values, "conflict_policy", FieldDefinition.ConflictPolicy.values)
    _one_of(values, "review_mode", FieldDefinition.ReviewMode.values)
    _one_of(values, "sensitivity", SENSITIVITIES)
    _check_choices(values)
    _check_bounds(values)
    _check_words(values["aliases"], "aliases", MOST_ALIASES)
    _within(values, "max_length", 1, LONGEST_VALUE)
    _within(values, "default_importance", 0, 1)
    _within(values, "decay_rate", 0, 1)
    _within(values, "least_trust_tier", 1, 4)
    _within(values, "lifetime_days", 1, LONGEST_LIFETIME, may_be_empty=True)
    _check_tolerance(values)
    if set(values["writer_roles"]) - set(Event.Role.values):
        raise InvalidInput("unknown role", field="writer_roles", code="unknown")
    if set(values["writer_agents"]) - set(agents):
        raise InvalidInput("unknown agent", field="writer_agents", code="unknown")


def _words(text: str, name: str, longest: int) -> str:
    if fault := find_text_fault(text, field=name, max_length=longest):
        raise InvalidInput(fault.code, field=name, code=fault.code)
    if not text.strip():
        raise InvalidInput("is blank", field=name, code="blank")
    return text.strip()


def _one_of(values: Values, name: str, known: Sequence[str]) -> None:
    if values[name] not in known:
        raise InvalidInput(f"one of {', '.join(known)}", field=name, code="unknown")


def _within(values: Values, name: str, least: float, most: float, *, may_be_empty: bool = False) -> None:
    value = values[name]
    if value is None and may_be_empty:
        return
    if value is None or not math.isfinite(value) or not least <= value <= most:
        raise InvalidInput(
            f"between {least} and {most}",
            field=name,
            code="out_of_range",
            details={"least": least, "most": most},
        )


def _check_words(words: Sequence[str], name: str, most: int) -> None:
    if len(words) > most:
        raise InvalidInput(f"at most {most}", field=name, code="too_many", details={"most": most})
    seen: set[str] = set()
    for word in words:
        _words(word, name, LONGEST_WORD)
        key = alias_key(word)
        if not key or key in seen:
            raise InvalidInput(
                "given twice" if key else "no letter", field=name, code="repeated" if key else "blank",
                details={"word": word},
            )  # fmt: skip
        seen.add(key)


def _check_choices(values: Values) -> None:
    choices, is_choice = values["choices"], values["value_type"] == "choice"
    if is_choice and not choices:
        raise InvalidInput("a choice needs choices", field="choices", code="choices_missing")
    if choices and not is_choice:
        raise InvalidInput("only a choice has choices", field="choices", code="choices_without_choice")
    _check_words(choices, "choices", MOST_CHOICES)
    if len({clean(choice).casefold() for choice in choices}) < len(choices):
        raise InvalidInput("given twice", field="choices", code="repeated")


def _check_bounds(values: Values) -> None:
    bounds = {name: values[name] for name in ("minimum", "maximum") if values[name] is not None}
    for name, bound in bounds.items():
        if values["value_type"] not in ("number", "money"):
            raise InvalidInput("only a number has bounds", field=name, code="bounds_without_number")
        if not math.isfinite(bound):
            raise InvalidInput("not a finite number", field=name, code="number_not_finite")
    if len(bounds) == 2 and bounds["minimum"] > bounds["maximum"]:
        raise InvalidInput("ends before it begins", field="maximum", code="below_the_minimum")


def _check_tolerance(values: Values) -> None:
    if values["tolerance"] is None:
        return
    if values["value_type"] not in MEASURED:
        raise InvalidInput(
            "only numbers and dates have a tolerance", field="tolerance", code="tolerance_without_measure"
        )
    is_share = values["value_type"] in ("number", "money")
    _within(values, "tolerance", 0, 1 if is_share else 24 * 366)
