"""People judge samples of recalls at the desk: their verdicts stand beside those of agents."""

from django.db import migrations, models
from django.db.models import Q

# The guard of 0006 names the columns of its day.
GUARD = """
CREATE TRIGGER feedback_judge_is_immutable BEFORE UPDATE OF user_id ON memoryhub_recallfeedback
  FOR EACH ROW EXECUTE FUNCTION mh_refuse();
ALTER TABLE memoryhub_recallfeedback ENABLE ALWAYS TRIGGER feedback_judge_is_immutable
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0032_owner_links")]

    operations = [
        migrations.AddField(
            model_name="recallfeedback",
            name="user_id",
            field=models.BigIntegerField(null=True, help_text="a person who judged a sample at the desk"),
        ),
        migrations.AlterField(
            model_name="recallfeedback",
            name="verdict",
            field=models.CharField(max_length=10, help_text="used | useless | harmful | missed"),
        ),
        migrations.RemoveConstraint(model_name="recallfeedback", name="one_feedback_per_served_memory"),
        migrations.AddConstraint(
            model_name="recallfeedback",
            constraint=models.UniqueConstraint(
                fields=("owner", "recall_id", "target_id", "verdict"),
                condition=Q(user_id=None),
                name="one_feedback_per_served_memory",
            ),
        ),
        migrations.AddIndex(
            model_name="recallfeedback",
            index=models.Index(fields=["owner", "recall_id", "target_id"], name="feedback_recall"),
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER feedback_judge_is_immutable ON memoryhub_recallfeedback"),
    ]
