"""The model provider as the desk shows it: how it does, and what this workspace's questions cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.conf import settings

from memoryhub.health import ModelState, look_at_embedder, look_at_provider
from memoryhub.models import ModelUsage, Workspace
from memoryhub.reembedding import rebuilding

DAYS = 30
_ZEROES: dict[str, Any] = {
    "calls": 0, "failures": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": Decimal(0),
}  # fmt: skip


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
class UsageDay:
    """The sums of one day (UTC) over all models and purposes."""

    day: date
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Decimal = Decimal(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedderReport:
    """The embedder of the settings. `missing` entries still have no vector of it (None: its model is the stored one)."""

    name: str
    state: str
    stored_model: str
    missing: int | None
    error_code: str
    failed_at: datetime | None
    paused_until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderReport:
    """`paused_until` is in the future while nobody asks. `days` are the last 30, the newest last; empty when nothing was asked."""

    extractor: str
    name: str
    state: ModelState
    error_code: str
    answered_at: datetime | None
    failed_at: datetime | None
    paused_until: datetime | None
    usage: list[UsageRow]
    days: list[UsageDay]


def embedder_report() -> EmbedderReport:
    """Two queries at most; while the model is being changed the missing vectors are counted as well."""
    seen = look_at_embedder()
    left = rebuilding() if seen.is_being_changed else None
    row = seen.row
    return EmbedderReport(
        name=seen.name,
        state=seen.state,
        stored_model=seen.stored_model,
        missing=left.missing if left else None,
        error_code=row.error_code if row else "",
        failed_at=row.failed_at if row else None,
        paused_until=row.open_until if row else None,
    )


def provider_report(*, workspace: Workspace, today: date) -> ProviderReport:
    """One query, and one more where a provider is in use."""
    provider = look_at_provider()
    row, spent = provider.row, _spent(workspace, today=today)
    return ProviderReport(
        extractor=settings.EXTRACTOR,
        name=provider.name,
        state=provider.state,
        error_code=row.error_code if row else "",
        answered_at=row.answered_at if row else None,
        failed_at=row.failed_at if row else None,
        paused_until=row.open_until if row else None,
        usage=_by_model(spent),
        days=_by_day(spent, today=today),
    )


def usage_per_day(*, workspace: Workspace, today: date) -> list[UsageDay]:
    """The last 30 days, the newest last; empty when nothing was asked."""
    return _by_day(_spent(workspace, today=today), today=today)


def _spent(workspace: Workspace, *, today: date) -> list[ModelUsage]:
    since = today - timedelta(days=DAYS)
    rows = ModelUsage.objects.filter(workspace=workspace, day__gt=since, day__lte=today)
    return list(rows.order_by("model", "purpose", "day"))


def _by_model(spent: Sequence[ModelUsage]) -> list[UsageRow]:
    groups = groupby(spent, key=lambda row: (row.model, row.purpose))
    return [UsageRow(model=model, purpose=purpose, **_sums(rows)) for (model, purpose), rows in groups]


def _by_day(spent: Sequence[ModelUsage], *, today: date) -> list[UsageDay]:
    if not spent:
        return []
    by_day: dict[date, list[ModelUsage]] = {}
    for row in spent:
        by_day.setdefault(row.day, []).append(row)
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    return [UsageDay(day=day, **_sums(by_day.get(day, []))) for day in days]


def _sums(rows: Iterable[ModelUsage]) -> dict[str, Any]:
    counted = list(rows)
    return {name: sum((getattr(row, name) for row in counted), start=zero) for name, zero in _ZEROES.items()}
