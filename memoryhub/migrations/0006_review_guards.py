"""What the database keeps about decisions: links, state moves, the true copy of who is responsible, and the purge door."""

from importlib import import_module

from django.db import migrations

from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")

OWNER_TABLES = ("Review", "ReviewStep", "Tombstone", "Question", "Derivation", "RecallFeedback")

# A review copies the responsible person of its change, so that a check can compare him with who decides; the key makes
# the copy a true one.
RESPONSIBLE = """
CREATE UNIQUE INDEX change_and_responsible ON memoryhub_change (owner_id, id, responsible_user_id);
ALTER TABLE memoryhub_review ADD CONSTRAINT review_copies_the_responsible_person
  FOREIGN KEY (owner_id, change_id, responsible_user_id)
  REFERENCES memoryhub_change (owner_id, id, responsible_user_id);
CREATE FUNCTION mh_review_copies_responsible() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  SELECT responsible_user_id INTO NEW.responsible_user_id FROM public.memoryhub_change
    WHERE owner_id = NEW.owner_id AND id = NEW.change_id;
  RETURN NEW;
END $$;
CREATE TRIGGER review_copies_responsible BEFORE INSERT ON memoryhub_review
  FOR EACH ROW EXECUTE FUNCTION mh_review_copies_responsible();
CREATE TRIGGER review_keeps_responsible BEFORE UPDATE OF responsible_user_id, change_id ON memoryhub_review
  FOR EACH ROW EXECUTE FUNCTION mh_refuse()
"""

REVIEW_MOVES = """
CREATE FUNCTION mh_review_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.state = NEW.state OR (OLD.state, NEW.state) IN (
    ('open', 'deferred'), ('open', 'waiting_owner'), ('open', 'second_review'), ('open', 'decided'),
    ('deferred', 'open'), ('deferred', 'decided'), ('waiting_owner', 'open'), ('waiting_owner', 'decided'),
    ('second_review', 'open'), ('second_review', 'decided'), ('decided', 'open')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a review does not move from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation',
    CONSTRAINT = 'review_state_moves';
END $$;
CREATE TRIGGER review_state_moves BEFORE UPDATE OF state ON memoryhub_review
  FOR EACH ROW EXECUTE FUNCTION mh_review_moves();
ALTER TABLE memoryhub_review ENABLE ALWAYS TRIGGER review_state_moves
"""

TARGET_ONCE = """
CREATE FUNCTION mh_change_target_once() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.target_id IS NOT NULL AND NEW.target_id IS DISTINCT FROM OLD.target_id THEN
    RAISE EXCEPTION 'the target of an applied change does not move' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'change_target_is_set_once';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER change_target_once BEFORE UPDATE OF target_id ON memoryhub_change
  FOR EACH ROW EXECUTE FUNCTION mh_change_target_once();
ALTER TABLE memoryhub_change ENABLE ALWAYS TRIGGER change_target_once
"""

PURGE_ORDER = ("recallfeedback", "derivation", "reviewstep", "question", "tombstone", "review", *guards.PURGE_ORDER)

class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0005_reviews")]

    operations = [
        AddOwnerLinks(*OWNER_TABLES),
        WallOffInactiveOwners(*OWNER_TABLES),
        GuardTable("ReviewStep"),
        GuardTable("RecallFeedback"),
        migrations.RunSQL(RESPONSIBLE, migrations.RunSQL.noop),
        migrations.RunSQL(REVIEW_MOVES, migrations.RunSQL.noop),
        migrations.RunSQL(TARGET_ONCE, migrations.RunSQL.noop),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
