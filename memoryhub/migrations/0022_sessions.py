"""Working memory of conversations: sessions, their slots, and whether a recall found its answer there.

A value is never written over and a deprecated one never active again; only clearing empties it.
"""

from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import memoryhub.models.base
from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
served = import_module("memoryhub.migrations.0019_fill_recall_served")

PURGE_ORDER = ("sessionslot", "session", *served.PURGE_ORDER)

SLOT_MOVES = """
CREATE FUNCTION mh_slot_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.state = 'deprecated' AND NEW.state <> 'deprecated' THEN
    RAISE EXCEPTION 'a deprecated slot stays deprecated' USING ERRCODE = 'check_violation', CONSTRAINT = 'slot_state_moves';
  END IF;
  IF (NEW.value IS NOT NULL AND NEW.value IS DISTINCT FROM OLD.value)
    OR (NEW.value IS NOT NULL AND (NEW.value_key <> OLD.value_key OR NEW.quote <> OLD.quote)) THEN
    RAISE EXCEPTION 'a slot keeps its value until it is cleared' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'slot_state_moves';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER slot_state_moves BEFORE UPDATE ON memoryhub_sessionslot
  FOR EACH ROW EXECUTE FUNCTION mh_slot_moves();
ALTER TABLE memoryhub_sessionslot ENABLE ALWAYS TRIGGER slot_state_moves;
CREATE FUNCTION mh_session_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.state = 'ended' AND NEW.state <> 'ended' THEN
    RAISE EXCEPTION 'an ended session stays ended' USING ERRCODE = 'check_violation', CONSTRAINT = 'session_state_moves';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER session_state_moves BEFORE UPDATE OF state ON memoryhub_session
  FOR EACH ROW EXECUTE FUNCTION mh_session_moves();
ALTER TABLE memoryhub_session ENABLE ALWAYS TRIGGER session_state_moves
"""
DROP_MOVES = """
DROP TRIGGER slot_state_moves ON memoryhub_sessionslot; DROP FUNCTION mh_slot_moves();
DROP TRIGGER session_state_moves ON memoryhub_session; DROP FUNCTION mh_session_moves()
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0021_write_quotas")]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('ref', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('open', 'Open'), ('ended', 'Ended')], default='open', max_length=10)),
                ('agent_id', models.UUIDField(help_text='who opened it', null=True)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('active_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='when a value was last set or confirmed')),
                ('ended_at', models.DateTimeField(null=True)),
                ('ended_by', models.CharField(blank=True, help_text='request | timeout', max_length=10)),
                ('outcome', models.CharField(blank=True, max_length=10)),
                ('outcome_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
            ],
        ),
        migrations.CreateModel(
            name='SessionSlot',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('session_id', models.UUIDField()),
                ('context', models.CharField(blank=True, help_text='kind:name, as order:A', max_length=220)),
                ('name', models.CharField(max_length=60)),
                ('version', models.PositiveIntegerField(help_text='order of arrival within the name')),
                ('value', models.JSONField(help_text='empty once cleared', null=True)),
                ('value_key', models.CharField(blank=True, help_text='equal for values that mean the same', max_length=600)),
                ('state', models.CharField(choices=[('active', 'Active'), ('deprecated', 'Deprecated')], default='active', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=20)),
                ('restored_version', models.PositiveIntegerField(null=True)),
                ('said_by', models.CharField(default='user', help_text='user | system', max_length=10)),
                ('form_type', models.CharField(blank=True, help_text='the field it would be kept in', max_length=60)),
                ('form_subject', models.CharField(blank=True, max_length=200)),
                ('field_name', models.CharField(blank=True, max_length=60)),
                ('event_id', models.UUIDField(null=True)),
                ('quote', models.TextField(blank=True)),
                ('importance', models.FloatField(null=True)),
                ('confidence', models.FloatField(null=True)),
                ('trust_tier', models.PositiveSmallIntegerField()),
                ('held_for', models.CharField(blank=True, help_text='why it is not served: a code', max_length=20)),
                ('agent_id', models.UUIDField(null=True)),
                ('api_key_id', models.UUIDField(null=True)),
                ('set_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('deprecated_at', models.DateTimeField(null=True)),
                ('fate', models.CharField(blank=True, max_length=10)),
                ('fate_code', models.CharField(blank=True, max_length=60)),
                ('target_id', models.UUIDField(help_text='what it was promoted to', null=True)),
                ('change_id', models.UUIDField(null=True)),
                ('cleared_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('session', memoryhub.models.base.OwnerRow(column='session_id', related_name='slots', to='memoryhub.session')),
                ('event', memoryhub.models.base.OwnerRow(column='event_id', null=True, related_name='+', to='memoryhub.event')),
            ],
        ),
        migrations.AddField(
            model_name='recall',
            name='session_hit',
            field=models.BooleanField(help_text='whether the session layer had an answer; empty when there was no session to ask', null=True),
        ),
        migrations.AddIndex(
            model_name='recall',
            index=models.Index(condition=models.Q(('session_hit__isnull', False)), fields=['workspace_id', 'created_at'], include=('session_hit',), name='recall_session_hit'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['owner', '-opened_at', '-id'], name='session_list'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['owner', 'ref', '-opened_at'], name='session_ref'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['workspace_id', 'active_at'], name='session_idle'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('owner', 'ref'), name='one_open_session_per_ref'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('ref', ''), _negated=True), name='a_session_has_a_ref'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', ''), ('state', 'open')), models.Q(('ended_at__isnull', False), ('ended_by__in', ['request', 'timeout']), ('state', 'ended')), _connector='OR'), name='ended_means_has_an_end'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', ''), ('outcome_at', None)), models.Q(('outcome__in', ['resolved', 'escalated', 'repeated']), ('outcome_at__isnull', False)), _connector='OR'), name='session_outcome_is_known'),
        ),
        migrations.AddIndex(
            model_name='sessionslot',
            index=models.Index(fields=['owner', 'session_id', 'context', 'name', '-version'], name='slot_of_session'),
        ),
        migrations.AddIndex(
            model_name='sessionslot',
            index=models.Index(condition=models.Q(('state', 'active')), fields=['workspace_id', 'expires_at'], name='slot_expiry'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.UniqueConstraint(fields=('owner', 'session_id', 'context', 'name', 'version'), name='one_slot_per_version'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'active')), fields=('owner', 'session_id', 'context', 'name'), name='one_active_slot_per_name'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('deprecated_at', None), ('reason', ''), ('state', 'active')), models.Q(('deprecated_at__isnull', False), ('reason__in', ['user_correction', 'system_correction', 'timeout', 'restored', 'ended']), ('state', 'deprecated')), _connector='OR'), name='deprecated_means_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cleared_at', None), ('value__isnull', False)), models.Q(('cleared_at__isnull', False), ('quote', ''), ('state', 'deprecated'), ('value__isnull', True), ('value_key', '')), _connector='OR'), name='a_cleared_slot_holds_nothing'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('restored_version', None), ('restored_version__lt', models.F('version')), _connector='OR'), name='a_slot_is_restored_from_before'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('fate', ''), ('fate__in', ['promoted', 'in_review', 'dropped']), _connector='OR'), name='slot_fate_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('said_by__in', ['user', 'system'])), name='slot_speaker_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('importance__gte', 0), ('importance__lte', 1)), name='sessionslot_importance_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='sessionslot_confidence_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='sessionslot',
            constraint=models.CheckConstraint(condition=models.Q(('trust_tier__gte', 1), ('trust_tier__lte', 4)), name='sessionslot_trust_is_1_to_4'),
        ),
        AddOwnerLinks("Session", "SessionSlot"),
        WallOffInactiveOwners("Session", "SessionSlot"),
        GuardTable("Session", may_change=("state", "active_at", "ended_at", "ended_by", "outcome", "outcome_at")),
        GuardTable(
            "SessionSlot",
            may_change=(
                "state", "reason", "deprecated_at", "expires_at", "value", "value_key", "quote", "cleared_at", "fate", "fate_code",
                "target_id", "change_id",
            ),
        ),
        migrations.RunSQL(SLOT_MOVES, DROP_MOVES),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
