"""People and things, their relations, and the vocabulary both are written in."""

from importlib import import_module

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import memoryhub.models.base
from memoryhub.database.operations import AddOwnerLinks, GuardTable, WallOffInactiveOwners

guards = import_module("memoryhub.migrations.0003_guards")
documents = import_module("memoryhub.migrations.0024_document_guards")

PURGE_ORDER = ("relation", "entity", *documents.PURGE_ORDER)

MOVING = (
    "status", "superseded_by_seq", "valid_until", "closed_at", "known_until", "confirmations", "last_confirmed_at",
)

SUCCESSOR = """
ALTER TABLE memoryhub_relation ADD CONSTRAINT relation_successor_exists
  FOREIGN KEY (owner_id, superseded_by_seq) REFERENCES memoryhub_relation (owner_id, seq) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    dependencies = [
        ('memoryhub', '0027_when_a_slot_was_touched'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EntityKind',
            fields=[
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.SlugField(max_length=60)),
                ('label_en', models.CharField(max_length=100)),
                ('label_zh', models.CharField(max_length=100)),
                ('separates', models.BooleanField(default=False, help_text='what is bound to one entity of this kind is not told when another one of it is asked about')),
                ('active', models.BooleanField(default=True)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entity_kinds', to='memoryhub.workspace')),
            ],
        ),
        migrations.CreateModel(
            name='RelationKind',
            fields=[
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.SlugField(max_length=60)),
                ('label_en', models.CharField(help_text="as in 'coffee contains milk'", max_length=100)),
                ('label_zh', models.CharField(max_length=100)),
                ('aliases', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='words by which a question names it')),
                ('target', models.CharField(choices=[('entity', 'Entity'), ('text', 'Text'), ('date', 'Date')], default='entity', max_length=10)),
                ('family', models.SlugField(help_text='its own name, or one that it shares', max_length=60)),
                ('single', models.BooleanField(default=False)),
                ('from_kinds', django.contrib.postgres.fields.ArrayField(base_field=models.SlugField(max_length=60), blank=True, default=list, help_text='empty: any')),
                ('to_kinds', django.contrib.postgres.fields.ArrayField(base_field=models.SlugField(max_length=60), blank=True, default=list, help_text='empty: any')),
                ('attributes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), blank=True, default=list, help_text='strength | impact | resolution')),
                ('warns', models.BooleanField(default=False, help_text='a path that ends with it is a warning when something is to be recommended')),
                ('reserved', models.BooleanField(default=False, help_text='kept by memoryhub itself: two names of one thing')),
                ('default_importance', models.FloatField(default=0.7)),
                ('active', models.BooleanField(default=True)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='relation_kinds', to='memoryhub.workspace')),
            ],
        ),
        migrations.CreateModel(
            name='Entity',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('name', models.CharField(blank=True, help_text="as it was first written; '' for the owner", max_length=200)),
                ('key', models.CharField(blank=True, db_collation='C', help_text='equal for spellings of one name', max_length=600)),
                ('skeleton', models.CharField(blank=True, db_collation='C', help_text='equal for names that look the same', max_length=600)),
                ('is_owner', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('kind', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.entitykind')),
            ],
        ),
        migrations.CreateModel(
            name='Relation',
            fields=[
                ('valid_from', models.DateTimeField()),
                ('valid_until', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(help_text='when we learned that it ended', null=True)),
                ('known_from', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('known_until', models.DateTimeField(null=True)),
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('event_id', models.UUIDField(null=True)),
                ('quote', models.TextField(blank=True)),
                ('quote_start', models.PositiveIntegerField(null=True)),
                ('quote_end', models.PositiveIntegerField(null=True)),
                ('confidence', models.FloatField()),
                ('importance', models.FloatField()),
                ('trust_tier', models.PositiveSmallIntegerField()),
                ('basis', models.CharField(choices=[('stated', 'Stated'), ('corrected', 'Corrected'), ('observed', 'Observed'), ('inferred', 'Inferred'), ('imported', 'Imported'), ('staff', 'Staff')], default='stated', max_length=10)),
                ('agent_id', models.UUIDField(null=True)),
                ('seq', models.BigIntegerField(help_text="order of arrival within the owner, counted with his memory items under OwnerSequence's lock")),
                ('from_entity_id', models.UUIDField()),
                ('to_entity_id', models.UUIDField(null=True)),
                ('value', models.CharField(blank=True, help_text='the plain value, when it is not an entity', max_length=500)),
                ('slot', models.CharField(help_text='the family of its kind', max_length=60)),
                ('slot_key', models.CharField(blank=True, help_text="the target; '' for a single kind", max_length=40)),
                ('strength', models.FloatField(help_text='0 to 1', null=True)),
                ('impact', models.PositiveSmallIntegerField(help_text='1 to 3', null=True)),
                ('resolution', models.CharField(blank=True, choices=[('open', 'Open'), ('pending', 'Pending'), ('solved', 'Solved')], max_length=10)),
                ('status', models.CharField(choices=[('active', 'Active'), ('scheduled', 'Scheduled'), ('superseded', 'Superseded'), ('historical', 'Historical'), ('retracted', 'Retracted'), ('expired', 'Expired')], max_length=12)),
                ('superseded_by_seq', models.BigIntegerField(null=True)),
                ('confirmations', models.PositiveIntegerField(default=0)),
                ('last_confirmed_at', models.DateTimeField(null=True)),
                ('session_ref', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('event', memoryhub.models.base.OwnerRow(column='event_id', null=True, related_name='+', to='memoryhub.event')),
                ('from_entity', memoryhub.models.base.OwnerRow(column='from_entity_id', related_name='relations_from', to='memoryhub.entity')),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('to_entity', memoryhub.models.base.OwnerRow(column='to_entity_id', null=True, related_name='relations_to', to='memoryhub.entity')),
                ('kind', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.relationkind')),
            ],
        ),
        migrations.CreateModel(
            name='VocabularyEdit',
            fields=[
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False, primary_key=True, serialize=False)),
                ('version', models.PositiveIntegerField()),
                ('action', models.CharField(choices=[('start', 'Start'), ('create', 'Create'), ('edit', 'Edit'), ('restore', 'Restore')], max_length=10)),
                ('restored_version', models.PositiveIntegerField(null=True)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField()),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('entity_kind', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='memoryhub.entitykind')),
                ('relation_kind', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='memoryhub.relationkind')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.workspace')),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='change',
            name='change_target_kind_is_known',
        ),
        migrations.AlterField(
            model_name='change',
            name='target_kind',
            field=models.CharField(choices=[('field_version', 'Field Version'), ('item', 'Item'), ('relation', 'Relation')], max_length=14),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.CheckConstraint(condition=models.Q(('target_kind__in', ['field_version', 'item', 'relation'])), name='change_target_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='entitykind',
            constraint=models.UniqueConstraint(fields=('workspace', 'name'), name='one_entity_kind_per_name'),
        ),
        migrations.AddIndex(
            model_name='entity',
            index=models.Index(fields=['owner', 'skeleton'], name='entity_skeleton'),
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.UniqueConstraint(fields=('owner', 'kind', 'key'), name='one_entity_per_name'),
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.UniqueConstraint(condition=models.Q(('is_owner', True)), fields=('owner',), name='one_entity_is_the_owner'),
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_owner', True), ('key', '')), models.Q(('is_owner', False), models.Q(('key', ''), _negated=True)), _connector='OR'), name='an_entity_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.UniqueConstraint(fields=('workspace', 'name'), name='one_relation_kind_per_name'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.CheckConstraint(condition=models.Q(('target__in', ['entity', 'text', 'date'])), name='relationkind_target_is_known'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.CheckConstraint(condition=models.Q(('default_importance__gte', 0), ('default_importance__lte', 1)), name='relationkind_default_importance_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.CheckConstraint(condition=models.Q(('family', ''), _negated=True), name='a_relation_kind_has_a_family'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.CheckConstraint(condition=models.Q(('target', 'entity'), ('single', True), _connector='OR'), name='a_plain_value_has_one_place'),
        ),
        migrations.AddConstraint(
            model_name='relationkind',
            constraint=models.CheckConstraint(condition=models.Q(('attributes__contained_by', ['strength', 'impact', 'resolution'])), name='relation_attributes_are_known'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(fields=['owner', '-seq'], name='relation_list'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(fields=['owner', 'from_entity_id'], name='relation_from'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(condition=models.Q(('to_entity_id__isnull', False)), fields=['owner', 'to_entity_id'], name='relation_to'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(fields=['owner', 'event_id'], name='relation_event'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(condition=models.Q(('status', 'scheduled')), fields=['workspace_id', 'valid_from'], name='relation_due'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.UniqueConstraint(fields=('owner', 'seq'), name='one_relation_per_seq'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'active')), fields=('owner', 'from_entity_id', 'slot', 'slot_key'), name='one_active_relation_per_slot'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('to_entity_id__isnull', False), ('value', '')), models.Q(('to_entity_id', None), models.Q(('value', ''), _negated=True)), _connector='OR'), name='a_relation_has_one_target'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('to_entity_id', None), models.Q(('to_entity_id', models.F('from_entity_id')), _negated=True), _connector='OR'), name='a_relation_has_two_ends'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'superseded'), ('superseded_by_seq__isnull', False)), models.Q(models.Q(('status', 'superseded'), _negated=True), ('superseded_by_seq__isnull', True)), _connector='OR'), name='superseded_relation_has_a_successor'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('superseded_by_seq__isnull', True), ('superseded_by_seq__gt', models.F('seq')), _connector='OR'), name='relations_are_superseded_forward'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('valid_until__isnull', True), ('valid_until__gte', models.F('valid_from')), _connector='OR'), name='a_relation_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('impact__isnull', True), models.Q(('impact__gte', 1), ('impact__lte', 3)), _connector='OR'), name='relation_impact_is_1_to_3'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('resolution', ''), ('resolution__in', ['open', 'pending', 'solved']), _connector='OR'), name='relation_resolution_is_known'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['active', 'scheduled', 'superseded', 'historical', 'retracted', 'expired'])), name='relation_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('basis__in', ['stated', 'corrected', 'observed', 'inferred', 'imported', 'staff'])), name='relation_basis_is_known'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('strength__gte', 0), ('strength__lte', 1)), name='relation_strength_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='relation_confidence_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('importance__gte', 0), ('importance__lte', 1)), name='relation_importance_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(('trust_tier__gte', 1), ('trust_tier__lte', 4)), name='relation_trust_is_1_to_4'),
        ),
        migrations.AddIndex(
            model_name='vocabularyedit',
            index=models.Index(fields=['workspace', '-at', '-id'], name='vocabulary_edit_newest'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.UniqueConstraint(condition=models.Q(('entity_kind__isnull', False)), fields=('entity_kind', 'version'), name='one_edit_per_entity_kind_version'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.UniqueConstraint(condition=models.Q(('relation_kind__isnull', False)), fields=('relation_kind', 'version'), name='one_edit_per_relation_kind_version'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['start', 'create', 'edit', 'restore'])), name='vocabularyedit_action_is_known'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('entity_kind__isnull', True), ('relation_kind__isnull', False)), models.Q(('entity_kind__isnull', False), ('relation_kind__isnull', True)), _connector='OR'), name='a_vocabulary_edit_is_of_one_kind'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action__in', ['start', 'create']), ('before__isnull', True)), models.Q(models.Q(('action__in', ['start', 'create']), _negated=True), ('before__isnull', False)), _connector='OR'), name='a_vocabulary_edit_says_what_stood_before'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyedit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action', 'restore'), ('restored_version__isnull', False)), models.Q(models.Q(('action', 'restore'), _negated=True), ('restored_version__isnull', True)), _connector='OR'), name='a_restored_vocabulary_edit_names_its_version'),
        ),
        AddOwnerLinks("Entity", "Relation"),
        WallOffInactiveOwners("Entity", "Relation"),
        GuardTable("Entity"),
        GuardTable("Relation", may_change=MOVING),
        GuardTable("VocabularyEdit"),
        migrations.RunSQL(SUCCESSOR, "ALTER TABLE memoryhub_relation DROP CONSTRAINT relation_successor_exists"),
        migrations.RunSQL(guards.purge_function(PURGE_ORDER), migrations.RunSQL.noop),
    ]
