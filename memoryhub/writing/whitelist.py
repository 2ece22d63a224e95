"""The fields of a workspace as plain data, and whether a value may be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from memoryhub.language.calendar import parse_date, parse_datetime
from memoryhub.language.text import clean, find_text_fault
from memoryhub.language.values import normalise_value
from memoryhub.models import FieldDefinition

LONGEST_VALUE_KEY = 600


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldSpec:
    """One whitelisted field. `tolerance` is a share for numbers and hours for dates; `lifetime_days` None is until changed."""

    id: UUID
    form_type_id: UUID
    form_type: str
    name: str
    label_en: str
    label_zh: str
    value_type: str
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    max_length: int
    multi_valued: bool
    key_attribute: bool
    safety: bool
    default_importance: float
    conflict_policy: str
    tolerance: float | None
    lifetime_days: int | None
    review_mode: str
    least_trust_tier: int
    writer_roles: tuple[str, ...]
    writer_agents: tuple[UUID, ...]
    decay_rate: float
    aliases: tuple[str, ...]


type Whitelist = Mapping[tuple[str, str], FieldSpec]


def load_whitelist(*, workspace_id: UUID) -> dict[tuple[str, str], FieldSpec]:
    """The active fields of the workspace by (form type, field name); one query."""
    rows = FieldDefinition.objects.filter(form_type__workspace_id=workspace_id, active=True).select_related(
        "form_type"
    )
    return {(row.form_type.name, row.name): spec_of(row) for row in rows}


def spec_of(row: FieldDefinition) -> FieldSpec:
    """A field as plain data; its form type is loaded with it."""
    return FieldSpec(
        id=row.id,
        form_type_id=row.form_type_id,
        form_type=row.form_type.name,
        name=row.name,
        label_en=row.label_en,
        label_zh=row.label_zh,
        value_type=row.value_type,
        choices=tuple(row.choices),
        minimum=row.minimum,
        maximum=row.maximum,
        max_length=row.max_length,
        multi_valued=row.multi_valued,
        key_attribute=row.key_attribute,
        safety=row.safety,
        default_importance=row.default_importance,
        conflict_policy=row.conflict_policy,
        tolerance=row.tolerance,
        lifetime_days=row.lifetime_days,
        review_mode=row.review_mode,
        least_trust_tier=row.least_trust_tier,
        writer_roles=tuple(row.writer_roles),
        writer_agents=tuple(row.writer_agents),
        decay_rate=row.decay_rate,
        aliases=tuple(row.aliases),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedValue:
    """A value fit to be stored and its normalised form, or the code of the rule it breaks."""

    value: Any = None
    norm: str = ""
    fault: str = ""


def check_value(value: Any, *, field: FieldSpec) -> CheckedValue:
    """Whether the value is of the field's type and in its range. Faults: wrong_type, not_a_choice, out_of_range, too_long, blank_value, and the codes of find_text_fault."""
    if fault := find_text_fault(value, max_length=16_000):
        return CheckedValue(fault=fault.code)
    if isinstance(value, dict | list) or value is None:
        return CheckedValue(fault="wrong_type")
    norm = normalise_value(value, field.value_type)
    if not norm:
        return CheckedValue(fault="blank_value")
    if len(str(value)) > field.max_length or len(norm) > LONGEST_VALUE_KEY:
        return CheckedValue(fault="too_long")
    return CheckedValue(value=value, norm=norm, fault=_type_fault(value, norm, field))


def _type_fault(value: Any, norm: str, field: FieldSpec) -> str:
    match field.value_type:
        case "choice":
            return "" if norm in {clean(choice).casefold() for choice in field.choices} else "not_a_choice"
        case "boolean":
            return "" if norm in ("true", "false") else "wrong_type"
        case "number" | "money":
            return _range_fault(norm.split(" ")[0], field)
        case "date":
            return "" if parse_date(norm) else "wrong_type"
        case "datetime":
            return "" if parse_datetime(norm) or parse_date(norm) else "wrong_type"
        case _:
            return "" if isinstance(value, str) else "wrong_type"


def _range_fault(digits: str, field: FieldSpec) -> str:
    try:
        number = float(digits)
    except ValueError:
        return "wrong_type"
    too_low = field.minimum is not None and number < field.minimum
    too_high = field.maximum is not None and number > field.maximum
    return "out_of_range" if too_low or too_high else ""


def within_tolerance(old: str, new: str, *, field: FieldSpec) -> bool:
    """Whether two normalised values of the field differ by no more than its tolerance."""
    if field.tolerance is None:
        return False
    if field.value_type in ("number", "money"):
        before, after = float(old.split(" ")[0]), float(new.split(" ")[0])
        return abs(after - before) <= field.tolerance * abs(before)
    if field.value_type in ("date", "datetime"):
        hours = abs((_moment(new) - _moment(old)).total_seconds()) / 3600
        return hours <= field.tolerance
    return False


def _moment(norm: str) -> datetime:
    moment = datetime.fromisoformat(norm)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
