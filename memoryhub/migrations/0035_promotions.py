"""What members propose to a shared owner: where it came from, and that nothing unapproved outlives its source's owner."""

from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import memoryhub.models.base
from memoryhub.database.operations import AddOwnerLinks, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
before = import_module("memoryhub.migrations.0030_policy_trials")

PURGE_ORDER = ("promotion", *before.PURGE_ORDER)
ERASER = f"{settings.ROLE_PREFIX}eraser"

# With the owner row itself: whichever way an owner leaves, his words do not stay behind in somebody else's queue.
FORGET = f"""
CREATE FUNCTION mh_forget_promotions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
DECLARE gone record;
BEGIN
  FOR gone IN
    SELECT p.owner_id, p.change_id FROM public.memoryhub_promotion p
    JOIN public.memoryhub_change c ON c.owner_id = p.owner_id AND c.id = p.change_id
    WHERE p.source_owner_id = OLD.id AND c.state NOT IN ('applied', 'reverted')
  LOOP
    DELETE FROM public.memoryhub_promotion WHERE owner_id = gone.owner_id AND change_id = gone.change_id;
    DELETE FROM public.memoryhub_reviewstep s USING public.memoryhub_review r WHERE r.owner_id = gone.owner_id
      AND r.change_id = gone.change_id AND s.owner_id = r.owner_id AND s.review_id = r.id;
    DELETE FROM public.memoryhub_question WHERE owner_id = gone.owner_id AND change_id = gone.change_id;
    DELETE FROM public.memoryhub_review WHERE owner_id = gone.owner_id AND change_id = gone.change_id;
    DELETE FROM public.memoryhub_changetransition WHERE owner_id = gone.owner_id AND change_id = gone.change_id;
    DELETE FROM public.memoryhub_change WHERE owner_id = gone.owner_id AND id = gone.change_id;
  END LOOP;
  UPDATE public.memoryhub_promotion SET source_owner_id = NULL, source_id = NULL WHERE source_owner_id = OLD.id;
  RETURN OLD;
END $$;
GRANT CREATE ON SCHEMA public TO {ERASER};
ALTER FUNCTION mh_forget_promotions() OWNER TO {ERASER};
REVOKE CREATE ON SCHEMA public FROM {ERASER};
CREATE TRIGGER owner_takes_his_proposals_along BEFORE DELETE ON memoryhub_owner
  FOR EACH ROW EXECUTE FUNCTION mh_forget_promotions();
ALTER TABLE memoryhub_owner ENABLE ALWAYS TRIGGER owner_takes_his_proposals_along
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0034_resolve_owner_kind")]

    operations = [
        migrations.CreateModel(
            name="Promotion",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("change_id", models.UUIDField()),
                ("source_owner_id", models.UUIDField(help_text="none: he was erased", null=True)),
                (
                    "source_kind",
                    models.CharField(
                        choices=[("field_version", "Field Version"), ("item", "Item")], max_length=14
                    ),
                ),
                (
                    "source_id",
                    models.UUIDField(help_text="the version or item that was proposed", null=True),
                ),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "settled_at",
                    models.DateTimeField(
                        help_text="when the end of its source was followed: withdrawn, or looked at again",
                        null=True,
                    ),
                ),
                (
                    "change",
                    memoryhub.models.base.OwnerRow(
                        column="change_id", related_name="promotions", to="memoryhub.change"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["source_owner_id", "source_id"], name="promotions_of_a_source"),
                    models.Index(
                        condition=models.Q(("settled_at", None)),
                        fields=["workspace_id", "created_at"],
                        name="promotions_to_follow",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "change_id"), name="one_promotion_per_change"),
                    models.CheckConstraint(
                        condition=models.Q(("source_kind__in", ["field_version", "item"])),
                        name="promotion_source_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("source_id", None), ("source_owner_id", None)),
                            models.Q(("source_id__isnull", False), ("source_owner_id__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_promotion_has_a_whole_source_or_none",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("source_owner_id", None),
                            models.Q(("source_owner_id", models.F("owner_id")), _negated=True),
                            _connector="OR",
                        ),
                        name="nothing_is_promoted_to_its_own_owner",
                    ),
                ],
            },
        ),
        AddOwnerLinks("Promotion"),
        WallOffInactiveOwners("Promotion"),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
        migrations.RunSQL(
            FORGET,
            "DROP TRIGGER owner_takes_his_proposals_along ON memoryhub_owner; DROP FUNCTION mh_forget_promotions()",
        ),
    ]
