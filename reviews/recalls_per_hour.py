"""Recalls per hour as a plotly figure; colours come from the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from reviews.zones import zone_named

LEAST_SPAN = timedelta(hours=12)
"""How much of the time axis the chart shows at least."""


def recalls_per_hour(per_hour: Sequence[tuple[datetime, int]], *, zone: str) -> dict[str, Any]:
    """A bar per hour on the zone's clock: plotly.js knows no zones and is given the wall clock."""
    hours = [(hour.astimezone(zone_named(zone)).replace(tzinfo=None), number) for hour, number in per_hour]
    bars = {
        "type": "bar",
        "x": [hour.isoformat() for hour, _number in hours],
        "y": [number for _hour, number in hours],
        "width": [3_600_000 for _ in hours],
        "hovertemplate": "%{x|%Y-%m-%d %H:%M}: %{y}<extra></extra>",
    }
    layout = {
        "xaxis": {"type": "date", "nticks": 6, "range": _span([hour for hour, _number in hours])},
        "yaxis": {"tickformat": "d", "nticks": 4},
    }
    return {"data": [bars], "layout": layout}


def _span(hours: Sequence[datetime]) -> list[str]:
    """From the first to the last hour, half a day at least: one lonely bar should not fill the chart."""
    if not hours:
        return []
    margin = max(timedelta(hours=1), (LEAST_SPAN - (hours[-1] - hours[0])) / 2)
    return [(hours[0] - margin).isoformat(), (hours[-1] + margin).isoformat()]
