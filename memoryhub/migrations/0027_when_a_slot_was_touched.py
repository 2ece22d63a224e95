"""A slot keeps when somebody last spoke of its context; those of before were touched when this came."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0026_recall_newest_of_workspace")]

    operations = [
        migrations.AddField(
            model_name="sessionslot",
            name="touched_at",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(), help_text="when its context was last spoken of"
            ),
        ),
    ]
