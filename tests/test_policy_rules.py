"""What the numbers of a policy may be."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from memoryhub.exceptions import InvalidInput
from memoryhub.policies import Policy
from memoryhub.policy_rules import BOUNDS, MOVED_BY_RULE, bound_of, check_policy, editable_names, policy_from


def test_the_defaults_keep_every_rule() -> None:
    assert check_policy(Policy().as_values()) == Policy()


def test_every_number_has_a_bound_that_its_default_keeps() -> None:
    numbers = {field.name for field in fields(Policy)} - {"recall_durability", *MOVED_BY_RULE}
    assert set(BOUNDS) == numbers
    assert all(
        bound_of(name).least <= getattr(Policy(), name) <= bound_of(name).most for name in editable_names()
        if name in numbers
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("least_confidence", 1.01, "out_of_range"),
        ("least_confidence", float("nan"), "wrong_type"),
        ("least_confidence", "0.6", "wrong_type"),
        ("least_confidence", True, "wrong_type"),
        ("top_k", 2.5, "wrong_type"),
        ("recall_durability", "never", "unknown"),
        ("weight_meaning", 0.5, "weights"),
        ("budget_tokens", 2_001, "above"),
        ("cold_below_heat", 0.9, "above"),
        ("review_due_hours_top", 25, "above"),
        ("nonsense", 1, "unknown"),
    ],
)
def test_a_broken_rule_is_named(name: str, value: Any, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_policy({name: value})
    assert (caught.value.field, caught.value.code) == (name, code)


def test_stored_values_may_be_older_or_newer_than_the_code() -> None:
    assert policy_from({"top_k": 7, "was_once": 1}) == Policy(top_k=7)
