"""Whose memory it is: the unit of isolation and of erasure."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from .base import OwnerModel, new_id, one_of
from .workspace import Workspace


class OwnerKind(models.TextChoices):
    USER = "user"
    TEAM = "team"
    PROJECT = "project"
    DOMAIN = "domain"


class OwnerState(models.TextChoices):
    ACTIVE = "active"
    FROZEN = "frozen"
    ERASING = "erasing"


class Owner(models.Model):
    """A person, team, project or domain. Made and found through `mh_resolve_owner` (database.owners), by workspace and ref."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "UPDATE")
    # The purge door locks the owner's row, which needs UPDATE.
    role_privileges: ClassVar[dict[str, tuple[str, ...]]] = {"eraser": ("SELECT", "UPDATE", "DELETE")}
    erasure: ClassVar[str] = "own"

    Kind = OwnerKind
    State = OwnerState

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="owners")
    ref = models.CharField(max_length=200, db_collation="C", help_text="the caller's own id")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.USER)
    display_name = models.CharField(max_length=200, blank=True)
    locale = models.CharField(max_length=20, blank=True)
    time_zone = models.CharField(max_length=60, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    search_no = models.BigIntegerField(
        unique=True, help_text="short prefix of this owner's search tokens; from owner_search_no"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "ref"], name="one_owner_per_ref"),
            models.UniqueConstraint(fields=["id", "workspace"], name="owner_and_workspace"),
            models.UniqueConstraint(fields=["id", "kind"], name="owner_and_kind"),
            models.CheckConstraint(condition=~Q(ref=""), name="owner_ref_is_not_blank"),
            models.CheckConstraint(
                condition=Q(kind__in=["user", "team", "project", "domain"]), name="owner_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["active", "frozen", "erasing"]), name="owner_state_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.ref

    @property
    def zone(self) -> str:
        """The owner's IANA time zone, else his workspace's."""
        return self.time_zone or self.workspace.time_zone

    @property
    def language(self) -> str:
        return self.locale or self.workspace.locale


class LinkDirection(models.TextChoices):
    READS = "reads"
    PROPOSES = "proposes"
    BOTH = "both"


class LinkKind(models.TextChoices):
    RULE = "rule"
    FORM = "form"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    KNOWLEDGE = "knowledge"


class OwnerLink(OwnerModel):
    """What an owner shares with a team, project or domain.

    `direction`: his recall reads the linked owner's memory, what he has may be proposed to it, or both. `kinds` and `form_types`
    say of what; empty means all. Terms never change: other terms are another link, and this one has ended.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (ended_at)")

    Direction = LinkDirection
    Kind = LinkKind

    linked_owner = models.ForeignKey(Owner, models.DO_NOTHING, related_name="+")
    linked_kind = models.CharField(
        max_length=10, choices=OwnerKind, help_text="the linked owner's kind; the database keeps it so"
    )
    direction = models.CharField(max_length=10, choices=LinkDirection, default=LinkDirection.READS)
    kinds = ArrayField(models.CharField(max_length=20, choices=LinkKind), default=list, blank=True)
    form_types = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "linked_owner"], condition=Q(ended_at=None), name="one_open_link_per_pair"
            ),
            models.CheckConstraint(
                condition=~Q(owner=F("linked_owner")), name="an_owner_is_not_linked_to_itself"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | Q(linked_kind__in=["team", "project", "domain"]),
                name="only_what_is_shared_is_linked",
            ),
            one_of("direction", LinkDirection),
            models.CheckConstraint(
                condition=Q(kinds__contained_by=LinkKind.values), name="ownerlink_kinds_are_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["linked_owner", "-created_at"], condition=Q(ended_at=None), name="links_to_an_owner"
            ),
        ]


class OwnerSequence(OwnerModel):
    """The number of the owner's newest memory item. Its row lock makes item writes of one owner take turns."""

    last_item_seq = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner"], name="one_sequence_per_owner")]
