"""What other rules would have made of a write that is written down."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryhub.foresight.judging import Rules, judge
from memoryhub.foresight.recorded import WriteGroup
from memoryhub.models import new_id
from memoryhub.policies import Policy
from memoryhub.writing.whitelist import FieldSpec
from tests.writing.field_specs import field_spec

AGENT = new_id()
WRITE = WriteGroup(
    item_kind=None, form_type="user_profile", field="location", importance=None, on_default=False, confidence=0.9, trust_tier=3,
    agent_id=AGENT, by_staff=False, role="user", gates=frozenset(), without_evidence=False, stood="stored", count=1,
    examples=(),
)  # fmt: skip
SENTENCE: dict[str, Any] = {"item_kind": "semantic", "form_type": "", "field": ""}


def fates(write: WriteGroup, now: Rules, then: Rules) -> tuple[str, str]:
    judgements = judge(write, now=now, then=then)
    return judgements[0].fate, judgements[1].fate


def rules(field: FieldSpec | None, policy: Policy | None = None) -> Rules:
    whitelist = {} if field is None else {("user_profile", "location"): field}
    return Rules(policy=policy or Policy(), whitelist=whitelist)


FIELD = field_spec()


@pytest.mark.parametrize(
    ("write", "policy", "expected"),
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
        ({"gates": frozenset({"conflict"})}, {"gate_from_importance": 1.0}, ("waits", "waits")),
        ({**SENTENCE, "trust_tier": 2}, {"untrusted_up_to_tier": 1}, ("waits", "stored")),
        ({"by_staff": True, "trust_tier": 1, "importance": 0.9}, {}, ("stored", "stored")),
        ({}, {"gated_agents": (str(AGENT),)}, ("stored", "waits")),
        (SENTENCE, {"item_importance_semantic": 0.5}, ("stored", "session_only")),
        ({**SENTENCE, "importance": 0.7}, {"item_importance_semantic": 0.5}, ("stored", "stored")),
    ],
)
def test_a_policy_decides_what_it_decides_and_no_more(
    write: dict[str, Any], policy: dict[str, Any], expected: tuple[str, str]
) -> None:
    then = rules(FIELD, replace(Policy(), **policy))
    assert fates(replace(WRITE, **write), rules(FIELD), then) == expected


@pytest.mark.parametrize(
    ("write", "field", "expected"),
    [
        ({}, {"review_mode": "gate"}, ("stored", "waits")),
        ({}, {"least_trust_tier": 4}, ("stored", "refused")),
        ({}, {"writer_roles": ("tool",)}, ("stored", "refused")),
        ({}, {"writer_agents": (new_id(),)}, ("stored", "refused")),
        ({}, {"default_importance": 0.5}, ("stored", "session_only")),
        ({"importance": 0.7}, {"default_importance": 0.5}, ("stored", "stored")),
        ({"importance": 0.75, "on_default": True}, {"default_importance": 0.5}, ("stored", "session_only")),
        ({"by_staff": True}, {"review_mode": "gate", "least_trust_tier": 4}, ("stored", "stored")),
    ],
)
def test_a_field_decides_what_it_decides_and_no_more(
    write: dict[str, Any], field: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert fates(replace(WRITE, **write), rules(FIELD), rules(replace(FIELD, **field))) == expected


def test_a_field_out_of_use_takes_nothing() -> None:
    assert fates(WRITE, rules(FIELD), rules(None)) == ("stored", "refused")


def test_a_gated_field_that_is_opened_lets_its_writes_live() -> None:
    write = replace(WRITE, gates=frozenset({"field_is_gated"}), stood="waits")
    assert fates(write, rules(replace(FIELD, review_mode="gate")), rules(FIELD)) == ("waits", "stored")


def test_importance_is_as_admission_counts_it() -> None:
    now, then = judge(WRITE, now=rules(FIELD), then=rules(replace(FIELD, default_importance=0.9)))
    assert (now.importance, then.importance) == (0.7, 0.9)
