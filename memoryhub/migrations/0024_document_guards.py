"""Links, guards and the purge door for documents; two versions of one document are never in force on the same day."""

from importlib import import_module

from django.db import migrations

from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
sessions = import_module("memoryhub.migrations.0022_sessions")

TABLES = ("Document", "DocumentVersion", "DocumentChunk")
MOVING = (
    "state", "authority", "flags", "chunk_count", "valid_from", "valid_until", "closed_at", "known_from", "known_until",
    "last_verified_at", "verified_by_id", "published_at",
)

# GiST knows equality of ranges but not of uuids (that would take btree_gist, which the embedded server has not): a range of one
# uuid stands for the uuid.
NO_OVERLAP = """
CREATE TYPE mh_uuidrange AS RANGE (subtype = uuid);
ALTER TABLE memoryhub_documentversion ADD CONSTRAINT published_versions_do_not_overlap EXCLUDE USING gist (
  mh_uuidrange(owner_id, owner_id, '[]') WITH =,
  mh_uuidrange(document_id, document_id, '[]') WITH =,
  tstzrange(valid_from, valid_until) WITH &&
) WHERE (state = 'published' AND known_until IS NULL)
"""

PURGE_ORDER = (
    *sessions.PURGE_ORDER[: sessions.PURGE_ORDER.index("searchentry") + 1],
    "documentchunk",
    "documentversion",
    "document",
    *sessions.PURGE_ORDER[sessions.PURGE_ORDER.index("searchentry") + 1 :],
)


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0023_documents")]

    operations = [
        AddOwnerLinks(*TABLES),
        WallOffInactiveOwners(*TABLES),
        GuardTable("DocumentVersion", may_change=MOVING),
        GuardTable("DocumentChunk"),
        migrations.RunSQL(
            NO_OVERLAP,
            "ALTER TABLE memoryhub_documentversion DROP CONSTRAINT published_versions_do_not_overlap;"
            " DROP TYPE mh_uuidrange",
        ),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
