"""An edited memory goes on being known by the id of its first wording."""

from django.db import migrations, models
from django.db.models.functions import Coalesce


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0019_fill_recall_served")]

    operations = [
        migrations.AddField(
            model_name="memoryitem",
            name="first_id",
            field=models.UUIDField(
                help_text="of an edited memory the id of its first wording, by which it goes on being known; null: its own",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="memoryitem",
            index=models.Index(
                condition=models.Q(("first_id__isnull", False)),
                fields=["owner", "first_id"],
                name="item_first_wording",
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryitem",
            constraint=models.UniqueConstraint(
                models.F("owner"),
                Coalesce("first_id", "id"),
                condition=models.Q(("status", "active")),
                name="one_active_wording_per_memory",
            ),
        ),
    ]
