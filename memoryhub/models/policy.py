"""Named, immutable sets of weights, thresholds and budgets, and how one comes into force."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from .base import new_id, one_of
from .workspace import Workspace


class PolicyVersionState(models.TextChoices):
    DRAFT = "draft"
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class PolicyVersionOrigin(models.TextChoices):
    STARTER = "starter"
    PERSON = "person"
    RULE = "rule"


class PolicyVersion(models.Model):
    """Values that differ from `memoryhub.policies.Policy`'s defaults. A workspace has one current version.

    Values never change. What a person wrote comes into force when another person approves it; the version a workspace starts
    with, and those that the patrol rule writes to move agents, need nobody.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (is_current, state, decided_by_id, decided_at, decision_reason, four_eyes)",
    )
    erasure: ClassVar[str] = "none: rules, not people"

    State = PolicyVersionState
    Origin = PolicyVersionOrigin

    MOVES: ClassVar[dict[str, frozenset[str]]] = {
        "draft": frozenset({"proposed", "withdrawn"}),
        "proposed": frozenset({"approved", "rejected", "withdrawn"}),
    }

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="policy_versions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    values = models.JSONField(default=dict)
    is_current = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.PERSON)
    based_on = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    four_eyes = models.BooleanField(default=True, help_text="false where the installation has FOUR_EYES off")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "number"], name="one_policy_per_number"),
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(is_current=True), name="one_current_policy_per_workspace"
            ),
            one_of("state", PolicyVersionState),
            one_of("origin", PolicyVersionOrigin),
            models.CheckConstraint(
                condition=Q(is_current=False) | Q(state="approved"), name="the_current_policy_is_approved"
            ),
            models.CheckConstraint(
                condition=~Q(origin="person", state__in=["approved", "rejected"])
                | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="a_persons_policy_is_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False)
                | Q(decided_by__isnull=True)
                | (Q(created_by__isnull=False) & ~Q(decided_by=F("created_by"))),
                name="nobody_approves_his_own_policy",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"
