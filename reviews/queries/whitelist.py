"""The whitelist as the desk shows it: form types with their fields, one field with its history, terms asked for in vain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count

from memoryhub.models import Agent, FieldDefinition, FieldVersion, FormType, WhitelistEdit, Workspace
from memoryhub.recall.misses import MissedTerm, missed_terms
from memoryhub.whitelisting.definitions import differing, values_of
from memoryhub.whitelisting.stored_values import LIVE
from reviews.queries.names import staff_names
from reviews.queries.scopes import across

MOST_EDITS = 50
MISSES_OF = timedelta(days=30)


@dataclass(frozen=True, kw_only=True, slots=True)
class TypeRow:
    form_type: FormType
    fields: Sequence[FieldDefinition]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedColumn:
    """What one column said before (None for what was not there) and says after."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class EditRow:
    edit: WhitelistEdit
    by: str
    columns: Sequence[ChangedColumn]


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldDetail:
    """A field, its newest 50 edits, and the number of live values stored under it."""

    field: FieldDefinition
    version: int
    edits: Sequence[EditRow]
    stored: int
    agents: dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class MissRow:
    miss: MissedTerm
    suggested: FieldDefinition | None


def list_whitelist(*, workspace: Workspace) -> list[TypeRow]:
    """Every form type of the workspace with its fields: two statements."""
    types = FormType.objects.filter(workspace=workspace).order_by("name")
    fields = all_fields(workspace=workspace)
    return [
        TypeRow(form_type=row, fields=[field for field in fields if field.form_type_id == row.id])
        for row in types
    ]


def all_fields(*, workspace: Workspace) -> list[FieldDefinition]:
    rows = FieldDefinition.objects.filter(form_type__workspace=workspace).select_related("form_type")
    return list(rows.order_by("form_type__name", "name"))


def active_fields(*, workspace: Workspace) -> list[FieldDefinition]:
    """The fields in use: what an alias may be made for."""
    return [field for field in all_fields(workspace=workspace) if field.active]


def find_type(*, workspace: Workspace, name: str) -> FormType | None:
    return FormType.objects.filter(workspace=workspace, name=name).first()


def find_field_row(*, workspace: Workspace, form_type: str, name: str) -> FieldDefinition | None:
    rows = FieldDefinition.objects.filter(
        form_type__workspace=workspace, form_type__name=form_type, name=name
    )
    return rows.select_related("form_type").first()


def agents_of(*, workspace: Workspace) -> list[Agent]:
    return list(Agent.objects.filter(workspace=workspace).order_by("name"))


def field_detail(*, workspace: Workspace, field: FieldDefinition) -> FieldDetail:
    """Four statements besides those of the scope."""
    edits = history_of(field)
    live = FieldVersion.objects.filter(workspace_id=workspace.id, field_id=field.id, status__in=LIVE)
    with across(workspace):
        stored = live.aggregate(n=Count("owner_id"))["n"]
    return FieldDetail(
        field=field,
        version=edits[0].edit.version if edits else 1,
        edits=edits,
        stored=stored,
        agents={str(row.id): row.name for row in agents_of(workspace=workspace)},
    )


def history_of(row: FieldDefinition | FormType) -> list[EditRow]:
    """The newest edits of a field or form type, newest first: two statements."""
    about = {"field": row} if isinstance(row, FieldDefinition) else {"form_type": row, "field": None}
    found = list(WhitelistEdit.objects.filter(**about).order_by("-version")[:MOST_EDITS])
    names = staff_names(edit.user_id for edit in found)
    return [EditRow(edit=edit, by=names.get(edit.user_id, ""), columns=_columns(edit)) for edit in found]


def changed_columns(field: FieldDefinition, values: dict[str, Any]) -> list[ChangedColumn]:
    """What an edit to `values` would change."""
    before = values_of(field)
    return [
        ChangedColumn(name=name, before=before[name], after=values[name])
        for name in differing(before, values)
    ]


def list_misses(*, workspace: Workspace, now: datetime) -> tuple[list[MissRow], list[FieldDefinition]]:
    """What recalls of the last 30 days asked for in vain, and the active fields it could be made an alias of."""
    misses = missed_terms(workspace_id=workspace.id, since=now - MISSES_OF)
    fields = [field for field in all_fields(workspace=workspace) if field.active]
    by_id = {field.id: field for field in fields}
    rows = [
        MissRow(miss=miss, suggested=by_id.get(miss.suggested) if miss.suggested else None) for miss in misses
    ]
    return rows, fields


def _columns(edit: WhitelistEdit) -> list[ChangedColumn]:
    if edit.before is None:
        return []
    return [
        ChangedColumn(name=name, before=edit.before.get(name), after=edit.after[name])
        for name in differing(edit.before, edit.after)
    ]
