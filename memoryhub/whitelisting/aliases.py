"""When two spellings are one alias, and which other field an alias names already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean
from memoryhub.models import FieldDefinition


def alias_key(spelling: str) -> str:
    """The spelling without what recall does not tell apart: width, case, traditional characters, runs of blanks."""
    return " ".join(simplified(clean(spelling).casefold()).split())


@dataclass(frozen=True, slots=True)
class AliasConflict:
    """`alias` names the field `form_type.field` already."""

    alias: str
    form_type: str
    field: str
    field_id: UUID


def find_alias_conflict(
    *, workspace_id: UUID, field_id: UUID | None, aliases: Iterable[str]
) -> AliasConflict | None:
    """The first of the aliases that already names another active field of the workspace: one statement, or none."""
    wanted = {alias_key(alias): alias for alias in aliases}
    if not wanted:
        return None
    fields = FieldDefinition.objects.filter(form_type__workspace_id=workspace_id, active=True)
    others = fields.exclude(id=field_id) if field_id else fields
    for other in others.select_related("form_type").order_by("form_type__name", "name"):
        for alias in other.aliases:
            if (key := alias_key(alias)) in wanted:
                return AliasConflict(wanted[key], other.form_type.name, other.name, other.id)
    return None
