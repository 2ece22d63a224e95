"""A rollback can itself be rolled back: what it reverted is applied again, what it withdrew waits again."""

from django.db import migrations

CHANGE_MOVES = """
CREATE OR REPLACE FUNCTION mh_change_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.state = NEW.state OR (OLD.state, NEW.state) IN (
    ('proposed', 'applied'), ('proposed', 'rejected'), ('proposed', 'expired'), ('proposed', 'withdrawn'),
    ('proposed', 'merged'), ('rejected', 'proposed'), ('withdrawn', 'proposed'), ('applied', 'reverted'),
    ('reverted', 'applied')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a change does not move from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation',
    CONSTRAINT = 'change_state_moves';
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0006_review_guards")]

    operations = [migrations.RunSQL(CHANGE_MOVES, migrations.RunSQL.noop)]
