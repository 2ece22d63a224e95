"""Migration operations for what the ORM cannot say: links inside one owner, and tables that only grow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from memoryhub.models.base import OwnerRow


class _SchemaSql(Operation):
    """An operation that changes the database and not the models' state."""

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        return None

    def _tables(self, app_label: str, state: ProjectState, names: Iterable[str]) -> list[Any]:
        return [state.apps.get_model(app_label, name) for name in names]


class AddOwnerLinks(_SchemaSql):
    """Write the composite foreign keys of the named models.

    Every owner table gets (owner_id, workspace_id) -> owner (id, workspace_id); every `OwnerRow` gets (owner_id, x_id) ->
    (owner_id, id). Links are checked at once; an optional one empties only its own column when its target goes.
    """

    def __init__(self, *models: str) -> None:
        self.models = models

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, list(self.models), {}

    def describe(self) -> str:
        return f"Link {', '.join(self.models)} within one owner"

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for model in self._tables(app_label, to_state, self.models):
            table = model._meta.db_table
            schema_editor.execute(
                f"ALTER TABLE {table} ADD CONSTRAINT {table}_owner_in_workspace"
                " FOREIGN KEY (owner_id, workspace_id) REFERENCES memoryhub_owner (id, workspace_id)"
            )
            for field in model._meta.get_fields():
                if isinstance(field, OwnerRow):
                    schema_editor.execute(self._link(table, field))

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for model in self._tables(app_label, from_state, self.models):
            table = model._meta.db_table
            names = [f"{table}_owner_in_workspace"]
            names += [
                f"{table}_{f.name}_same_owner" for f in model._meta.get_fields() if isinstance(f, OwnerRow)
            ]
            for name in names:
                schema_editor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")

    def _link(self, table: str, field: OwnerRow) -> str:
        column = field.link_column
        gone = f" ON DELETE SET NULL ({column})" if field.null else ""
        target = field.related_model._meta.db_table
        return (
            f"ALTER TABLE {table} ADD CONSTRAINT {table}_{field.name}_same_owner"
            f" FOREIGN KEY (owner_id, {column}) REFERENCES {target} (owner_id, id){gone}"
        )


class GuardTable(_SchemaSql):
    """Let the runtime only append: facts never change, rows go only through the purge door, TRUNCATE never.

    `may_change` names the bookkeeping columns that an UPDATE may touch. Triggers are ENABLE ALWAYS, so that a session in
    replica mode meets them too.
    """

    def __init__(self, model: str, *, may_change: Iterable[str] = ()) -> None:
        self.model = model
        self.may_change = tuple(may_change)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [self.model], {"may_change": self.may_change}

    def describe(self) -> str:
        return f"Let {self.model} only grow"

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model)
        table = model._meta.db_table
        facts = [
            f.column for f in model._meta.local_concrete_fields if f.column and f.name not in self.may_change
        ]
        for name, when in (
            ("facts_are_immutable", f"BEFORE UPDATE OF {', '.join(facts)} ON {table} FOR EACH ROW"),
            ("rows_are_kept", f"BEFORE DELETE ON {table} FOR EACH ROW"),
            ("is_not_truncated", f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"),
        ):
            schema_editor.execute(
                f"CREATE TRIGGER {self.model.lower()}_{name} {when} EXECUTE FUNCTION mh_refuse()"
            )
            schema_editor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {self.model.lower()}_{name}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        table = from_state.apps.get_model(app_label, self.model)._meta.db_table
        for name in ("facts_are_immutable", "rows_are_kept", "is_not_truncated"):
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {self.model.lower()}_{name} ON {table}")


class WallOffInactiveOwners(_SchemaSql):
    """Refuse an INSERT for an owner who is frozen or being erased: the second wall behind `database.scope`."""

    def __init__(self, *models: str) -> None:
        self.models = models

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, list(self.models), {}

    def describe(self) -> str:
        return f"Refuse new rows of inactive owners in {', '.join(self.models)}"

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for model in self._tables(app_label, to_state, self.models):
            schema_editor.execute(
                f"CREATE TRIGGER owner_is_active BEFORE INSERT ON {model._meta.db_table}"
                " FOR EACH ROW EXECUTE FUNCTION mh_owner_is_active()"
            )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for model in self._tables(app_label, from_state, self.models):
            schema_editor.execute(f"DROP TRIGGER IF EXISTS owner_is_active ON {model._meta.db_table}")
