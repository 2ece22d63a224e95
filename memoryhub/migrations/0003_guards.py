"""What the database keeps by itself: links inside one owner, append-only tables, state moves, and the two doors.

Functions that run as another role pin their search_path. Role names carry the installation's prefix.
"""

from django.conf import settings
from django.db import migrations

from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

ERASER = f"{settings.ROLE_PREFIX}eraser"
APP = f"{settings.ROLE_PREFIX}app"
STAFF = f"{settings.ROLE_PREFIX}staff"

OWNER_TABLES = (
    "OwnerLink",
    "OwnerSequence",
    "Event",
    "Form",
    "FieldVersion",
    "MemoryItem",
    "ItemSource",
    "Usage",
    "SearchEntry",
    "SearchSource",
    "SearchVector",
    "ChangeSet",
    "Change",
    "ChangeTransition",
    "Recall",
    "IdempotencyKey",
)

REFUSE = f"""
CREATE FUNCTION mh_refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_user = '{ERASER}' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND current_user = '{ERASER}' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is refused: %', TG_OP, TG_TABLE_NAME, TG_NAME USING ERRCODE = 'insufficient_privilege';
END $$
"""

OWNER_IS_ACTIVE = """
CREATE FUNCTION mh_owner_is_active() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
DECLARE found_state text;
BEGIN
  SELECT state INTO found_state FROM public.memoryhub_owner WHERE id = NEW.owner_id;
  IF found_state IS DISTINCT FROM 'active' THEN
    RAISE EXCEPTION 'owner is %', coalesce(found_state, 'unknown') USING ERRCODE = 'MH423';
  END IF;
  RETURN NEW;
END $$
"""

CHANGE_MOVES = """
CREATE FUNCTION mh_change_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.state = NEW.state OR (OLD.state, NEW.state) IN (
    ('proposed', 'applied'), ('proposed', 'rejected'), ('proposed', 'expired'), ('proposed', 'withdrawn'),
    ('proposed', 'merged'), ('rejected', 'proposed'), ('applied', 'reverted')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a change does not move from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation',
    CONSTRAINT = 'change_state_moves';
END $$;
CREATE TRIGGER change_state_moves BEFORE UPDATE OF state ON memoryhub_change
  FOR EACH ROW EXECUTE FUNCTION mh_change_moves();
ALTER TABLE memoryhub_change ENABLE ALWAYS TRIGGER change_state_moves
"""

SELF_LINKS = """
ALTER TABLE memoryhub_fieldversion ADD CONSTRAINT fieldversion_successor_exists
  FOREIGN KEY (owner_id, form_id, field_id, superseded_by_version)
  REFERENCES memoryhub_fieldversion (owner_id, form_id, field_id, version) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE memoryhub_memoryitem ADD CONSTRAINT memoryitem_successor_exists
  FOREIGN KEY (owner_id, superseded_by_seq)
  REFERENCES memoryhub_memoryitem (owner_id, seq) DEFERRABLE INITIALLY DEFERRED
"""

SEARCH = """
CREATE INDEX entry_tokens ON memoryhub_searchentry USING gin (tokens) WHERE known_until IS NULL;
ALTER TABLE memoryhub_searchentry SET (autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE memoryhub_searchvector
  ALTER COLUMN v SET STORAGE PLAIN,
  ADD CONSTRAINT vector_has_its_models_dims CHECK (vector_dims(v) = dims);
CREATE INDEX vector_covering ON memoryhub_searchvector (owner_id, model_id) INCLUDE (entry_id, kind, v);
ALTER TABLE memoryhub_searchvector SET (autovacuum_vacuum_insert_scale_factor = 0.02)
"""

# Runs as its owner, so that an agent's session can find and make owners without being able to list them.
RESOLVE_OWNER = f"""
CREATE SEQUENCE memoryhub_owner_search_no OWNED BY memoryhub_owner.search_no;
CREATE FUNCTION mh_resolve_owner(a_workspace uuid, a_ref text, a_kind text, a_new_id uuid)
RETURNS TABLE (id uuid, state text, was_made boolean) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY SELECT o.id, o.state::text, false FROM public.memoryhub_owner o
    WHERE o.workspace_id = a_workspace AND o.ref = a_ref;
  IF FOUND OR a_new_id IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO public.memoryhub_owner
    (id, workspace_id, ref, kind, display_name, locale, time_zone, state, search_no, created_at)
  VALUES (a_new_id, a_workspace, a_ref, a_kind, '', '', '', 'active', nextval('public.memoryhub_owner_search_no'), now())
  ON CONFLICT (workspace_id, ref) DO NOTHING;
  RETURN QUERY SELECT o.id, o.state::text, o.id = a_new_id FROM public.memoryhub_owner o
    WHERE o.workspace_id = a_workspace AND o.ref = a_ref;
END $$;
REVOKE EXECUTE ON FUNCTION mh_resolve_owner(uuid, text, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mh_resolve_owner(uuid, text, text, uuid) TO {APP}, {STAFF}
"""

