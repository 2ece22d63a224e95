"""What a link between owners lets through, and that only teams, projects and domains of one's own workspace are linked."""

import django.contrib.postgres.fields
from django.db import migrations, models

from memoryhub.database.operations import GuardTable

KINDS = ["rule", "form", "episodic", "semantic", "procedural", "knowledge"]
OWNER_KINDS = [("user", "User"), ("team", "Team"), ("project", "Project"), ("domain", "Domain")]

FILL = """
UPDATE memoryhub_ownerlink l SET linked_kind = o.kind,
  ended_at = CASE WHEN o.kind = 'user' THEN coalesce(l.ended_at, now()) ELSE l.ended_at END
FROM memoryhub_owner o WHERE o.id = l.linked_owner_id;
DELETE FROM memoryhub_ownerlink l USING memoryhub_owner o WHERE o.id = l.linked_owner_id AND o.workspace_id <> l.workspace_id
"""
KEYS = """
ALTER TABLE memoryhub_ownerlink
  ADD CONSTRAINT ownerlink_linked_owner_in_workspace FOREIGN KEY (linked_owner_id, workspace_id)
    REFERENCES memoryhub_owner (id, workspace_id),
  ADD CONSTRAINT ownerlink_linked_owner_of_kind FOREIGN KEY (linked_owner_id, linked_kind)
    REFERENCES memoryhub_owner (id, kind) ON UPDATE CASCADE
"""
NO_KEYS = """
ALTER TABLE memoryhub_ownerlink
  DROP CONSTRAINT ownerlink_linked_owner_in_workspace, DROP CONSTRAINT ownerlink_linked_owner_of_kind
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0031_procedures_and_closed_questions")]

    operations = [
        migrations.AddField(
            model_name="ownerlink",
            name="direction",
            field=models.CharField(
                choices=[("reads", "Reads"), ("proposes", "Proposes"), ("both", "Both")],
                default="reads",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="ownerlink",
            name="linked_kind",
            field=models.CharField(
                choices=OWNER_KINDS,
                default="team",
                help_text="the linked owner's kind; the database keeps it so",
                max_length=10,
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="ownerlink",
            name="kinds",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(choices=[(kind, kind.title()) for kind in KINDS], max_length=20),
                blank=True,
                default=list,
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="ownerlink",
            index=models.Index(
                condition=models.Q(("ended_at", None)),
                fields=["linked_owner", "-created_at"],
                name="links_to_an_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="owner",
            constraint=models.UniqueConstraint(fields=("id", "kind"), name="owner_and_kind"),
        ),
        migrations.AddConstraint(
            model_name="ownerlink",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ended_at__isnull", False),
                    ("linked_kind__in", ["team", "project", "domain"]),
                    _connector="OR",
                ),
                name="only_what_is_shared_is_linked",
            ),
        ),
        migrations.AddConstraint(
            model_name="ownerlink",
            constraint=models.CheckConstraint(
                condition=models.Q(("direction__in", ["reads", "proposes", "both"])),
                name="ownerlink_direction_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ownerlink",
            constraint=models.CheckConstraint(
                condition=models.Q(("kinds__contained_by", KINDS)), name="ownerlink_kinds_are_known"
            ),
        ),
        migrations.RunSQL(KEYS, NO_KEYS),
        # The cascade of a changed kind writes both columns of its key; the runtime may update `ended_at` alone.
        GuardTable("OwnerLink", may_change=("ended_at", "linked_kind", "linked_owner")),
    ]
