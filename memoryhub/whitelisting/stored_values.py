"""Whether a field can become something else without making what is stored under it wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count

from memoryhub.models import FieldDefinition, FieldVersion
from memoryhub.whitelisting.definitions import Values
from memoryhub.writing.whitelist import FieldSpec, check_value, spec_of

LIVE = (FieldVersion.Status.ACTIVE, FieldVersion.Status.SCHEDULED)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredFault:
    """`count` live values would break the rule `code`, which is about the column `column`."""

    column: str
    code: str
    count: int


def find_stored_fault(*, workspace_id: UUID, field: FieldDefinition, values: Values) -> StoredFault | None:
    """What an edit of `field` to `values` would do to its live values (active and scheduled): one statement, or none.

    Call inside a scope that spans the workspace. A value whose normalised form would be another one counts as broken too,
    because equality is by that form.
    """
    before, after = spec_of(field), _becoming(field, values)
    reshaping = ("value_type", "choices", "minimum", "maximum", "max_length", "multi_valued")
    if all(getattr(before, name) == getattr(after, name) for name in reshaping):
        return None
    live = FieldVersion.objects.filter(workspace_id=workspace_id, field_id=field.id, status__in=LIVE)
    counted = live.order_by().values_list("value", "value_norm").annotate(n=Count("owner_id"))
    broken: dict[str, int] = {}
    for value, norm, number in counted:
        if code := _fault(value, norm, before=before, after=after):
            broken[code] = broken.get(code, 0) + number
    if not broken:
        return None
    code = max(broken, key=lambda found: broken[found])
    return StoredFault(column=_column(code, before, after), code=code, count=sum(broken.values()))


def _fault(value: object, norm: str, *, before: FieldSpec, after: FieldSpec) -> str:
    if before.multi_valued != after.multi_valued:
        return "stored_one_by_one"
    checked = check_value(value, field=after)
    if checked.fault:
        return checked.fault
    return "" if checked.norm == norm else "wrong_type"


def _column(code: str, before: FieldSpec, after: FieldSpec) -> str:
    if code == "stored_one_by_one":
        return "multi_valued"
    if before.value_type != after.value_type:
        return "value_type"
    if code == "out_of_range":
        return "minimum" if before.minimum != after.minimum else "maximum"
    return {"not_a_choice": "choices", "too_long": "max_length"}.get(code, "value_type")


def _becoming(field: FieldDefinition, values: Values) -> FieldSpec:
    return replace(
        spec_of(field),
        value_type=values["value_type"],
        choices=tuple(values["choices"]),
        minimum=values["minimum"],
        maximum=values["maximum"],
        max_length=values["max_length"],
        multi_valued=values["multi_valued"],
    )
