"""Sound rows of policies on trial and of questions that came again; `w` is the world of `sound_rows`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import models

from memoryhub.models import PolicyMeasurement, PolicyTrial, PolicyVersion, Recall, RepeatSearch

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def person(name: str) -> int:
    return User.objects.get_or_create(username=name)[0].pk


def version(workspace_id: UUID, number: int) -> UUID:
    """The id of a version; beyond the first they are made."""
    rows = PolicyVersion.objects.filter(workspace_id=workspace_id)
    row, _made = rows.get_or_create(number=number, defaults={"workspace_id": workspace_id, "name": "p"})
    return row.id


def trial(w: Any) -> dict[str, Any]:
    return {
        "workspace_id": w.workspace_id,
        "number": 7,
        "version_id": version(w.workspace_id, 11),
        "control_id": version(w.workspace_id, 1),
        "share": 20,
        "reason": "see",
        "proposed_by_id": person("proposer"),
    }


def measurement(w: Any) -> dict[str, Any]:
    return {
        "workspace_id": w.workspace_id,
        "version_id": version(w.workspace_id, 1),
        "labelled_set": "sample",
        "questions": 1,
        "lines": 2,
        "polluted": 1,
        "needed": 1,
        "missing": 0,
    }


def repeated_question(w: Any) -> dict[str, Any]:
    return {
        "earlier_id": w.ids[Recall],
        "later_id": w.ids[Recall],
        "sign": "same_words",
        "likeness": 0.8,
        "earlier_at": NOON - timedelta(days=1),
        "at": NOON,
    }


SOUND: dict[type[models.Model], Callable[[Any], dict[str, Any]]] = {
    PolicyTrial: trial,
    PolicyMeasurement: measurement,
    RepeatSearch: lambda w: {"workspace_id": w.workspace_id, "looked_until": NOON},
}
