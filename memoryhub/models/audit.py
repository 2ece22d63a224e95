"""Who did what to which row: ids, codes and keyed commitments, never content."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from .base import new_id


class AuditEntry(models.Model):
    """Written in the transaction of the act by `memoryhub.audit.record`; sealed into the hash chain afterwards."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")
    role_privileges: ClassVar[dict[str, tuple[str, ...]]] = {
        "eraser": ("SELECT", "INSERT"),
        "auditor": ("SELECT",),
    }
    erasure: ClassVar[str] = "none: ids, codes and commitments whose key dies with the owner"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(db_default=Now())
    workspace_id = models.UUIDField(null=True)
    owner_id = models.UUIDField(null=True)
    action = models.CharField(max_length=60)
    actor_kind = models.CharField(max_length=10, help_text="agent | user | job | system")
    actor_id = models.CharField(max_length=60, blank=True)
    object_kind = models.CharField(max_length=30, blank=True)
    object_id = models.UUIDField(null=True)
    transport = models.CharField(max_length=10, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    commitment = models.BinaryField(max_length=32, null=True, help_text="HMAC(owner key, content)")
    details = models.JSONField(default=dict, help_text="ids and codes")

    class Meta:
        indexes = [
            models.Index(fields=["workspace_id", "-at"], name="audit_workspace"),
            models.Index(fields=["owner_id", "-at"], name="audit_owner"),
        ]
