"""Every step of memory: what was there, what came, on whose word, and why."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow, one_of, share, trust
from .evidence import Basis


class ChangeSet(OwnerModel):
    """The changes made by one act: a pipeline run, a structured write, a decision, a rollback."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    act = models.CharField(max_length=40)
    agent_id = models.UUIDField(null=True)
    api_key_id = models.UUIDField(null=True)
    user_id = models.BigIntegerField(null=True)
    event_id = models.UUIDField(null=True)
    event = OwnerRow("memoryhub.Event", "event_id", null=True)
    session_ref = models.CharField(max_length=200, blank=True)
    transport = models.CharField(max_length=10, default="job")
    reason = models.CharField(max_length=500, blank=True)
    skipped = models.JSONField(
        default=list,
        help_text="of a rollback: what it left alone, as {code, number, changes}",
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at", "-id"], name="change_set_list")]


class ChangeState(models.TextChoices):
    PROPOSED = "proposed"
    APPLIED = "applied"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    MERGED = "merged"
    REVERTED = "reverted"


class ChangeTarget(models.TextChoices):
    FIELD_VERSION = "field_version"
    ITEM = "item"
    RELATION = "relation"


class Change(OwnerModel):
    """One step. Immutable but for its state and, once, the target that an approval made; each move appends a ChangeTransition."""

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, decided_at, target_id)",
    )

    State = ChangeState

    MOVES: ClassVar[dict[str, frozenset[str]]] = {
        "proposed": frozenset({"applied", "rejected", "expired", "withdrawn", "merged"}),
        "rejected": frozenset({"proposed"}),
        "withdrawn": frozenset({"proposed"}),
        "applied": frozenset({"reverted"}),
        "reverted": frozenset({"applied"}),
    }

    Target = ChangeTarget

    change_set_id = models.UUIDField()
    change_set = OwnerRow(ChangeSet, "change_set_id", related_name="changes")
    action = models.CharField(
        max_length=20,
        help_text="create | supersede | reinforce | correct | remove | record_late | schedule | edit",
    )
    target_kind = models.CharField(max_length=14, choices=Target.choices)
    target_id = models.UUIDField(
        null=True, help_text="the version or item that was made; none while proposed"
    )
    before_id = models.UUIDField(null=True, help_text="the version or item that was closed")
    form_type = models.CharField(max_length=60, blank=True)
    form_subject = models.CharField(max_length=200, blank=True)
    field_name = models.CharField(max_length=60, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    candidate = models.JSONField(
        null=True, help_text="the whole candidate, so that a proposal can be applied later"
    )
    event_id = models.UUIDField(null=True)
    event = OwnerRow("memoryhub.Event", "event_id", null=True)
    quote = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State.choices)
    reason_code = models.CharField(max_length=40, blank=True)
    gates = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    importance = models.FloatField()
    importance_parts = models.JSONField(default=list)
    confidence = models.FloatField()
    trust_tier = models.PositiveSmallIntegerField()
    basis = models.CharField(max_length=10)
    agent_id = models.UUIDField(null=True)
    responsible_user_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            one_of("state", ChangeState),
            one_of("target_kind", ChangeTarget),
            one_of("basis", Basis),
            share("importance"),
            share("confidence"),
            trust("trust_tier"),
        ]
        indexes = [
            models.Index(fields=["owner", "-created_at", "-id"], name="change_list"),
            models.Index(fields=["workspace_id", "-created_at", "-id"], name="change_newest_of_workspace"),
            models.Index(
                fields=["workspace_id", "created_at"], condition=Q(state="proposed"), name="change_waiting"
            ),
            models.Index(fields=["owner", "target_id"], name="change_target"),
            models.Index(
                fields=["owner", "before_id"], condition=Q(before_id__isnull=False), name="change_before"
            ),
            models.Index(fields=["owner", "event_id"], name="change_event"),
        ]


class ChangeTransition(OwnerModel):
    """One move of a change's state; append-only."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    change_id = models.UUIDField()
    change = OwnerRow(Change, "change_id", related_name="transitions")
    from_state = models.CharField(max_length=10, blank=True)
    to_state = models.CharField(max_length=10)
    user_id = models.BigIntegerField(null=True)
    agent_id = models.UUIDField(null=True)
    reason_code = models.CharField(max_length=40, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(from_state=F("to_state")), name="a_transition_moves"),
        ]
        indexes = [models.Index(fields=["owner", "change_id", "at"], name="transition_list")]
