"""Tenants and their API clients."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from .base import new_id


class Workspace(models.Model):
    """A tenant: keys, owners, fields and policies belong to one."""

    erasure: ClassVar[str] = "none: names of tenants, not of people"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    locale = models.CharField(max_length=20, default="en")
    time_zone = models.CharField(max_length=60, default="UTC")
    is_scratch = models.BooleanField(
        default=False, help_text="made by an evaluation or a drill; may be dropped whole"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class AgentState(models.TextChoices):
    ACTIVE = "active"
    FROZEN = "frozen"


class Agent(models.Model):
    """An API client. Its trust comes from its key, never from what it sends."""

    erasure: ClassVar[str] = "none: programs, not people"

    State = AgentState

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="agents")
    name = models.CharField(max_length=100)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name"], name="one_agent_per_name"),
            models.CheckConstraint(condition=Q(state__in=["active", "frozen"]), name="agent_state_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def usable(self) -> ApiKeyQuerySet:
        """Keys that open the door now: not revoked, not expired, of an agent that is not frozen."""
        now = timezone.now()
        return self.filter(
            Q(revoked_at=None) | Q(revoked_at__gt=now),
            Q(expires_at=None) | Q(expires_at__gt=now),
            agent__state=Agent.State.ACTIVE,
        )


class ApiKey(models.Model):
    """`mhk_<env>_<key id>_<secret><crc>`; only the SHA-256 of the secret is kept. Minted and rotated by memoryhub.keys."""

    erasure: ClassVar[str] = "none: credentials of programs"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="keys")
    key_id = models.CharField(max_length=16, unique=True)
    secret_sha256 = models.BinaryField(max_length=32)
    env = models.CharField(max_length=10)
    label = models.CharField(max_length=100, blank=True)
    scopes = ArrayField(models.CharField(max_length=40))
    trust_tier = models.PositiveSmallIntegerField()
    owner_refs = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True, help_text="may lie ahead: the overlap of a rotation")
    last_used_at = models.DateTimeField(null=True)
    replaced_by = models.ForeignKey("self", models.PROTECT, null=True, related_name="replaces")

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(trust_tier__gte=1, trust_tier__lte=4), name="trust_tier_is_1_to_4"
            ),
        ]

    def __str__(self) -> str:
        return f"mhk_{self.env}_{self.key_id}_…"
