"""Say of which kind an owner is when he is resolved: writing to a shared one needs a scope of its own."""

from django.conf import settings
from django.db import migrations

APP = f"{settings.ROLE_PREFIX}app"
STAFF = f"{settings.ROLE_PREFIX}staff"
SIGNATURE = "mh_resolve_owner(uuid, text, text, uuid)"

RESOLVE_OWNER = f"""
DROP FUNCTION {SIGNATURE};
CREATE FUNCTION mh_resolve_owner(a_workspace uuid, a_ref text, a_kind text, a_new_id uuid)
RETURNS TABLE (id uuid, state text, was_made boolean, kind text) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY SELECT o.id, o.state::text, false, o.kind::text FROM public.memoryhub_owner o
    WHERE o.workspace_id = a_workspace AND o.ref = a_ref;
  IF FOUND OR a_new_id IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO public.memoryhub_owner
    (id, workspace_id, ref, kind, display_name, locale, time_zone, state, search_no, created_at)
  VALUES (a_new_id, a_workspace, a_ref, a_kind, '', '', '', 'active', nextval('public.memoryhub_owner_search_no'), now())
  ON CONFLICT (workspace_id, ref) DO NOTHING;
  RETURN QUERY SELECT o.id, o.state::text, o.id = a_new_id, o.kind::text FROM public.memoryhub_owner o
    WHERE o.workspace_id = a_workspace AND o.ref = a_ref;
END $$;
REVOKE EXECUTE ON FUNCTION {SIGNATURE} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {SIGNATURE} TO {APP}, {STAFF}
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0033_judged_recalls")]

    operations = [migrations.RunSQL(RESOLVE_OWNER, migrations.RunSQL.noop)]
