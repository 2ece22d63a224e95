"""An audit entry keeps a caller's request id whole: it may have 64 characters."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0024_document_guards")]

    operations = [
        migrations.AlterField(
            model_name="auditentry",
            name="request_id",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
