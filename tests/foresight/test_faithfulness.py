"""What a replay says is what the write path then does: the same writes under both policies, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memoryhub.foresight.comparing import foresee_policy
from memoryhub.policies import Policy
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace, put_policy

BATTERY_FIELDS: list[tuple[str, Any]] = [
    ("user_profile.location", "Leeds"), ("user_profile.allergies", "nuts"), ("user_profile.budget", 500),
]  # fmt: skip
CLAIMS: list[dict[str, Any]] = [{}, {"confidence": 0.5}, {"importance": 0.9}, {"importance": 0.5}]


def battery(workspace_id: UUID) -> Counter[str]:
    """The same many writes of every tier, each about an owner of its own; outcomes by kind."""
    outcomes: Counter[str] = Counter()
    for tier in (1, 2, 3):
        source = make_source(workspace_id=workspace_id, trust_tier=tier)
        for name, value in BATTERY_FIELDS:
            form_type, _dot, field = name.partition(".")
            for given in CLAIMS:
                verdict = write_field(
                    owner_id=make_owner(source).id,
                    form_type=form_type,
                    field=field,
                    value=value,
                    source=source,
                    **given,
                )
                outcomes[verdict.outcome] += 1
        for given in CLAIMS:
            outcomes[_sentence(source, **given)] += 1
    return outcomes


def _sentence(source: Source, **given: Any) -> str:
    owner = make_owner(source)
    verdict = write_memory(
        owner_id=owner.id, content="A bridge", item_kind="semantic", source=source, **given
    )
    return verdict.outcome


@pytest.fixture(scope="module")
def before(committing_module_db: str) -> tuple[UUID, Counter[str]]:
    """A workspace with the battery written under the defaults, and what became of it."""
    workspace_id = make_workspace().id
    return workspace_id, battery(workspace_id)


@pytest.mark.parametrize(
    "values",
    [
        {"least_confidence": 0.75},
        {"least_importance": 0.75},
        {"least_importance": 0.4, "least_confidence": 0.4},
        {"evidence_from_importance": 0.95, "gate_from_importance": 0.6},
        {"untrusted_up_to_tier": 1},
        {"untrusted_up_to_tier": 3},
        {"item_importance_semantic": 0.55},
    ],
    ids=str,
)
def test_the_replay_says_what_the_write_path_then_does(
    before: tuple[UUID, Counter[str]], values: dict[str, Any]
) -> None:
    workspace_id, was = before
    after = make_workspace().id
    put_policy(workspace_id=after, **values)
    became = battery(after)
    seen = foresee_policy(
        workspace_id=workspace_id,
        before=Policy(),
        after=replace(Policy(), **values),
        now=timezone.now(),
    )
    assert seen.unlike_then == 0
    assert (seen.more_waiting, seen.more_stored) == (
        became["in_review"] - was["in_review"],
        became["stored"] - was["stored"],
    )
