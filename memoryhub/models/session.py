"""Working memory of one conversation: a session, and the named values it holds for a while."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow, share, trust


class SessionState(models.TextChoices):
    OPEN = "open"
    ENDED = "ended"


class SessionOutcome(models.TextChoices):
    RESOLVED = "resolved"
    ESCALATED = "escalated"
    REPEATED = "repeated"


class Session(OwnerModel):
    """One conversation of an owner, called `ref` by the agent (its events' `session_ref`). One is open per ref.

    `ended_by` says who ended it: an agent's request, or the time it lay idle.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, active_at, ended_at, ended_by, outcome, outcome_at)",
    )

    State = SessionState
    Outcome = SessionOutcome

    ref = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    agent_id = models.UUIDField(null=True, help_text="who opened it")
    opened_at = models.DateTimeField(db_default=Now())
    active_at = models.DateTimeField(db_default=Now(), help_text="when a value was last set or confirmed")
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=10, blank=True, help_text="request | timeout")
    outcome = models.CharField(max_length=10, blank=True)
    outcome_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "ref"], condition=Q(state="open"), name="one_open_session_per_ref"
            ),
            models.CheckConstraint(condition=~Q(ref=""), name="a_session_has_a_ref"),
            models.CheckConstraint(
                condition=Q(state="open", ended_at=None, ended_by="")
                | Q(state="ended", ended_at__isnull=False, ended_by__in=["request", "timeout"]),
                name="ended_means_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", outcome_at=None)
                | Q(outcome__in=SessionOutcome.values, outcome_at__isnull=False),
                name="session_outcome_is_known",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-opened_at", "-id"], name="session_list"),
            models.Index(fields=["owner", "ref", "-opened_at"], name="session_ref"),
            models.Index(
                fields=["workspace_id", "active_at"], condition=Q(state="open"), name="session_idle"
            ),
        ]


class SessionSlotState(models.TextChoices):
    ACTIVE = "active"
    DEPRECATED = "deprecated"


class SessionSlotReason(models.TextChoices):
    USER_CORRECTION = "user_correction"
    SYSTEM_CORRECTION = "system_correction"
    TIMEOUT = "timeout"
    RESTORED = "restored"
    ENDED = "ended"


class SessionSlotFate(models.TextChoices):
    PROMOTED = "promoted"
    IN_REVIEW = "in_review"
    DROPPED = "dropped"


class SessionSlot(OwnerModel):
    """One value that a name had in one context of a session (`order:A`; '' for the session as a whole).

    A value is never written over: another one deprecates it, with the reason, and is the next version; one that is brought back
    is a new version too (`restored_version`). When the session ends every value is cleared and `fate` says what became of it.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, reason, deprecated_at, touched_at, expires_at, value, value_key, quote, cleared_at)",
        "UPDATE (fate, fate_code, target_id, change_id)",
    )

    State = SessionSlotState
    Reason = SessionSlotReason
    Fate = SessionSlotFate

    session_id = models.UUIDField()
    session = OwnerRow(Session, "session_id", related_name="slots")
    context = models.CharField(max_length=220, blank=True, help_text="kind:name, as order:A")
    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="order of arrival within the name")
    value = models.JSONField(null=True, help_text="empty once cleared")
    value_key = models.CharField(max_length=600, blank=True, help_text="equal for values that mean the same")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    reason = models.CharField(max_length=20, blank=True)
    restored_version = models.PositiveIntegerField(null=True)
    said_by = models.CharField(max_length=10, default="user", help_text="user | system")
    form_type = models.CharField(max_length=60, blank=True, help_text="the field it would be kept in")
    form_subject = models.CharField(max_length=200, blank=True)
    field_name = models.CharField(max_length=60, blank=True)
    event_id = models.UUIDField(null=True)
    event = OwnerRow("memoryhub.Event", "event_id", null=True)
    quote = models.TextField(blank=True)
    importance = models.FloatField(null=True)
    confidence = models.FloatField(null=True)
    trust_tier = models.PositiveSmallIntegerField()
    held_for = models.CharField(max_length=20, blank=True, help_text="why it is not served: a code")
    agent_id = models.UUIDField(null=True)
    api_key_id = models.UUIDField(null=True)
    set_at = models.DateTimeField(db_default=Now())
    touched_at = models.DateTimeField(db_default=Now(), help_text="when its context was last spoken of")
    expires_at = models.DateTimeField()
    deprecated_at = models.DateTimeField(null=True)
    fate = models.CharField(max_length=10, blank=True)
    fate_code = models.CharField(max_length=60, blank=True)
    target_id = models.UUIDField(null=True, help_text="what it was promoted to")
    change_id = models.UUIDField(null=True)
    cleared_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "session_id", "context", "name", "version"], name="one_slot_per_version"
            ),
            models.UniqueConstraint(
                fields=["owner", "session_id", "context", "name"],
                condition=Q(state="active"),
                name="one_active_slot_per_name",
            ),
            models.CheckConstraint(
                condition=Q(state="active", reason="", deprecated_at=None)
                | Q(state="deprecated", reason__in=SessionSlotReason.values, deprecated_at__isnull=False),
                name="deprecated_means_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(cleared_at=None, value__isnull=False)
                | Q(cleared_at__isnull=False, value__isnull=True, value_key="", quote="", state="deprecated"),
                name="a_cleared_slot_holds_nothing",
            ),
            models.CheckConstraint(
                condition=Q(restored_version=None) | Q(restored_version__lt=models.F("version")),
                name="a_slot_is_restored_from_before",
            ),
            models.CheckConstraint(
                condition=Q(fate="") | Q(fate__in=SessionSlotFate.values), name="slot_fate_is_known"
            ),
            models.CheckConstraint(condition=Q(said_by__in=["user", "system"]), name="slot_speaker_is_known"),
            share("importance"),
            share("confidence"),
            trust("trust_tier"),
        ]
        indexes = [
            models.Index(
                fields=["owner", "session_id", "context", "name", "-version"], name="slot_of_session"
            ),
            models.Index(
                fields=["workspace_id", "expires_at"], condition=Q(state="active"), name="slot_expiry"
            ),
        ]
