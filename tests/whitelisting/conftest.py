"""An editor of a workspace, an agent that writes there, and short ways to edit and to write."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User

from memoryhub.models import FieldDefinition, Owner, Workspace
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import Editor, edit_field, find_field, version_of
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace


@dataclass
class Whitelisted:
    """Edits as `editor`; writes as an agent of trust tier 3 about `owner`."""

    workspace: Workspace = field(default_factory=make_workspace)
    source: Source = field(init=False)
    owner: Owner = field(init=False)
    editor: Editor = field(init=False)

    def __post_init__(self) -> None:
        self.source = make_source(self.workspace)
        self.owner = make_owner(self.source)
        user = User.objects.create_user(f"editor-{self.workspace.slug}")
        self.editor = Editor(workspace_id=self.workspace.id, user_id=user.pk, reason="as told")

    def find(self, name: str) -> FieldDefinition:
        form_type, _dot, field_name = name.partition(".")
        return find_field(self.workspace.id, form_type, field_name)

    def edit(self, name: str, **changes: Any) -> FieldDefinition:
        row = self.find(name)
        return edit_field(
            editor=self.editor,
            form_type=row.form_type.name,
            name=row.name,
            expected_version=version_of(row),
            values={**values_of(row), **changes},
        )

    def write(self, name: str, value: Any, **given: Any) -> Verdict:
        form_type, _dot, field_name = name.partition(".")
        return write_field(
            owner_id=self.owner.id,
            form_type=form_type,
            field=field_name,
            value=value,
            source=given.pop("source", self.source),
            **given,
        )


@pytest.fixture
def desk(committing_db: str) -> Whitelisted:
    return Whitelisted()
