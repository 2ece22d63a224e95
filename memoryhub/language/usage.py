"""The account of what a workspace's questions to models cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db.models import F

from memoryhub.models import ModelUsage


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """Questions asked and what they cost; `cost` in the currency of the settings' prices."""

    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


def add_usage(*, workspace_id: UUID, day: date, model: str, purpose: str, spent: Spent) -> None:
    """Add to the day's row of the workspace, model and purpose. Sums are made by the database, so writers do not lose each other."""
    if not spent.calls:
        return
    row = {"workspace_id": workspace_id, "day": day, "model": model, "purpose": purpose}
    ModelUsage.objects.bulk_create([ModelUsage(**row)], ignore_conflicts=True)
    ModelUsage.objects.filter(**row).update(
        calls=F("calls") + spent.calls,
        failures=F("failures") + spent.failures,
        prompt_tokens=F("prompt_tokens") + spent.prompt_tokens,
        completion_tokens=F("completion_tokens") + spent.completion_tokens,
        cost=F("cost") + Decimal(str(round(spent.cost, 6))),
    )
