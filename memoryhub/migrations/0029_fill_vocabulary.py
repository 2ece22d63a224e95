"""Every workspace that is there starts with the same vocabulary as a new one."""

from typing import Any

from django.db import migrations

from memoryhub.starter_vocabulary import (
    STARTER_ENTITY_KINDS,
    STARTER_RELATION_KINDS,
    entity_columns,
    relation_columns,
)


def fill(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    entity_kind, relation_kind = (apps.get_model("memoryhub", name) for name in ("EntityKind", "RelationKind"))
    for workspace_id in apps.get_model("memoryhub", "Workspace").objects.using(alias).values_list("id", flat=True):
        entity_kind.objects.using(alias).bulk_create(
            entity_kind(workspace_id=workspace_id, **entity_columns(kind)) for kind in STARTER_ENTITY_KINDS
        )
        relation_kind.objects.using(alias).bulk_create(
            relation_kind(workspace_id=workspace_id, **relation_columns(kind)) for kind in STARTER_RELATION_KINDS
        )


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0028_entities_and_relations")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
