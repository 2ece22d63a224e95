"""A ranked, budgeted, logged answer."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow
from .policy import PolicyVersion
from .workspace import Agent


class Recall(OwnerModel):
    """One answer: what was asked, what was served and what was left out, with the reason. Written with the answer."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    query = models.TextField(blank=True)
    session_ref = models.CharField(max_length=200, blank=True)
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+", db_index=False)
    user_id = models.BigIntegerField(null=True, help_text="a person at the desk looked")
    valid_at = models.DateTimeField(null=True)
    known_at = models.DateTimeField(null=True)
    policy_version = models.ForeignKey(
        PolicyVersion, models.PROTECT, null=True, related_name="+", db_index=False
    )
    request = models.JSONField(default=dict)
    legs = models.JSONField(default=dict, help_text="per leg: found, state, milliseconds")
    served = models.JSONField(default=list)
    excluded = models.JSONField(default=list, help_text="at most 50, with the rule that kept each out")
    excluded_counts = models.JSONField(default=dict)
    tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.FloatField(default=0)
    session_hit = models.BooleanField(
        null=True, help_text="whether the session layer had an answer; empty when there was no session to ask"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-created_at", "-id"], name="recall_list"),
            models.Index(fields=["workspace_id", "-created_at", "-id"], name="recall_newest_of_workspace"),
            models.Index(
                fields=["workspace_id", "created_at"],
                include=["session_hit"],
                condition=models.Q(session_hit__isnull=False),
                name="recall_session_hit",
            ),
        ]


class RecallServed(OwnerModel):
    """One memory that a recall told: `Recall.served` laid out in rows, so that "who was told this?" is an index look-up.

    The database fills it from each recall (trigger `recall_lays_out_served`); nothing else writes it. A memory stands once per
    recall, at its best rank. Rows go before their recall goes.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    recall_id = models.UUIDField()
    recall = OwnerRow(Recall, "recall_id", related_name="told")
    target_id = models.UUIDField(help_text="the item, version or event; of a linked owner too")
    kind = models.CharField(max_length=20, blank=True, help_text="of the line it was told in")
    rank = models.PositiveSmallIntegerField(help_text="of that line, from 1")
    tokens = models.PositiveIntegerField(help_text="of that line")
    at = models.DateTimeField(help_text="when the recall was answered")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "recall_id", "target_id"], name="one_served_row_per_memory"
            ),
        ]
        # A count over the workspace reads the index alone.
        indexes = [
            models.Index(fields=["workspace_id", "target_id", "at"], include=["kind"], name="served_target")
        ]
