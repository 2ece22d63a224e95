"""A ranked, budgeted, logged answer."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from .base import OwnerModel
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
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at", "-id"], name="recall_list")]
