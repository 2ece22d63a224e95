"""The account of questions to models."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from memoryhub.language.usage import Spent, add_usage
from memoryhub.models import ModelUsage
from tests.builders import make_workspace
from tests.threads import at_once

DAY = date(2026, 3, 1)
SPENT = Spent(calls=1, failures=1, prompt_tokens=100, completion_tokens=20, cost=0.0003)


@pytest.mark.django_db
def test_it_is_kept_by_workspace_day_model_and_purpose() -> None:
    ours, theirs = make_workspace(), make_workspace()
    for workspace, model in ((ours, "m"), (ours, "m"), (ours, "n"), (theirs, "m")):
        add_usage(workspace_id=workspace.id, day=DAY, model=model, purpose="extraction", spent=SPENT)
    add_usage(workspace_id=ours.id, day=DAY, model="m", purpose="extraction", spent=Spent())
    rows = ModelUsage.objects.filter(workspace=ours).order_by("model")
    assert [(row.model, row.calls, row.failures, row.prompt_tokens, row.cost) for row in rows] == [
        ("m", 2, 2, 200, Decimal("0.000600")),
        ("n", 1, 1, 100, Decimal("0.000300")),
    ]


def test_writers_at_one_moment_do_not_lose_each_other(committing_db: str) -> None:
    workspace = make_workspace()
    at_once(
        20,
        lambda _: add_usage(workspace_id=workspace.id, day=DAY, model="m", purpose="x", spent=SPENT),
    )
    row = ModelUsage.objects.get()
    assert (row.calls, row.completion_tokens, row.cost) == (20, 400, Decimal("0.006000"))
