from django.db import migrations

# What is there was written by the workspace's making or by the patrol rule; a person's policy did not exist before.
FILL = """
UPDATE memoryhub_policyversion SET state = 'approved',
  origin = CASE WHEN created_by_id IS NULL THEN 'starter' ELSE 'rule' END
"""


class Migration(migrations.Migration):

    dependencies = [
        ('memoryhub', '0014_whitelist_edits'),
    ]

    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
