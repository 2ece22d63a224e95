"""A second policy on a share of the owners, replays measured under a version, and questions that came again."""

from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
import memoryhub.models.base
from django.conf import settings
from django.db import migrations, models

from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
before = import_module("memoryhub.migrations.0028_entities_and_relations")

PURGE_ORDER = ("repeatedquestion", *before.PURGE_ORDER)


class Migration(migrations.Migration):

    dependencies = [
        ('memoryhub', '0029_fill_vocabulary'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RepeatSearch',
            fields=[
                ('workspace', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='memoryhub.workspace')),
                ('looked_until', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='PolicyMeasurement',
            fields=[
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('labelled_set', models.CharField(help_text='name of the file', max_length=200)),
                ('questions', models.PositiveIntegerField()),
                ('lines', models.PositiveIntegerField(help_text='told and judged by the labels')),
                ('polluted', models.PositiveIntegerField(help_text='of those, beside the point')),
                ('needed', models.PositiveIntegerField(help_text='what the labels ask for')),
                ('missing', models.PositiveIntegerField(help_text='of that, not told')),
                ('measured_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='measurements', to='memoryhub.policyversion')),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.workspace')),
            ],
            options={
                'indexes': [models.Index(fields=['version', '-measured_at'], name='measurement_of_version')],
                'constraints': [models.CheckConstraint(condition=models.Q(('missing__lte', models.F('needed')), ('polluted__lte', models.F('lines'))), name='parts_are_no_more_than_the_whole')],
            },
        ),
        migrations.CreateModel(
            name='PolicyTrial',
            fields=[
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('share', models.PositiveSmallIntegerField(help_text='percent of the owners')),
                ('state', models.CharField(choices=[('proposed', 'Proposed'), ('running', 'Running'), ('halted', 'Halted'), ('ended', 'Ended'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn')], default='proposed', max_length=10)),
                ('reason', models.CharField(max_length=500)),
                ('proposed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision_reason', models.CharField(blank=True, max_length=500)),
                ('started_at', models.DateTimeField(null=True)),
                ('halted_at', models.DateTimeField(null=True)),
                ('halt_reason', models.CharField(blank=True, max_length=500)),
                ('ended_at', models.DateTimeField(null=True)),
                ('ended_for', models.CharField(blank=True, choices=[('decided', 'Decided'), ('policy_switched', 'Policy Switched'), ('share_changed', 'Share Changed'), ('version_closed', 'Version Closed')], max_length=20)),
                ('four_eyes', models.BooleanField(default=True, help_text='false where the installation has FOUR_EYES off')),
                ('control', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.policyversion')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('halted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='memoryhub.policyversion')),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policy_trials', to='memoryhub.workspace')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('workspace', 'number'), name='one_trial_per_number'), models.UniqueConstraint(condition=models.Q(('state__in', ['running', 'halted'])), fields=('workspace',), name='one_running_trial_per_workspace'), models.UniqueConstraint(condition=models.Q(('state', 'proposed')), fields=('version',), name='one_proposed_trial_per_version'), models.CheckConstraint(condition=models.Q(('state__in', ['proposed', 'running', 'halted', 'ended', 'rejected', 'withdrawn'])), name='policytrial_state_is_known'), models.CheckConstraint(condition=models.Q(('share__gte', 1), ('share__lte', 50)), name='a_trial_takes_at_most_half_the_owners'), models.CheckConstraint(condition=models.Q(('version', models.F('control')), _negated=True), name='a_trial_compares_two_versions'), models.CheckConstraint(condition=models.Q(('state__in', ['proposed', 'withdrawn']), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_trial_is_decided_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('state__in', ['running', 'halted', 'ended']), _negated=True), ('started_at__isnull', False), _connector='OR'), models.Q(models.Q(('state__in', ['proposed', 'rejected', 'withdrawn']), _negated=True), ('started_at', None), _connector='OR')), name='a_trial_that_ran_has_a_start'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'halted'), _negated=True), models.Q(('halted_at__isnull', False), ('halted_by__isnull', False)), _connector='OR'), name='a_trial_is_halted_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('ended_for__in', ['decided', 'policy_switched', 'share_changed', 'version_closed']), ('state', 'ended')), models.Q(models.Q(('state', 'ended'), _negated=True), ('ended_at', None), ('ended_for', '')), _connector='OR'), name='an_ended_trial_has_an_end'), models.CheckConstraint(condition=models.Q(('four_eyes', False), ('decided_by', None), models.Q(('decided_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='nobody_starts_his_own_trial'), models.CheckConstraint(condition=models.Q(('four_eyes', False), models.Q(('ended_for', 'decided'), _negated=True), models.Q(('ended_by__isnull', False), ('halted_by__isnull', False), models.Q(('ended_by', models.F('halted_by')), _negated=True)), _connector='OR'), name='nobody_ends_a_trial_alone')],
            },
        ),
        migrations.CreateModel(
            name='RepeatedQuestion',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('earlier_id', models.UUIDField()),
                ('later_id', models.UUIDField()),
                ('sign', models.CharField(choices=[('same_words', 'Same Words'), ('same_field', 'Same Field'), ('same_names', 'Same Names'), ('meaning', 'Meaning')], help_text='by what the subject is known as the same', max_length=12)),
                ('likeness', models.FloatField(help_text='share of common words, or the cosine')),
                ('earlier_at', models.DateTimeField()),
                ('at', models.DateTimeField(help_text='when it was asked again')),
                ('earlier', memoryhub.models.base.OwnerRow(column='earlier_id', related_name='repeated_by', to='memoryhub.recall')),
                ('later', memoryhub.models.base.OwnerRow(column='later_id', related_name='repeats', to='memoryhub.recall')),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
            ],
            options={
                'indexes': [models.Index(fields=['workspace_id', '-at', '-id'], name='repeat_newest_of_workspace'), models.Index(fields=['owner', 'earlier_id'], name='repeat_of_question')],
                'constraints': [models.UniqueConstraint(fields=('owner', 'later_id', 'earlier_id'), name='one_repeat_per_pair'), models.CheckConstraint(condition=models.Q(('sign__in', ['same_words', 'same_field', 'same_names', 'meaning'])), name='repeatedquestion_sign_is_known'), models.CheckConstraint(condition=models.Q(('likeness__gte', 0), ('likeness__lte', 1)), name='repeatedquestion_likeness_is_a_share'), models.CheckConstraint(condition=models.Q(('at__gt', models.F('earlier_at'))), name='a_repeat_comes_later')],
            },
        ),
        AddOwnerLinks("RepeatedQuestion"),
        WallOffInactiveOwners("RepeatedQuestion"),
        GuardTable("RepeatedQuestion"),
        GuardTable("PolicyMeasurement"),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
