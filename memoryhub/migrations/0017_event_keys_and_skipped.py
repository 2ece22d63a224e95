"""Events keep the API key they came with, rollbacks what they left alone; old rows hold neither."""

from django.db import migrations, models

# The guards of 0003 name the columns of their day.
GUARDS = """
CREATE TRIGGER event_key_is_immutable BEFORE UPDATE OF api_key_id ON memoryhub_event
  FOR EACH ROW EXECUTE FUNCTION mh_refuse();
ALTER TABLE memoryhub_event ENABLE ALWAYS TRIGGER event_key_is_immutable;
CREATE TRIGGER changeset_skipped_is_immutable BEFORE UPDATE OF skipped ON memoryhub_changeset
  FOR EACH ROW EXECUTE FUNCTION mh_refuse();
ALTER TABLE memoryhub_changeset ENABLE ALWAYS TRIGGER changeset_skipped_is_immutable
"""
DROP = """
DROP TRIGGER event_key_is_immutable ON memoryhub_event;
DROP TRIGGER changeset_skipped_is_immutable ON memoryhub_changeset
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0016_guard_policy_states")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="api_key_id",
            field=models.UUIDField(
                help_text="the key it came with; empty for events from before this was kept, and without a key",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="changeset",
            name="skipped",
            field=models.JSONField(
                default=list,
                help_text="of a rollback: what it left alone, as {code, number, changes}",
            ),
        ),
        migrations.RunSQL(GUARDS, DROP),
    ]
