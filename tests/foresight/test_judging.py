"""What other numbers would have made of a write that is written down."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryhub.foresight.judging import FieldRules, Rules, judge
from memoryhub.foresight.recorded import WriteGroup
from memoryhub.policies import Policy

WRITE = WriteGroup(
    is_item=False, form_type="user_profile", field="location", importance=0.7, importance_is_default=True, confidence=0.9,
    trust_tier=3, agent_id="a", by_staff=False, role="user", gates=frozenset(), without_evidence=False, stood="stored",
    count=1, examples=(),
)  # fmt: skip
FIELD = FieldRules(
    review_mode="patrol",
    default_importance=0.7,
    least_trust_tier=1,
    writer_roles=(),
    writer_agents=(),
    active=True,
)
NOW = Policy()


@pytest.mark.parametrize(
    ("write", "policy", "fates"),
    [
        ({}, {}, ("stored", "stored")),
        ({}, {"least_confidence": 0.95}, ("stored", "refused")),
        ({}, {"least_importance": 0.75}, ("stored", "session_only")),
        ({"importance": 0.5, "stood": "session_only"}, {"least_importance": 0.5}, ("session_only", "stored")),
        ({"confidence": 0.5, "stood": "refused"}, {"least_confidence": 0.5}, ("refused", "stored")),
        ({"without_evidence": True}, {"evidence_from_importance": 0.7}, ("stored", "waits")),
        (
            {"without_evidence": True, "importance": 0.9, "gates": frozenset({"evidence_missing"})},
            {"evidence_from_importance": 0.95},
            ("waits", "stored"),
        ),
        (
            {"importance": 0.9, "trust_tier": 2, "gates": frozenset({"low_trust", "payment"})},
            {"gate_from_importance": 0.95},
            ("waits", "waits"),
        ),
        ({"trust_tier": 3}, {"untrusted_up_to_tier": 3, "gate_from_importance": 0.7}, ("stored", "waits")),
        ({"is_item": True, "trust_tier": 2}, {"untrusted_up_to_tier": 1}, ("waits", "stored")),
        ({"gates": frozenset({"conflict"})}, {"gate_from_importance": 1.0}, ("waits", "waits")),
        ({"by_staff": True, "trust_tier": 1, "importance": 0.9}, {}, ("stored", "stored")),
        ({}, {"gated_agents": ("a",)}, ("stored", "waits")),
        ({"is_item": True}, {"item_importance_semantic": 0.5}, ("stored", "session_only")),
        ({"is_item": True, "importance_is_default": False}, {"item_importance_semantic": 0.5}, ("stored",) * 2),
    ],
)  # fmt: skip
def test_a_policy_decides_what_it_decides_and_no_more(
    write: dict[str, Any], policy: dict[str, Any], fates: tuple[str, str]
) -> None:
    judged = judge(replace(WRITE, **write), now=Rules(policy=NOW), then=Rules(policy=replace(NOW, **policy)))
    assert judged == fates


@pytest.mark.parametrize(
    ("write", "field", "fates"),
    [
        ({}, {"review_mode": "gate"}, ("stored", "waits")),
        ({}, {"least_trust_tier": 4}, ("stored", "refused")),
        ({}, {"writer_roles": ("tool",)}, ("stored", "refused")),
        ({}, {"writer_agents": ("b",)}, ("stored", "refused")),
        ({}, {"active": False}, ("stored", "refused")),
        ({}, {"default_importance": 0.5}, ("stored", "session_only")),
        ({"importance_is_default": False}, {"default_importance": 0.5}, ("stored", "stored")),
        ({"by_staff": True}, {"review_mode": "gate", "least_trust_tier": 4}, ("stored", "stored")),
    ],
)
def test_a_field_decides_what_it_decides_and_no_more(
    write: dict[str, Any], field: dict[str, Any], fates: tuple[str, str]
) -> None:
    now = Rules(policy=NOW, field=FIELD)
    assert judge(replace(WRITE, **write), now=now, then=replace(now, field=replace(FIELD, **field))) == fates


def test_a_gated_field_that_is_opened_lets_its_writes_live() -> None:
    now = Rules(policy=NOW, field=replace(FIELD, review_mode="gate"))
    write = replace(WRITE, gates=frozenset({"field_is_gated"}), stood="waits")
    assert judge(write, now=now, then=replace(now, field=FIELD)) == ("waits", "stored")
