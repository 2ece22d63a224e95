"""Edit the vocabulary: each edit is one transaction, one version with who, when and why, and one audit entry.

Names never change, and what is stored stays readable when a kind goes out of use: only new relations are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Max, QuerySet

from memoryhub import audit
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.models import EntityKind, Relation, RelationKind, VocabularyEdit, Workspace
from memoryhub.whitelisting.definitions import check_labels, check_name, check_reason, differing
from memoryhub.whitelisting.editing import Editor

type Kind = EntityKind | RelationKind
type Values = dict[str, Any]

ENTITY_COLUMNS = ("label_en", "label_zh", "separates", "active")
RELATION_COLUMNS = (
    "label_en", "label_zh", "aliases", "target", "family", "single", "from_kinds", "to_kinds", "attributes", "warns",
    "default_importance", "active",
)  # fmt: skip
SHAPE = ("target", "family", "single")
"""What decides which relations can stand side by side: fixed as soon as one is stored."""

ATTRIBUTES = ("strength", "impact", "resolution")
MOST_ALIASES = 60
LONGEST_ALIAS = 60


def values_of(row: Kind) -> Values:
    """The editable columns, JSON-ready."""
    columns = ENTITY_COLUMNS if isinstance(row, EntityKind) else RELATION_COLUMNS
    return {column: getattr(row, column) for column in columns}


def create_kind(*, editor: Editor, model: type[Kind], name: str, values: Values) -> Kind:
    """A new kind of things or relations. Raises InvalidInput naming column and rule."""
    check_name(name)
    reason = check_reason(editor.reason)
    with _edit(editor):
        if model.objects.filter(workspace_id=editor.workspace_id, name=name).exists():
            raise InvalidInput("there is one already", field="name", code="taken")
        made: Kind = model(workspace_id=editor.workspace_id, name=name)
        _check(made, {**values, "family": values.get("family") or name})
        _set(made, {**values, "family": values.get("family") or name})
        made.save(force_insert=True)
        _note(made, editor, reason, action=VocabularyEdit.Action.CREATE, before=None)
    return made


def edit_kind(*, editor: Editor, model: type[Kind], name: str, expected_version: int, values: Values) -> Kind:
    """Change a kind. Raises NotFound, InvalidInput, and VersionMoved when somebody edited it meanwhile."""
    reason = check_reason(editor.reason)
    with _edit(editor):
        row = find_kind(editor.workspace_id, model, name)
        current = version_of(row)
        if current != expected_version:
            raise VersionMoved(details={"current": current})
        before = values_of(row)
        after = {**before, **values}
        if not differing(before, after):
            raise InvalidInput("nothing would change", field="", code="unchanged")
        _check(row, after)
        _set(row, after)
        row.save(update_fields=list(after))
        _note(row, editor, reason, action=VocabularyEdit.Action.EDIT, before=before)
    return row


def find_kind(workspace_id: Any, model: type[Kind], name: str) -> Kind:
    """Raises NotFound, also for what memoryhub keeps itself."""
    row = model.objects.filter(workspace_id=workspace_id, name=name).first()
    if row is None or getattr(row, "reserved", False):
        raise NotFound
    return row


def version_of(row: Kind) -> int:
    """The number of the version that stands; 1 for what was never edited."""
    newest: int | None = edits_of(row).aggregate(n=Max("version"))["n"]
    return newest or 1


def edits_of(row: Kind) -> QuerySet[VocabularyEdit]:
    column = "entity_kind" if isinstance(row, EntityKind) else "relation_kind"
    return VocabularyEdit.objects.filter(**{column: row})


@contextmanager
def _edit(editor: Editor) -> Iterator[None]:
    with scope(workspace_id=editor.workspace_id, owners="workspace", purpose="desk"):
        Workspace.objects.select_for_update(no_key=True).get(id=editor.workspace_id)
        yield


def _check(row: Kind, values: Values) -> None:
    check_labels(values)
    if isinstance(row, EntityKind):
        return
    _check_words(values["aliases"])
    known = set(EntityKind.objects.filter(workspace_id=row.workspace_id).values_list("name", flat=True))
    for column in ("from_kinds", "to_kinds"):
        _among(values, column, known)
    _among(values, "attributes", ATTRIBUTES)
    if values["target"] not in RelationKind.Target.values:
        raise InvalidInput("unknown target", field="target", code="unknown_choice")
    if values["target"] != RelationKind.Target.ENTITY and not values["single"]:
        raise InvalidInput("a plain value has one place", field="single", code="value_is_single")
    if not 0 <= values["default_importance"] <= 1:
        raise InvalidInput("a share is 0 to 1", field="default_importance", code="not_a_share")
    check_name(values["family"])
    if not row._state.adding and any(getattr(row, column) != values[column] for column in SHAPE):
        stored = Relation.objects.filter(workspace_id=row.workspace_id, kind=row).count()
        if stored:
            raise InvalidInput(
                "relations of this kind are stored",
                field=next(c for c in SHAPE if getattr(row, c) != values[c]),
                code="shape_in_use",
                details={"count": stored},
            )


def _check_words(words: Collection[str]) -> None:
    if len(words) > MOST_ALIASES or any(not 0 < len(word.strip()) <= LONGEST_ALIAS for word in words):
        raise InvalidInput(f"at most {MOST_ALIASES} words", field="aliases", code="text_too_long")


def _among(values: Values, column: str, known: Collection[str]) -> None:
    unknown = [name for name in values[column] if name not in known]
    if unknown:
        raise InvalidInput(f"unknown: {unknown[0]}", field=column, code="unknown_choice")


def _set(row: Kind, values: Values) -> None:
    for column in ENTITY_COLUMNS if isinstance(row, EntityKind) else RELATION_COLUMNS:
        setattr(row, column, values[column])


def _note(row: Kind, editor: Editor, reason: str, *, action: str, before: Values | None) -> None:
    is_entity = isinstance(row, EntityKind)
    about = {"workspace_id": editor.workspace_id, "entity_kind" if is_entity else "relation_kind": row}
    if before is not None and not edits_of(row).exists():
        VocabularyEdit.objects.create(**about, version=1, action=VocabularyEdit.Action.START, after=before)
    number = (edits_of(row).aggregate(n=Max("version"))["n"] or 0) + 1
    after = values_of(row)
    VocabularyEdit.objects.create(
        **about,
        version=number,
        action=action,
        before=before,
        after=after,
        reason=reason,
        user_id=editor.user_id,
    )
    audit.record(
        audit.entry(
            action=f"vocabulary.{action}",
            workspace_id=editor.workspace_id,
            object_kind="entity_kind" if is_entity else "relation_kind",
            object_id=row.id,
            details={"version": number, "columns": differing(before, after)},
        )
    )
