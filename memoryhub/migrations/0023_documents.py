"""Documents of domains, teams and projects, with versions and chunks; a chunk is something that can be found."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import memoryhub.models.base
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memoryhub', '0022_sessions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Document',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('title', models.CharField(max_length=300)),
                ('source', models.CharField(blank=True, help_text='where it comes from: an address or a name', max_length=500)),
                ('user_id', models.BigIntegerField(help_text='the person who imported it at the desk', null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('archived_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='DocumentChunk',
            fields=[
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('document_id', models.UUIDField()),
                ('version_id', models.UUIDField()),
                ('position', models.PositiveIntegerField()),
                ('heading_path', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list)),
                ('text', models.TextField()),
                ('token_count', models.PositiveIntegerField()),
                ('flags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list)),
            ],
        ),
        migrations.CreateModel(
            name='DocumentVersion',
            fields=[
                ('valid_from', models.DateTimeField()),
                ('valid_until', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(help_text='when we learned that it ended', null=True)),
                ('known_from', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('known_until', models.DateTimeField(null=True)),
                ('pk', models.CompositePrimaryKey('owner_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('id', models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ('workspace_id', models.UUIDField()),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memoryhub.owner')),
                ('document_id', models.UUIDField()),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('importing', 'Importing'), ('draft', 'Draft'), ('published', 'Published')], default='importing', max_length=10)),
                ('media', models.CharField(choices=[('markdown', 'Markdown'), ('text', 'Text'), ('html', 'Html'), ('pdf', 'Pdf')], max_length=10)),
                ('file_name', models.CharField(blank=True, max_length=200)),
                ('byte_count', models.PositiveIntegerField()),
                ('sha256', models.BinaryField(help_text='of the bytes that were imported', max_length=32)),
                ('text', models.TextField(help_text='what was read out of it, as Markdown')),
                ('authority', models.PositiveSmallIntegerField(default=1)),
                ('trust_tier', models.PositiveSmallIntegerField()),
                ('flags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='what screening saw')),
                ('chunk_count', models.PositiveIntegerField(default=0, help_text='of the whole text, known when it is cut')),
                ('last_verified_at', models.DateTimeField(null=True)),
                ('verified_by_id', models.BigIntegerField(null=True)),
                ('published_at', models.DateTimeField(null=True)),
                ('user_id', models.BigIntegerField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='searchentry',
            name='searchentry_kind_is_known',
        ),
        migrations.AlterField(
            model_name='searchentry',
            name='kind',
            field=models.CharField(choices=[('event', 'Event'), ('field_version', 'Field Version'), ('item', 'Item'), ('window', 'Window'), ('chunk', 'Chunk')], max_length=14),
        ),
        migrations.AlterField(
            model_name='searchentry',
            name='target_id',
            field=models.UUIDField(help_text='the event, item, field version or chunk; of a window its middle event'),
        ),
        migrations.AddConstraint(
            model_name='searchentry',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['event', 'field_version', 'item', 'window', 'chunk'])), name='searchentry_kind_is_known'),
        ),
        migrations.AddField(
            model_name='document',
            name='agent',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.agent'),
        ),
        migrations.AddField(
            model_name='documentchunk',
            name='document',
            field=memoryhub.models.base.OwnerRow(column='document_id', related_name='+', to='memoryhub.document'),
        ),
        migrations.AddField(
            model_name='documentversion',
            name='agent',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memoryhub.agent'),
        ),
        migrations.AddField(
            model_name='documentversion',
            name='document',
            field=memoryhub.models.base.OwnerRow(column='document_id', related_name='versions', to='memoryhub.document'),
        ),
        migrations.AddField(
            model_name='documentchunk',
            name='version',
            field=memoryhub.models.base.OwnerRow(column='version_id', related_name='chunks', to='memoryhub.documentversion'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(fields=['owner', '-created_at', '-id'], name='document_list'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='a_document_has_a_title'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.UniqueConstraint(fields=('owner', 'document_id', 'number'), name='one_document_version_per_number'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(('authority__gte', 1), ('authority__lte', 5)), name='authority_is_1_to_5'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(('valid_until', None), ('valid_until__gt', models.F('valid_from')), _connector='OR'), name='a_document_version_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'published'), _negated=True), models.Q(('last_verified_at__isnull', False), ('published_at__isnull', False)), _connector='OR'), name='a_published_version_was_verified'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(('trust_tier__gte', 1), ('trust_tier__lte', 4)), name='documentversion_trust_is_1_to_4'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['importing', 'draft', 'published'])), name='documentversion_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.CheckConstraint(condition=models.Q(('media__in', ['markdown', 'text', 'html', 'pdf'])), name='documentversion_media_is_known'),
        ),
        migrations.AddConstraint(
            model_name='documentchunk',
            constraint=models.UniqueConstraint(fields=('owner', 'version_id', 'position'), name='one_chunk_per_position'),
        ),
    ]
