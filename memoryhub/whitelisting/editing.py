"""Edit the whitelist: each edit is one transaction, one version with who, when and why, and one audit entry.

Writers take the workspace's row first, so that two people cannot give one alias to two fields at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet

from memoryhub import audit
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.models import Agent, FieldDefinition, FormType, WhitelistEdit, Workspace
from memoryhub.whitelisting.aliases import find_alias_conflict
from memoryhub.whitelisting.definitions import (
    FIELD_COLUMNS,
    Values,
    check_field,
    check_labels,
    check_name,
    check_reason,
    differing,
    values_of,
)
from memoryhub.whitelisting.stored_values import find_stored_fault

Action = WhitelistEdit.Action


@dataclass(frozen=True, kw_only=True, slots=True)
class Editor:
    """Who edits, in which workspace, and why."""

    workspace_id: UUID
    user_id: int
    reason: str


def create_form_type(*, editor: Editor, name: str, values: Values) -> FormType:
    """A new form type. Raises InvalidInput naming column and rule."""
    check_name(name)
    check_labels(values)
    reason = check_reason(editor.reason)
    with _edit(editor):
        if FormType.objects.filter(workspace_id=editor.workspace_id, name=name).exists():
            raise InvalidInput("there is one already", field="name", code="taken")
        row = FormType.objects.create(workspace_id=editor.workspace_id, name=name, **values)
        _note(row, editor, reason, action=Action.CREATE, before=None)
    return row


def edit_form_type(*, editor: Editor, name: str, expected_version: int, values: Values) -> FormType:
    """New labels for a form type. Raises NotFound, InvalidInput, VersionMoved when somebody was faster."""
    check_labels(values)
    reason = check_reason(editor.reason)
    with _edit(editor):
        row = find_form_type(editor.workspace_id, name)
        _check_version(row, expected_version)
        _change(row, {**values_of(row), **values}, editor, reason, action=Action.EDIT)
    return row


def create_field(
    *, editor: Editor, form_type: str, name: str, values: Values, share_aliases: bool = False
) -> FieldDefinition:
    """A new field. Raises NotFound for an unknown form type, InvalidInput naming column and rule.

    An alias that names another field already is refused unless `share_aliases` says that both are meant.
    """
    check_name(name)
    reason = check_reason(editor.reason)
    with _edit(editor):
        check_field(values, agents=_agents(editor.workspace_id))
        kind = find_form_type(editor.workspace_id, form_type)
        if FieldDefinition.objects.filter(form_type=kind, name=name).exists():
            raise InvalidInput("there is one already", field="name", code="taken")
        if not share_aliases:
            _refuse_alias_conflict(editor.workspace_id, None, values["aliases"])
        row = FieldDefinition.objects.create(form_type=kind, name=name, **values)
        _note(row, editor, reason, action=Action.CREATE, before=None)
    return row


def edit_field(
    *,
    editor: Editor,
    form_type: str,
    name: str,
    expected_version: int,
    values: Values,
    share_aliases: bool = False,
) -> FieldDefinition:
    """Change a field. Raises NotFound, InvalidInput, and VersionMoved when somebody edited it meanwhile.

    Refused with the number of values in `details['count']` when stored live values would break the new rules.
    """
    reason = check_reason(editor.reason)
    with _edit(editor):
        row = find_field(editor.workspace_id, form_type, name)
        _check_version(row, expected_version)
        _check_becoming(row, values, editor, share_aliases=share_aliases)
        _change(row, values, editor, reason, action=Action.EDIT)
    return row


def check_field_edit(
    *, editor: Editor, form_type: str, name: str, values: Values, share_aliases: bool = False
) -> None:
    """Whether `edit_field` would take these values; nothing is written. Raises NotFound and InvalidInput as it does."""
    with _edit(editor):
        row = find_field(editor.workspace_id, form_type, name)
        _check_becoming(row, values, editor, share_aliases=share_aliases)
        if not differing(values_of(row), values):
            raise InvalidInput("nothing would change", field="", code="unchanged")


def restore_field(
    *,
    editor: Editor,
    form_type: str,
    name: str,
    expected_version: int,
    version: int,
    share_aliases: bool = False,
) -> FieldDefinition:
    """Make the field what it was in an earlier version; a new version like any other edit. Raises as `edit_field`."""
    reason = check_reason(editor.reason)
    with _edit(editor):
        row = find_field(editor.workspace_id, form_type, name)
        _check_version(row, expected_version)
        earlier = WhitelistEdit.objects.filter(field=row, version=version).first()
        if earlier is None:
            raise NotFound
        # A column that did not exist then keeps what it says now.
        values = {**values_of(row), **{c: v for c, v in earlier.after.items() if c in FIELD_COLUMNS}}
        _check_becoming(row, values, editor, share_aliases=share_aliases)
        _change(row, values, editor, reason, action=Action.RESTORE, restored_version=version)
    return row


def add_alias(*, editor: Editor, field_id: UUID, alias: str) -> FieldDefinition:
    """Let one more word name a field. Raises NotFound, InvalidInput (also when it names another field already)."""
    with _edit(editor):
        row = _fields(editor.workspace_id).filter(id=field_id, active=True).first()
        if row is None:
            raise NotFound
        values = {**values_of(row), "aliases": [*row.aliases, alias.strip()]}
        _check_becoming(row, values, editor, share_aliases=False)
        _change(row, values, editor, check_reason(editor.reason), action=Action.ALIAS)
    return row


def find_form_type(workspace_id: UUID, name: str) -> FormType:
    """Raises NotFound."""
    row = FormType.objects.filter(workspace_id=workspace_id, name=name).first()
    if row is None:
        raise NotFound
    return row


def find_field(workspace_id: UUID, form_type: str, name: str) -> FieldDefinition:
    """Raises NotFound."""
    row = _fields(workspace_id).filter(form_type__name=form_type, name=name).first()
    if row is None:
        raise NotFound
    return row


def version_of(row: FieldDefinition | FormType) -> int:
    """The number of the version that stands; 1 for what was never edited."""
    newest: int | None = _edits(row).aggregate(n=Max("version"))["n"]
    return newest or 1


def _fields(workspace_id: UUID) -> QuerySet[FieldDefinition]:
    return FieldDefinition.objects.filter(form_type__workspace_id=workspace_id).select_related("form_type")


def _edits(row: FieldDefinition | FormType) -> QuerySet[WhitelistEdit]:
    if isinstance(row, FieldDefinition):
        return WhitelistEdit.objects.filter(field=row)
    return WhitelistEdit.objects.filter(form_type=row, field=None)


@contextmanager
def _edit(editor: Editor) -> Iterator[None]:
    with scope(workspace_id=editor.workspace_id, owners="workspace", purpose="desk"):
        Workspace.objects.select_for_update(no_key=True).get(id=editor.workspace_id)
        yield


def _agents(workspace_id: UUID) -> set[str]:
    return {str(i) for i in Agent.objects.filter(workspace_id=workspace_id).values_list("id", flat=True)}


def _check_version(row: FieldDefinition | FormType, expected: int) -> None:
    current = version_of(row)
    if current != expected:
        raise VersionMoved(details={"current": current})


def _check_becoming(row: FieldDefinition, values: Values, editor: Editor, *, share_aliases: bool) -> None:
    check_field(values, agents=_agents(editor.workspace_id))
    if values["active"] and not share_aliases:
        # What already named it may go on naming it; coming back into use it has to ask again.
        kept = set(row.aliases) if row.active else set()
        new = [alias for alias in values["aliases"] if alias not in kept]
        _refuse_alias_conflict(editor.workspace_id, row.id, new)
    fault = find_stored_fault(workspace_id=editor.workspace_id, field=row, values=values)
    if fault:
        raise InvalidInput(
            "stored values would break this rule",
            field=fault.column,
            code="stored_values",
            details={"rule": fault.code, "count": fault.count},
        )


def _refuse_alias_conflict(workspace_id: UUID, field_id: UUID | None, aliases: list[str]) -> None:
    found = find_alias_conflict(workspace_id=workspace_id, field_id=field_id, aliases=aliases)
    if found:
        raise InvalidInput(
            "names another field already",
            field="aliases",
            code="alias_taken",
            details={"alias": found.alias, "field": f"{found.form_type}.{found.field}"},
        )


def _change(
    row: FieldDefinition | FormType, values: Values, editor: Editor, reason: str, **edit: Any
) -> None:
    before = values_of(row)
    if not differing(before, values):
        raise InvalidInput("nothing would change", field="", code="unchanged")
    for column, value in values.items():
        setattr(row, column, value)
    row.save(update_fields=list(values))
    _note(row, editor, reason, before=before, **edit)


def _note(
    row: FieldDefinition | FormType, editor: Editor, reason: str, *, before: Values | None, **edit: Any
) -> None:
    is_field = isinstance(row, FieldDefinition)
    form_type = row.form_type if isinstance(row, FieldDefinition) else row
    about = {"workspace_id": editor.workspace_id, "form_type": form_type, "field": row if is_field else None}
    if before is not None and not _edits(row).exists():
        WhitelistEdit.objects.create(**about, version=1, action=Action.START, after=before)
    newest = _edits(row).aggregate(n=Max("version"))["n"] or 0
    after = values_of(row)
    WhitelistEdit.objects.create(
        **about, version=newest + 1, before=before, after=after, reason=reason, user_id=editor.user_id, **edit
    )
    audit.record(
        audit.entry(
            action=f"whitelist.{edit['action']}",
            workspace_id=editor.workspace_id,
            object_kind="field" if is_field else "form_type",
            object_id=row.id,
            details={"version": newest + 1, "columns": differing(before, after)},
        )
    )
