"""What each recall told, in rows."""

import django.db.models.deletion
from django.db import migrations, models

import memoryhub.models.base


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0017_event_keys_and_skipped")]

    operations = [
        migrations.CreateModel(
            name="RecallServed",
            fields=[
                ("pk", models.CompositePrimaryKey("owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False)),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("recall_id", models.UUIDField()),
                ("target_id", models.UUIDField(help_text="the item, version or event; of a linked owner too")),
                ("kind", models.CharField(blank=True, help_text="of the line it was told in", max_length=20)),
                ("rank", models.PositiveSmallIntegerField(help_text="of that line, from 1")),
                ("tokens", models.PositiveIntegerField(help_text="of that line")),
                ("at", models.DateTimeField(help_text="when the recall was answered")),
                ("owner", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memoryhub.owner")),
                ("recall", memoryhub.models.base.OwnerRow(column="recall_id", related_name="told", to="memoryhub.recall")),
            ],
            options={
                "indexes": [models.Index(fields=["workspace_id", "target_id", "at"], include=["kind"], name="served_target")],
                "constraints": [models.UniqueConstraint(fields=("owner", "recall_id", "target_id"), name="one_served_row_per_memory")],
            },
        ),
    ]