PURGE_ORDER = (
    "searchvector",
    "searchsource",
    "searchentry",
    "usage",
    "itemsource",
    "changetransition",
    "change",
    "changeset",
    "recall",
    "idempotencykey",
    "fieldversion",
    "form",
    "memoryitem",
    "event",
    "ownersequence",
    "ownerlink",
)


def purge_function(order: tuple[str, ...]) -> str:
    """The SQL of the purge door for these tables, leaf to root; a later migration that adds tables writes it anew."""
    return f"""
DROP FUNCTION IF EXISTS mh_purge(uuid, text, uuid);
CREATE FUNCTION mh_purge(a_owner uuid, a_reason text, a_entry uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  counts jsonb := '{{}}';
  n bigint;
  t text;
BEGIN
  IF a_owner IS NULL OR a_reason IS NULL OR a_reason NOT IN ('erasure', 'retention', 'test_data') THEN
    RAISE EXCEPTION 'purge needs an owner and a known reason' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM 1 FROM public.memoryhub_owner WHERE id = a_owner FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'purge needs an owner' USING ERRCODE = 'no_data_found';
  END IF;
  SET CONSTRAINTS ALL DEFERRED;
  DELETE FROM public.memoryhub_ownerlink WHERE linked_owner_id = a_owner;
  FOREACH t IN ARRAY ARRAY[{", ".join(f"'{name}'" for name in order)}] LOOP
    EXECUTE format('DELETE FROM public.memoryhub_%s WHERE owner_id = $1', t) USING a_owner;
    GET DIAGNOSTICS n = ROW_COUNT;
    counts := counts || jsonb_build_object(t, n);
  END LOOP;
  DELETE FROM public.memoryhub_job WHERE owner_id = a_owner;
  GET DIAGNOSTICS n = ROW_COUNT;
  counts := counts || jsonb_build_object('job', n);
  INSERT INTO public.memoryhub_auditentry
    (id, at, workspace_id, owner_id, action, actor_kind, actor_id, object_kind, object_id, transport, request_id, details)
  SELECT a_entry, now(), workspace_id, id, 'purge', 'system', '', 'owner', id, '', '',
    jsonb_build_object('reason', a_reason, 'counts', counts) FROM public.memoryhub_owner WHERE id = a_owner;
  DELETE FROM public.memoryhub_owner WHERE id = a_owner;
  RETURN counts;
END $$;
REVOKE EXECUTE ON FUNCTION mh_purge(uuid, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mh_purge(uuid, text, uuid) TO {APP};
GRANT CREATE ON SCHEMA public TO {ERASER};
ALTER FUNCTION mh_purge(uuid, text, uuid) OWNER TO {ERASER};
REVOKE CREATE ON SCHEMA public FROM {ERASER}
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0002_memory")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION mh_refuse()"),
        migrations.RunSQL(OWNER_IS_ACTIVE, "DROP FUNCTION mh_owner_is_active()"),
        AddOwnerLinks(*OWNER_TABLES),
        migrations.RunSQL(SELF_LINKS, migrations.RunSQL.noop),
        GuardTable(
            "Event", may_change=("state", "outcome", "tier", "heat_anchor", "learned", "attempts", "processed_at")
        ),
        GuardTable("AuditEntry"),
        GuardTable("ChangeSet"),
        GuardTable("Change", may_change=("state", "decided_at", "target_id")),
        GuardTable("ChangeTransition"),
        GuardTable("SearchVector"),
        GuardTable("SearchEntry", may_change=("known_until", "cleared")),
        migrations.RunSQL(CHANGE_MOVES, "DROP TRIGGER change_state_moves ON memoryhub_change; DROP FUNCTION mh_change_moves()"),
        WallOffInactiveOwners(*OWNER_TABLES),
        migrations.RunSQL(SEARCH, migrations.RunSQL.noop),
        migrations.RunSQL(RESOLVE_OWNER, "DROP FUNCTION mh_resolve_owner(uuid, text, text, uuid)"),
        migrations.RunSQL(purge_function(PURGE_ORDER), "DROP FUNCTION mh_purge(uuid, text, uuid)"),
    ]
