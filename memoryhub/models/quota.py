"""How much a writer has written lately."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class QuotaBucket(models.Model):
    """One counted thing: an owner, an agent or a source document. `full_until` is when all it has taken is paid back.

    The row says no more than a keyed digest of what it counts; one whose time has passed says nothing and is swept away.
    """

    erasure: ClassVar[str] = "none: keyed digests that are swept away within the hour"
    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE", "DELETE")

    digest = models.BinaryField(primary_key=True, max_length=32)
    full_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["full_until"], name="quota_over")]
