import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import memoryhub.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Workspace",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("locale", models.CharField(default="en", max_length=20)),
                ("time_zone", models.CharField(default="UTC", max_length=60)),
                (
                    "is_scratch",
                    models.BooleanField(
                        default=False, help_text="made by an evaluation or a drill; may be dropped whole"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Agent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("frozen", "Frozen")], default="active", max_length=10
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="agents",
                        to="memoryhub.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "name"), name="one_agent_per_name"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "frozen"])), name="agent_state_is_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("key_id", models.CharField(max_length=16, unique=True)),
                ("secret_sha256", models.BinaryField(max_length=32)),
                ("env", models.CharField(max_length=10)),
                ("label", models.CharField(blank=True, max_length=100)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40)),
                ),
                ("trust_tier", models.PositiveSmallIntegerField()),
                (
                    "owner_refs",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), blank=True, default=list
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "revoked_at",
                    models.DateTimeField(help_text="may lie ahead: the overlap of a rotation", null=True),
                ),
                ("last_used_at", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="keys", to="memoryhub.agent"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "replaced_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaces",
                        to="memoryhub.apikey",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("trust_tier__gte", 1), ("trust_tier__lte", 4)),
                        name="trust_tier_is_1_to_4",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyVersion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=100)),
                ("values", models.JSONField(default=dict)),
                ("is_current", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="policy_versions",
                        to="memoryhub.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "number"), name="one_policy_per_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("workspace",),
                        name="one_current_policy_per_workspace",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FormType",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.SlugField(max_length=60)),
                ("label_en", models.CharField(max_length=100)),
                ("label_zh", models.CharField(max_length=100)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="form_types",
                        to="memoryhub.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "name"), name="one_form_type_per_name")
                ],
            },
        ),
        migrations.CreateModel(
            name="FieldDefinition",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.SlugField(max_length=60)),
                ("label_en", models.CharField(max_length=100)),
                ("label_zh", models.CharField(max_length=100)),
                (
                    "value_type",
                    models.CharField(
                        choices=[
                            ("text", "Text"),
                            ("number", "Number"),
                            ("money", "Money"),
                            ("date", "Date"),
                            ("datetime", "Datetime"),
                            ("boolean", "Boolean"),
                            ("choice", "Choice"),
                        ],
                        default="text",
                        max_length=10,
                    ),
                ),
                (
                    "choices",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), blank=True, default=list
                    ),
                ),
                ("minimum", models.FloatField(null=True)),
                ("maximum", models.FloatField(null=True)),
                ("max_length", models.PositiveIntegerField(default=500)),
                (
                    "aliases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), blank=True, default=list
                    ),
                ),
                ("multi_valued", models.BooleanField(default=False)),
                (
                    "key_attribute",
                    models.BooleanField(default=False, help_text="never decays, never goes cold"),
                ),
                ("safety", models.BooleanField(default=False, help_text="a candidate of every recall")),
                ("sensitivity", models.CharField(default="normal", max_length=20)),
                ("default_importance", models.FloatField(default=0.7)),
                (
                    "conflict_policy",
                    models.CharField(
                        choices=[("replace", "Replace"), ("confirm", "Confirm"), ("review", "Review")],
                        default="replace",
                        max_length=10,
                    ),
                ),
                ("tolerance", models.FloatField(help_text="share for numbers, hours for dates", null=True)),
                ("lifetime_days", models.PositiveIntegerField(null=True)),
                (
                    "review_mode",
                    models.CharField(
                        choices=[("gate", "Gate"), ("patrol", "Patrol"), ("none", "None")],
                        default="patrol",
                        max_length=10,
                    ),
                ),
                ("least_trust_tier", models.PositiveSmallIntegerField(default=1)),
                (
                    "writer_roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=10), blank=True, default=list
                    ),
                ),
                (
                    "writer_agents",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, default=list
                    ),
                ),
                ("decay_rate", models.FloatField(default=0.02, help_text="λ per day")),
                ("active", models.BooleanField(default=True)),
                (
                    "form_type",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fields",
                        to="memoryhub.formtype",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("form_type", "name"), name="one_field_per_name"),
                    models.CheckConstraint(
                        condition=models.Q(("default_importance__gte", 0), ("default_importance__lte", 1)),
                        name="fielddefinition_default_importance_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("least_trust_tier__gte", 1), ("least_trust_tier__lte", 4)),
                        name="field_trust_is_1_to_4",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("decay_rate__gte", 0), ("decay_rate__lte", 1)),
                        name="field_decay_rate_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Owner",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("ref", models.CharField(db_collation="C", help_text="the caller's own id", max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("team", "Team"),
                            ("project", "Project"),
                            ("domain", "Domain"),
                        ],
                        default="user",
                        max_length=10,
                    ),
                ),
                ("display_name", models.CharField(blank=True, max_length=200)),
                ("locale", models.CharField(blank=True, max_length=20)),
                ("time_zone", models.CharField(blank=True, max_length=60)),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("frozen", "Frozen"), ("erasing", "Erasing")],
                        default="active",
                        max_length=10,
                    ),
                ),
                (
                    "search_no",
                    models.BigIntegerField(
                        help_text="short prefix of this owner's search tokens; from owner_search_no",
                        unique=True,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="owners",
                        to="memoryhub.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "ref"), name="one_owner_per_ref"),
                    models.UniqueConstraint(fields=("id", "workspace"), name="owner_and_workspace"),
                    models.CheckConstraint(
                        condition=models.Q(("ref", ""), _negated=True), name="owner_ref_is_not_blank"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["user", "team", "project", "domain"])),
                        name="owner_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "frozen", "erasing"])),
                        name="owner_state_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("dedupe_key", models.CharField(max_length=200, null=True)),
                ("payload", models.JSONField(default=dict, help_text="ids and numbers only")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("parked", "Parked"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("error_code", models.CharField(blank=True, max_length=60)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("queued_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memoryhub.owner",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memoryhub.workspace",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["created_at"],
                        name="job_open",
                    ),
                    models.Index(fields=["owner", "created_at"], name="job_owner"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("dedupe_key__isnull", False), ("state", "queued")),
                        fields=("kind", "dedupe_key"),
                        name="one_queued_job_per_dedupe_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["queued", "running", "done", "parked"])),
                        name="job_state_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkerBeat",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("workspace_id", models.UUIDField(null=True)),
                ("owner_id", models.UUIDField(null=True)),
                ("action", models.CharField(max_length=60)),
                ("actor_kind", models.CharField(help_text="agent | user | job | system", max_length=10)),
                ("actor_id", models.CharField(blank=True, max_length=60)),
                ("object_kind", models.CharField(blank=True, max_length=30)),
                ("object_id", models.UUIDField(null=True)),
                ("transport", models.CharField(blank=True, max_length=10)),
                ("request_id", models.CharField(blank=True, max_length=40)),
                (
                    "commitment",
                    models.BinaryField(help_text="HMAC(owner key, content)", max_length=32, null=True),
                ),
                ("details", models.JSONField(default=dict, help_text="ids and codes")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["workspace_id", "-at"], name="audit_workspace"),
                    models.Index(fields=["owner_id", "-at"], name="audit_owner"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EmbeddingModel",
            fields=[
                ("id", models.SmallAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200, unique=True)),
                ("dims", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("building", "Building"), ("current", "Current"), ("retired", "Retired")],
                        default="building",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "current")),
                        fields=("state",),
                        name="one_current_embedding_model",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("dims__gte", 1), ("dims__lte", 1024)),
                        name="dims_fit_the_covering_index",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["building", "current", "retired"])),
                        name="embeddingmodel_state_is_known",
                    ),
                ],
            },
        ),
    ]
