"""The model provider as the desk shows it: how it does, and what this workspace's questions cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Sum

from memoryhub.health import ModelState, look_at_provider
from memoryhub.models import ModelUsage, Workspace

DAYS = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageRow:
    """The sums of the last 30 days of one model and purpose."""

    model: str
    purpose: str
    calls: int
    failures: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderReport:
    """`paused_until` is in the future while nobody asks."""

    extractor: str
    name: str
    state: ModelState
    error_code: str
    answered_at: datetime | None
    failed_at: datetime | None
    paused_until: datetime | None
    usage: list[UsageRow]


def provider_report(*, workspace: Workspace, today: date) -> ProviderReport:
    """One query, and one more where a provider is in use."""
    provider = look_at_provider()
    row = provider.row
    return ProviderReport(
        extractor=settings.EXTRACTOR,
        name=provider.name,
        state=provider.state,
        error_code=row.error_code if row else "",
        answered_at=row.answered_at if row else None,
        failed_at=row.failed_at if row else None,
        paused_until=row.open_until if row else None,
        usage=_usage(workspace, since=today - timedelta(days=DAYS)),
    )


def _usage(workspace: Workspace, *, since: date) -> list[UsageRow]:
    sums: dict[str, Any] = {
        name: Sum(name) for name in ("calls", "failures", "prompt_tokens", "completion_tokens", "cost")
    }
    rows: Any = ModelUsage.objects.filter(workspace=workspace, day__gt=since).values("model", "purpose")
    return [UsageRow(**row) for row in rows.annotate(**sums).order_by("model", "purpose")]
