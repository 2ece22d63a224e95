"""The lexical and entity legs: functions that may use the GIN indexes, and check by themselves whose rows they return.

`@@` and `&&` are not leakproof, so a row-level policy switches their indexes off (1.2 → 12 ms at 30,000 entries). These
functions run as the searcher, take the owner as an argument, insist that the transaction's scope names him, and return
ids, counts and lengths only, never text.
"""

from django.conf import settings
from django.db import migrations

SEARCHER = f"{settings.ROLE_PREFIX}searcher"
CALLERS = ", ".join(f"{settings.ROLE_PREFIX}{name}" for name in ("app", "staff"))

MAY_SEARCH = """
CREATE FUNCTION mh_may_search(a_owner uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
SET search_path = pg_catalog AS $$
  SELECT coalesce(
    a_owner::text = ANY (string_to_array(NULLIF(current_setting('app.owner_ids', true), ''), ',')), false)
$$
"""

# The frequency of a token comes out of ts_rank: for a query of one token it is 0.1 / 1.64493406685 · Σ 1/j² over its tf
# places, a function that only grows with tf, and it costs a tenth of unnesting the row's lexemes.
LEXICAL = r"""
CREATE FUNCTION mh_lexical(a_owner uuid, a_tokens text[], a_kinds text[], a_live boolean, a_limit integer)
RETURNS TABLE (entry_id uuid, is_window boolean, ranks real[], length integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  singles tsquery[];
  anything tsquery;
BEGIN
  IF NOT public.mh_may_search(a_owner) OR cardinality(a_tokens) = 0 THEN
    RETURN;
  END IF;
  SELECT array_agg(q.quoted::tsquery ORDER BY q.place), string_agg(q.quoted, ' | ' ORDER BY q.place)::tsquery
    INTO singles, anything
    FROM (SELECT place, '''' || replace(replace(token, '\', '\\'), '''', '''''') || '''' AS quoted
          FROM unnest(a_tokens) WITH ORDINALITY AS t (token, place)) q;
  RETURN QUERY
    SELECT best.id, best.view_, (SELECT array_agg(ts_rank(best.tokens, single) ORDER BY place)
             FROM unnest(singles) WITH ORDINALITY AS s (single, place)), best.token_count
    FROM (
      SELECT e.id, e.kind = 'window' AS view_, e.tokens, e.token_count::integer AS token_count,
        row_number() OVER (PARTITION BY e.kind = 'window' ORDER BY ts_rank(e.tokens, anything) DESC, e.id) AS place
      FROM public.memoryhub_searchentry e
      WHERE e.owner_id = a_owner AND e.tokens @@ anything AND e.cleared AND e.kind = ANY (a_kinds)
        AND e.known_until IS NULL
      UNION ALL
      SELECT e.id, e.kind = 'window', e.tokens, e.token_count::integer,
        row_number() OVER (PARTITION BY e.kind = 'window' ORDER BY ts_rank(e.tokens, anything) DESC, e.id)
      FROM public.memoryhub_searchentry e
      WHERE NOT a_live AND e.owner_id = a_owner AND e.tokens @@ anything AND e.cleared AND e.kind = ANY (a_kinds)
        AND e.known_until IS NOT NULL
    ) best
    WHERE best.place <= a_limit;
END $$
"""

ENTITIES = """
CREATE FUNCTION mh_entities(a_owner uuid, a_names text[], a_kinds text[], a_live boolean, a_limit integer)
RETURNS TABLE (entry_id uuid) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF NOT public.mh_may_search(a_owner) OR cardinality(a_names) = 0 THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT e.id FROM public.memoryhub_searchentry e
    WHERE e.owner_id = a_owner AND e.entities && a_names::varchar[] AND e.cleared AND e.kind = ANY (a_kinds)
      AND (e.known_until IS NULL OR NOT a_live)
    ORDER BY e.occurred_at DESC, e.id LIMIT a_limit;
END $$;
CREATE INDEX entry_entities ON memoryhub_searchentry USING gin (entities)
"""

# Text and tokens of a window are together over 2 kB, where rows are compressed and moved out of line; reading two hundred of
# them back would cost more than the search. 8,160 keeps a row whole as long as it fits its page.
STORAGE = """
ALTER TABLE memoryhub_searchentry SET (toast_tuple_target = 8160);
ALTER TABLE memoryhub_searchentry ADD CONSTRAINT entry_has_the_id_of_its_target
  CHECK (kind = 'window' OR id = target_id)
"""

# What recall has to leave out or look up although it is rare; each is read whole for one owner.
RARE = """
CREATE INDEX entry_hidden ON memoryhub_searchentry (owner_id, id) WHERE known_until IS NOT NULL OR NOT cleared;
CREATE INDEX change_open ON memoryhub_change (owner_id, created_at DESC) WHERE state = 'proposed';
CREATE INDEX item_chain ON memoryhub_memoryitem (owner_id, subject_entity, attribute) WHERE attribute <> '';
CREATE INDEX field_version_superseded ON memoryhub_fieldversion (owner_id, known_from DESC) WHERE status = 'superseded';
CREATE INDEX event_key_action ON memoryhub_event (owner_id, occurred_at DESC, id DESC)
  WHERE action IN ('decision', 'change', 'commitment') OR learned ->> 'action' IN ('decision', 'change', 'commitment')
"""

HAND_OVER = f"""
REVOKE EXECUTE ON FUNCTION mh_lexical(uuid, text[], text[], boolean, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mh_entities(uuid, text[], text[], boolean, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mh_lexical(uuid, text[], text[], boolean, integer) TO {CALLERS};
GRANT EXECUTE ON FUNCTION mh_entities(uuid, text[], text[], boolean, integer) TO {CALLERS};
GRANT CREATE ON SCHEMA public TO {SEARCHER};
ALTER FUNCTION mh_lexical(uuid, text[], text[], boolean, integer) OWNER TO {SEARCHER};
ALTER FUNCTION mh_entities(uuid, text[], text[], boolean, integer) OWNER TO {SEARCHER};
REVOKE CREATE ON SCHEMA public FROM {SEARCHER}
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0003_guards")]

    operations = [
        migrations.RunSQL(MAY_SEARCH, "DROP FUNCTION mh_may_search(uuid)"),
        migrations.RunSQL(LEXICAL, "DROP FUNCTION mh_lexical(uuid, text[], text[], boolean, integer)"),
        migrations.RunSQL(
            ENTITIES,
            "DROP INDEX entry_entities; DROP FUNCTION mh_entities(uuid, text[], text[], boolean, integer)",
        ),
        migrations.RunSQL(
            STORAGE,
            "ALTER TABLE memoryhub_searchentry RESET (toast_tuple_target);"
            " ALTER TABLE memoryhub_searchentry DROP CONSTRAINT entry_has_the_id_of_its_target",
        ),
        migrations.RunSQL(
            RARE,
            "DROP INDEX entry_hidden; DROP INDEX change_open; DROP INDEX item_chain; DROP INDEX field_version_superseded;"
            " DROP INDEX event_key_action",
        ),
        migrations.RunSQL(HAND_OVER, migrations.RunSQL.noop),
    ]
