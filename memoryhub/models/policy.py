"""Named, immutable sets of weights, thresholds and budgets, and how one comes into force."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

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


class PolicyTrialState(models.TextChoices):
    PROPOSED = "proposed"
    RUNNING = "running"
    HALTED = "halted"
    ENDED = "ended"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class PolicyTrialEnd(models.TextChoices):
    DECIDED = "decided"
    POLICY_SWITCHED = "policy_switched"
    SHARE_CHANGED = "share_changed"
    VERSION_CLOSED = "version_closed"


class PolicyTrial(models.Model):
    """A second policy version by which a share of the owners is answered, beside the one in force (`control`).

    One person proposes it and another starts it; whoever halts it (recall goes by `control` again at once) leaves it to another
    person to end it or let it run on. One runs or is halted per workspace.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, decided_by_id, decided_at, decision_reason, started_at, halted_by_id, halted_at, halt_reason)",
        "UPDATE (ended_by_id, ended_at, ended_for)",
    )
    erasure: ClassVar[str] = "none: rules, not people"

    State = PolicyTrialState
    End = PolicyTrialEnd

    MOVES: ClassVar[dict[str, frozenset[str]]] = {
        "proposed": frozenset({"running", "rejected", "withdrawn"}),
        "running": frozenset({"halted", "ended"}),
        "halted": frozenset({"running", "ended"}),
    }

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="policy_trials")
    number = models.PositiveIntegerField()
    version = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="trials")
    control = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="+")
    share = models.PositiveSmallIntegerField(help_text="percent of the owners")
    state = models.CharField(max_length=10, choices=State.choices, default=State.PROPOSED)
    reason = models.CharField(max_length=500)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(db_default=Now())
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    started_at = models.DateTimeField(null=True)
    halted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    halted_at = models.DateTimeField(null=True)
    halt_reason = models.CharField(max_length=500, blank=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)
    ended_for = models.CharField(max_length=20, blank=True, choices=End.choices)
    four_eyes = models.BooleanField(default=True, help_text="false where the installation has FOUR_EYES off")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "number"], name="one_trial_per_number"),
            models.UniqueConstraint(
                fields=["workspace"],
                condition=Q(state__in=["running", "halted"]),
                name="one_running_trial_per_workspace",
            ),
            models.UniqueConstraint(
                fields=["version"], condition=Q(state="proposed"), name="one_proposed_trial_per_version"
            ),
            one_of("state", PolicyTrialState),
            models.CheckConstraint(
                condition=Q(share__gte=1, share__lte=50), name="a_trial_takes_at_most_half_the_owners"
            ),
            models.CheckConstraint(condition=~Q(version=F("control")), name="a_trial_compares_two_versions"),
            models.CheckConstraint(
                condition=Q(state__in=["proposed", "withdrawn"])
                | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="a_trial_is_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=(~Q(state__in=["running", "halted", "ended"]) | Q(started_at__isnull=False))
                & (~Q(state__in=["proposed", "rejected", "withdrawn"]) | Q(started_at=None)),
                name="a_trial_that_ran_has_a_start",
            ),
            models.CheckConstraint(
                condition=~Q(state="halted") | Q(halted_by__isnull=False, halted_at__isnull=False),
                name="a_trial_is_halted_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(state="ended", ended_at__isnull=False, ended_for__in=PolicyTrialEnd.values)
                | (~Q(state="ended") & Q(ended_at=None, ended_for="")),
                name="an_ended_trial_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False) | Q(decided_by=None) | ~Q(decided_by=F("proposed_by")),
                name="nobody_starts_his_own_trial",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False)
                | ~Q(ended_for="decided")
                | (Q(ended_by__isnull=False, halted_by__isnull=False) & ~Q(ended_by=F("halted_by"))),
                name="nobody_ends_a_trial_alone",
            ),
        ]


class PolicyMeasurement(models.Model):
    """What a replay of a labelled set under a version gave: how much of what it told was beside the point."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")
    erasure: ClassVar[str] = "none: numbers of a replay, not people"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="+")
    version = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="measurements")
    labelled_set = models.CharField(max_length=200, help_text="name of the file")
    questions = models.PositiveIntegerField()
    lines = models.PositiveIntegerField(help_text="told and judged by the labels")
    polluted = models.PositiveIntegerField(help_text="of those, beside the point")
    needed = models.PositiveIntegerField(help_text="what the labels ask for")
    missing = models.PositiveIntegerField(help_text="of that, not told")
    measured_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(polluted__lte=F("lines"), missing__lte=F("needed")),
                name="parts_are_no_more_than_the_whole",
            )
        ]
        indexes = [models.Index(fields=["version", "-measured_at"], name="measurement_of_version")]
