import django.contrib.postgres.fields
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import memoryhub.models.base
import pgvector.django.halfvec
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memoryhub", "0001_workspaces_and_owners"),
    ]

    operations = [
        migrations.CreateModel(
            name="OwnerLink",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), blank=True, default=list
                    ),
                ),
                (
                    "form_types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), blank=True, default=list
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "linked_owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memoryhub.owner"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("owner", "linked_owner"),
                        name="one_open_link_per_pair",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("owner", models.F("linked_owner")), _negated=True),
                        name="an_owner_is_not_linked_to_itself",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OwnerSequence",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("last_item_seq", models.BigIntegerField(default=0)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("owner",), name="one_sequence_per_owner")],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("occurred_at", models.DateTimeField()),
                ("recorded_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(blank=True, max_length=200)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("assistant", "Assistant"),
                            ("tool", "Tool"),
                            ("system", "System"),
                            ("staff", "Staff"),
                        ],
                        default="user",
                        max_length=10,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("action", models.CharField(default="message", max_length=40)),
                ("content", models.TextField(blank=True)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                ("reason", models.CharField(blank=True, max_length=1000)),
                (
                    "alternatives",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list
                    ),
                ),
                ("caused_by_id", models.UUIDField(null=True)),
                ("form_type", models.CharField(blank=True, max_length=60)),
                ("form_subject", models.CharField(blank=True, max_length=200)),
                ("field_name", models.CharField(blank=True, max_length=60)),
                ("metadata", models.JSONField(default=dict)),
                ("trust_tier", models.PositiveSmallIntegerField()),
                ("idempotency_key", models.CharField(max_length=255, null=True)),
                (
                    "fingerprint",
                    models.BinaryField(
                        help_text="HMAC(owner key, body): the same key must bring the same body",
                        max_length=32,
                        null=True,
                    ),
                ),
                ("is_test", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("accepted", "Accepted"), ("processed", "Processed"), ("failed", "Failed")],
                        default="accepted",
                        max_length=10,
                    ),
                ),
                (
                    "outcome",
                    models.JSONField(default=list, help_text="verdicts of the write path: ids and codes"),
                ),
                (
                    "learned",
                    models.JSONField(
                        default=dict, help_text="what the extractor read in it: action, reason, alternatives"
                    ),
                ),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="counted before each try, so that a killed worker counts"
                    ),
                ),
                ("processed_at", models.DateTimeField(null=True)),
                (
                    "tier",
                    models.CharField(
                        choices=[("hot", "Hot"), ("cold", "Cold"), ("compacted", "Compacted")],
                        default="hot",
                        max_length=10,
                    ),
                ),
                ("heat_anchor", models.FloatField(default=1.0)),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.agent",
                    ),
                ),
                (
                    "caused_by",
                    memoryhub.models.base.OwnerRow(
                        column="caused_by_id", null=True, related_name="+", to="memoryhub.event"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["owner", "-occurred_at", "-id"], name="event_timeline"),
                    models.Index(fields=["owner", "session_ref", "occurred_at", "id"], name="event_session"),
                    models.Index(
                        condition=models.Q(("state", "accepted")),
                        fields=["owner", "recorded_at", "id"],
                        name="event_unprocessed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("idempotency_key__isnull", False)),
                        fields=("owner", "agent", "idempotency_key"),
                        name="one_event_per_idempotency_key",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["user", "assistant", "tool", "system", "staff"])),
                        name="event_role_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["accepted", "processed", "failed"])),
                        name="event_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tier__in", ["hot", "cold", "compacted"])),
                        name="event_tier_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("heat_anchor__gte", 0), ("heat_anchor__lte", 1)),
                        name="event_heat_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("trust_tier__gte", 1), ("trust_tier__lte", 4)),
                        name="event_trust_is_1_to_4",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("caused_by_id", models.F("id")), _negated=True),
                        name="an_event_does_not_cause_itself",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Form",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("subject", models.CharField(blank=True, db_collation="C", max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "form_type",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memoryhub.formtype"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "form_type", "subject"), name="one_form_per_subject"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FieldVersion",
            fields=[
                ("valid_from", models.DateTimeField()),
                ("valid_until", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(help_text="when we learned that it ended", null=True)),
                ("known_from", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("known_until", models.DateTimeField(null=True)),
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("event_id", models.UUIDField(null=True)),
                ("quote", models.TextField(blank=True)),
                ("quote_start", models.PositiveIntegerField(null=True)),
                ("quote_end", models.PositiveIntegerField(null=True)),
                ("confidence", models.FloatField()),
                ("importance", models.FloatField()),
                ("trust_tier", models.PositiveSmallIntegerField()),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("stated", "Stated"),
                            ("corrected", "Corrected"),
                            ("observed", "Observed"),
                            ("inferred", "Inferred"),
                            ("imported", "Imported"),
                            ("staff", "Staff"),
                        ],
                        default="stated",
                        max_length=10,
                    ),
                ),
                ("agent_id", models.UUIDField(null=True)),
                ("form_id", models.UUIDField()),
                (
                    "version",
                    models.PositiveIntegerField(
                        help_text="order of arrival, counted under the form's row lock"
                    ),
                ),
                ("value", models.JSONField()),
                (
                    "value_key",
                    models.CharField(
                        blank=True,
                        help_text="'' for a single-valued field, else the normalised value",
                        max_length=600,
                    ),
                ),
                (
                    "value_norm",
                    models.CharField(help_text="the normalised value: what equality means", max_length=600),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("scheduled", "Scheduled"),
                            ("superseded", "Superseded"),
                            ("historical", "Historical"),
                            ("retracted", "Retracted"),
                            ("expired", "Expired"),
                            ("archived", "Archived"),
                        ],
                        max_length=12,
                    ),
                ),
                ("superseded_by_version", models.PositiveIntegerField(null=True)),
                ("confirmations", models.PositiveIntegerField(default=0)),
                ("last_confirmed_at", models.DateTimeField(null=True)),
                ("strength_anchor", models.FloatField()),
                ("decay_rate", models.FloatField(default=0.02)),
                (
                    "tier",
                    models.CharField(
                        choices=[("warm", "Warm"), ("cold", "Cold")], default="warm", max_length=10
                    ),
                ),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(
                        column="event_id", null=True, related_name="+", to="memoryhub.event"
                    ),
                ),
                (
                    "field",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.fielddefinition",
                    ),
                ),
                (
                    "form",
                    memoryhub.models.base.OwnerRow(
                        column="form_id", related_name="versions", to="memoryhub.form"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["owner", "form_id", "field", "-version"], name="field_version_chain"
                    ),
                    models.Index(fields=["owner", "event_id"], name="field_version_event"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active")),
                        fields=("owner", "form_id", "field", "value_key"),
                        name="one_active_version_per_field",
                    ),
                    models.UniqueConstraint(
                        fields=("owner", "form_id", "field", "version"), name="one_row_per_version"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "superseded"), ("superseded_by_version__isnull", False)),
                            models.Q(
                                models.Q(("status", "superseded"), _negated=True),
                                ("superseded_by_version__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="superseded_means_has_a_successor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("superseded_by_version__isnull", True),
                            ("superseded_by_version__gt", models.F("version")),
                            _connector="OR",
                        ),
                        name="versions_are_superseded_forward",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "status__in",
                                [
                                    "active",
                                    "scheduled",
                                    "superseded",
                                    "historical",
                                    "retracted",
                                    "expired",
                                    "archived",
                                ],
                            )
                        ),
                        name="fieldversion_status_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "basis__in",
                                ["stated", "corrected", "observed", "inferred", "imported", "staff"],
                            )
                        ),
                        name="fieldversion_basis_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                        name="fieldversion_confidence_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 0), ("importance__lte", 1)),
                        name="fieldversion_importance_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("strength_anchor__gte", 0), ("strength_anchor__lte", 1)),
                        name="fieldversion_strength_anchor_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("valid_until__isnull", True),
                            ("valid_until__gte", models.F("valid_from")),
                            _connector="OR",
                        ),
                        name="a_version_ends_after_it_began",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryItem",
            fields=[
                ("valid_from", models.DateTimeField()),
                ("valid_until", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(help_text="when we learned that it ended", null=True)),
                ("known_from", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("known_until", models.DateTimeField(null=True)),
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("event_id", models.UUIDField(null=True)),
                ("quote", models.TextField(blank=True)),
                ("quote_start", models.PositiveIntegerField(null=True)),
                ("quote_end", models.PositiveIntegerField(null=True)),
                ("confidence", models.FloatField()),
                ("importance", models.FloatField()),
                ("trust_tier", models.PositiveSmallIntegerField()),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("stated", "Stated"),
                            ("corrected", "Corrected"),
                            ("observed", "Observed"),
                            ("inferred", "Inferred"),
                            ("imported", "Imported"),
                            ("staff", "Staff"),
                        ],
                        default="stated",
                        max_length=10,
                    ),
                ),
                ("agent_id", models.UUIDField(null=True)),
                (
                    "seq",
                    models.BigIntegerField(
                        help_text="order of arrival within the owner, counted under OwnerSequence's lock"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("episodic", "Episodic"),
                            ("semantic", "Semantic"),
                            ("procedural", "Procedural"),
                            ("knowledge", "Knowledge"),
                        ],
                        max_length=12,
                    ),
                ),
                ("content", models.TextField()),
                (
                    "content_norm",
                    models.CharField(
                        help_text="digest of the normalised content: what an exact duplicate means",
                        max_length=64,
                    ),
                ),
                (
                    "entities",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list
                    ),
                ),
                ("subject_entity", models.CharField(blank=True, max_length=200)),
                ("attribute", models.CharField(blank=True, max_length=200)),
                ("value_key", models.CharField(blank=True, max_length=600)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("scheduled", "Scheduled"),
                            ("superseded", "Superseded"),
                            ("historical", "Historical"),
                            ("retracted", "Retracted"),
                            ("forgotten", "Forgotten"),
                            ("expired", "Expired"),
                        ],
                        max_length=12,
                    ),
                ),
                ("superseded_by_seq", models.BigIntegerField(null=True)),
                ("key_attribute", models.BooleanField(default=False)),
                ("decay_rate", models.FloatField(default=0.02)),
                ("confirmations", models.PositiveIntegerField(default=0)),
                ("last_confirmed_at", models.DateTimeField(null=True)),
                ("strength_anchor", models.FloatField()),
                ("metadata", models.JSONField(default=dict)),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("updated_by_agent_id", models.UUIDField(null=True)),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(
                        column="event_id", null=True, related_name="+", to="memoryhub.event"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["owner", "-seq"], name="item_list"),
                    models.Index(fields=["owner", "event_id"], name="item_event"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "seq"), name="one_item_per_seq"),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active")),
                        fields=("owner", "kind", "content_norm"),
                        name="one_active_item_per_content",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active"), models.Q(("attribute", ""), _negated=True)),
                        fields=("owner", "subject_entity", "attribute"),
                        name="one_active_item_per_attribute",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "superseded"), ("superseded_by_seq__isnull", False)),
                            models.Q(
                                models.Q(("status", "superseded"), _negated=True),
                                ("superseded_by_seq__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="superseded_item_has_a_successor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("superseded_by_seq__isnull", True),
                            ("superseded_by_seq__gt", models.F("seq")),
                            _connector="OR",
                        ),
                        name="items_are_superseded_forward",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["episodic", "semantic", "procedural", "knowledge"])),
                        name="memoryitem_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "status__in",
                                [
                                    "active",
                                    "scheduled",
                                    "superseded",
                                    "historical",
                                    "retracted",
                                    "forgotten",
                                    "expired",
                                ],
                            )
                        ),
                        name="memoryitem_status_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "basis__in",
                                ["stated", "corrected", "observed", "inferred", "imported", "staff"],
                            )
                        ),
                        name="memoryitem_basis_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                        name="memoryitem_confidence_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 0), ("importance__lte", 1)),
                        name="memoryitem_importance_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("strength_anchor__gte", 0), ("strength_anchor__lte", 1)),
                        name="memoryitem_strength_anchor_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemSource",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("item_id", models.UUIDField()),
                ("event_id", models.UUIDField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(column="event_id", related_name="+", to="memoryhub.event"),
                ),
                (
                    "item",
                    memoryhub.models.base.OwnerRow(
                        column="item_id", related_name="sources", to="memoryhub.memoryitem"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "item_id", "event_id"), name="one_source_per_event"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Usage",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("target_kind", models.CharField(max_length=20)),
                ("target_id", models.UUIDField()),
                ("last_access_at", models.DateTimeField(null=True)),
                ("access_count", models.PositiveIntegerField(default=0)),
                ("last_served_at", models.DateTimeField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "target_kind", "target_id"), name="one_usage_per_target"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("event", "Event"),
                            ("field_version", "Field Version"),
                            ("item", "Item"),
                            ("window", "Window"),
                        ],
                        max_length=14,
                    ),
                ),
                (
                    "target_id",
                    models.UUIDField(
                        help_text="the event, item or field version; of a window its middle event"
                    ),
                ),
                ("text", models.TextField()),
                ("tokens", django.contrib.postgres.search.SearchVectorField()),
                ("token_count", models.PositiveIntegerField()),
                ("occurred_at", models.DateTimeField()),
                ("known_from", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("known_until", models.DateTimeField(null=True)),
                ("language", models.CharField(max_length=8)),
                (
                    "entities",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list
                    ),
                ),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                (
                    "cleared",
                    models.BooleanField(
                        default=True,
                        help_text="false: low trust, flagged or not a user's turn; kept out of recall",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("known_until__isnull", True)),
                        fields=["owner", "kind", "-occurred_at"],
                        name="entry_live",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "kind", "target_id"), name="one_entry_per_target"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["event", "field_version", "item", "window"])),
                        name="searchentry_kind_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchSource",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("entry_id", models.UUIDField()),
                ("event_id", models.UUIDField()),
                ("position", models.SmallIntegerField()),
                (
                    "entry",
                    memoryhub.models.base.OwnerRow(
                        column="entry_id", related_name="sources", to="memoryhub.searchentry"
                    ),
                ),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(column="event_id", related_name="+", to="memoryhub.event"),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "event_id"], name="search_source_event")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "entry_id", "position"), name="one_source_per_position"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchVector",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("entry_id", models.UUIDField()),
                ("kind", models.CharField(max_length=14)),
                ("dims", models.PositiveSmallIntegerField()),
                ("v", pgvector.django.halfvec.HalfVectorField()),
                (
                    "entry",
                    memoryhub.models.base.OwnerRow(
                        column="entry_id", related_name="vectors", to="memoryhub.searchentry"
                    ),
                ),
                (
                    "model",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.embeddingmodel",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "model", "entry_id"), name="one_vector_per_model"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChangeSet",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("act", models.CharField(max_length=40)),
                ("agent_id", models.UUIDField(null=True)),
                ("api_key_id", models.UUIDField(null=True)),
                ("user_id", models.BigIntegerField(null=True)),
                ("event_id", models.UUIDField(null=True)),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                ("transport", models.CharField(default="job", max_length=10)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(
                        column="event_id", null=True, related_name="+", to="memoryhub.event"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-created_at", "-id"], name="change_set_list")],
            },
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("change_set_id", models.UUIDField()),
                (
                    "action",
                    models.CharField(
                        help_text="create | supersede | reinforce | correct | remove | record_late | schedule | edit",
                        max_length=20,
                    ),
                ),
                (
                    "target_kind",
                    models.CharField(
                        choices=[("field_version", "Field Version"), ("item", "Item")], max_length=14
                    ),
                ),
                (
                    "target_id",
                    models.UUIDField(
                        help_text="the version or item that was made; none while proposed", null=True
                    ),
                ),
                ("before_id", models.UUIDField(help_text="the version or item that was closed", null=True)),
                ("form_type", models.CharField(blank=True, max_length=60)),
                ("form_subject", models.CharField(blank=True, max_length=200)),
                ("field_name", models.CharField(blank=True, max_length=60)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                (
                    "candidate",
                    models.JSONField(
                        help_text="the whole candidate, so that a proposal can be applied later", null=True
                    ),
                ),
                ("event_id", models.UUIDField(null=True)),
                ("quote", models.TextField(blank=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "Proposed"),
                            ("applied", "Applied"),
                            ("rejected", "Rejected"),
                            ("expired", "Expired"),
                            ("withdrawn", "Withdrawn"),
                            ("merged", "Merged"),
                            ("reverted", "Reverted"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason_code", models.CharField(blank=True, max_length=40)),
                (
                    "gates",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), blank=True, default=list
                    ),
                ),
                ("importance", models.FloatField()),
                ("importance_parts", models.JSONField(default=list)),
                ("confidence", models.FloatField()),
                ("trust_tier", models.PositiveSmallIntegerField()),
                ("basis", models.CharField(max_length=10)),
                ("agent_id", models.UUIDField(null=True)),
                ("responsible_user_id", models.BigIntegerField(null=True)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "change_set",
                    memoryhub.models.base.OwnerRow(
                        column="change_set_id", related_name="changes", to="memoryhub.changeset"
                    ),
                ),
                (
                    "event",
                    memoryhub.models.base.OwnerRow(
                        column="event_id", null=True, related_name="+", to="memoryhub.event"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="change_list"),
                    models.Index(
                        condition=models.Q(("state", "proposed")),
                        fields=["workspace_id", "created_at"],
                        name="change_waiting",
                    ),
                    models.Index(fields=["owner", "target_id"], name="change_target"),
                    models.Index(fields=["owner", "event_id"], name="change_event"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "proposed",
                                    "applied",
                                    "rejected",
                                    "expired",
                                    "withdrawn",
                                    "merged",
                                    "reverted",
                                ],
                            )
                        ),
                        name="change_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("target_kind__in", ["field_version", "item"])),
                        name="change_target_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 0), ("importance__lte", 1)),
                        name="change_importance_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                        name="change_confidence_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChangeTransition",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("change_id", models.UUIDField()),
                ("from_state", models.CharField(blank=True, max_length=10)),
                ("to_state", models.CharField(max_length=10)),
                ("user_id", models.BigIntegerField(null=True)),
                ("agent_id", models.UUIDField(null=True)),
                ("reason_code", models.CharField(blank=True, max_length=40)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "change",
                    memoryhub.models.base.OwnerRow(
                        column="change_id", related_name="transitions", to="memoryhub.change"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "change_id", "at"], name="transition_list")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("from_state", models.F("to_state")), _negated=True),
                        name="a_transition_moves",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Recall",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("query", models.TextField(blank=True)),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                ("user_id", models.BigIntegerField(help_text="a person at the desk looked", null=True)),
                ("valid_at", models.DateTimeField(null=True)),
                ("known_at", models.DateTimeField(null=True)),
                ("request", models.JSONField(default=dict)),
                ("legs", models.JSONField(default=dict, help_text="per leg: found, state, milliseconds")),
                ("served", models.JSONField(default=list)),
                (
                    "excluded",
                    models.JSONField(default=list, help_text="at most 50, with the rule that kept each out"),
                ),
                ("excluded_counts", models.JSONField(default=dict)),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("milliseconds", models.FloatField(default=0)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.agent",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
                (
                    "policy_version",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.policyversion",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-created_at", "-id"], name="recall_list")],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(default=memoryhub.models.base.new_id, editable=False)),
                ("workspace_id", models.UUIDField()),
                ("route", models.CharField(max_length=100)),
                ("key", models.CharField(max_length=255)),
                ("fingerprint", models.BinaryField(max_length=32)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.JSONField(default=dict, help_text="ids and codes")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.agent",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "agent", "route", "key"), name="one_answer_per_idempotency_key"
                    )
                ],
            },
        ),
    ]
