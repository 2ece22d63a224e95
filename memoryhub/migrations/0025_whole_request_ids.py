"""An audit entry keeps a caller's request id whole: it may have 64 characters."""

from django.db import migrations, models

from memoryhub.database.operations import GuardTable

UNGUARD = """
DROP TRIGGER auditentry_facts_are_immutable ON memoryhub_auditentry;
DROP TRIGGER auditentry_rows_are_kept ON memoryhub_auditentry;
DROP TRIGGER auditentry_is_not_truncated ON memoryhub_auditentry
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0024_document_guards")]

    operations = [
        # A column that a trigger names cannot change its type.
        migrations.RunSQL(UNGUARD, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="auditentry",
            name="request_id",
            field=models.CharField(blank=True, max_length=64),
        ),
        GuardTable("AuditEntry"),
    ]
