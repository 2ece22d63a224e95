"""The vocabulary as the desk shows it: kinds of things and relations, and the history of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memoryhub.models import EntityKind, RelationKind, VocabularyEdit, Workspace
from memoryhub.relating.vocabulary import Kind, edits_of
from memoryhub.whitelisting.definitions import differing
from reviews.queries.names import staff_names
from reviews.queries.whitelist import ChangedColumn

MOST_EDITS = 50
SORTS: dict[str, type[Kind]] = {"entities": EntityKind, "relations": RelationKind}
"""What stands in an address for which sort of kinds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KindEdit:
    edit: VocabularyEdit
    by: str
    columns: Sequence[ChangedColumn]


def list_vocabulary(*, workspace: Workspace) -> dict[str, list[Any]]:
    """Both sorts by name: two statements."""
    relations = RelationKind.objects.filter(workspace=workspace, reserved=False)
    return {
        "entity_kinds": list(EntityKind.objects.filter(workspace=workspace).order_by("name")),
        "relation_kinds": list(relations.order_by("name")),
    }


def kind_history(row: Kind) -> list[KindEdit]:
    """The newest edits, newest first: two statements."""
    found = list(edits_of(row).order_by("-version")[:MOST_EDITS])
    names = staff_names(edit.user_id for edit in found)
    return [KindEdit(edit=edit, by=names.get(edit.user_id, ""), columns=_columns(edit)) for edit in found]


def _columns(edit: VocabularyEdit) -> list[ChangedColumn]:
    before = edit.before
    if before is None:
        return []
    return [
        ChangedColumn(name=name, before=before.get(name), after=edit.after[name])
        for name in differing(before, edit.after)
    ]
