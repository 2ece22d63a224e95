"""Each recall lays its served memories out in rows; those of before are laid out here. The purge door knows the table."""

from importlib import import_module

from django.db import migrations

from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
review_guards = import_module("memoryhub.migrations.0006_review_guards")

COLUMNS = "owner_id, id, workspace_id, recall_id, target_id, kind, rank, tokens, at"

TOLD = """
SELECT {r}.owner_id, gen_random_uuid(), {r}.workspace_id, {r}.id, told.id::uuid, coalesce(entry.line->>'kind', ''),
  entry.rank, coalesce((entry.line->>'tokens')::integer, 0), {r}.created_at
FROM {source}jsonb_array_elements({r}.served) WITH ORDINALITY entry (line, rank)
CROSS JOIN LATERAL jsonb_array_elements_text(entry.line->'ids') told (id)
"""

# The best rank wins: rows are put in by rank.
LAY_OUT = f"""
CREATE FUNCTION mh_lay_out_served() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO public.memoryhub_recallserved ({COLUMNS})
  {TOLD.format(r="NEW", source="")} ORDER BY entry.rank
  ON CONFLICT (owner_id, recall_id, target_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER recall_lays_out_served AFTER INSERT ON memoryhub_recall
  FOR EACH ROW EXECUTE FUNCTION mh_lay_out_served()
"""
DROP = "DROP TRIGGER recall_lays_out_served ON memoryhub_recall; DROP FUNCTION mh_lay_out_served()"

FILL = f"""
INSERT INTO memoryhub_recallserved ({COLUMNS})
{TOLD.format(r="r", source="memoryhub_recall r CROSS JOIN LATERAL ")} ORDER BY entry.rank
ON CONFLICT (owner_id, recall_id, target_id) DO NOTHING
"""

PURGE_ORDER = ("recallserved", *review_guards.PURGE_ORDER)


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0018_recall_served")]

    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        AddOwnerLinks("RecallServed"),
        WallOffInactiveOwners("RecallServed"),
        GuardTable("RecallServed"),
        migrations.RunSQL(LAY_OUT, DROP),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
