"""How a new value stands to what is there: every rule of DESIGN 5.5 and 13 as a row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.writing.arbitration import Claim, Settlement, Standing, settle_field, settle_item
from tests.writing.field_specs import field_spec

NOW = datetime(2026, 3, 10, tzinfo=UTC)
DAY = timedelta(days=1)
STANDING = Standing(norm="lisbon", valid_from=NOW - 5 * DAY, confidence=0.9, trust_tier=3, text="Lisbon")
SAME = Standing(norm="porto", valid_from=NOW - 5 * DAY, confidence=0.9, trust_tier=3, text="Porto")

STAFF = Standing(
    norm="lisbon", valid_from=NOW - 5 * DAY, confidence=0.9, trust_tier=3, text="Lisbon", by_staff=True
)


def claim(**changes: Any) -> Claim:
    """Porto, said now by an agent of the same trust, without a word of the owner's."""
    ordinary: dict[str, Any] = {
        "norm": "porto",
        "valid_from": NOW,
        "confidence": 0.9,
        "trust_tier": 3,
        "explicit": False,
        "world_change": True,
        "owner_speaks": False,
        "by_staff": False,
        "text": "Porto",
    }
    return Claim(**ordinary | changes)


OWNERS_WORD = {"explicit": True, "owner_speaks": True}

FIELD_RULES: list[tuple[str, dict[str, Any], Standing | None, dict[str, Any], tuple[str, str]]] = [
    ("nothing stands", {}, None, {}, ("create", "")),
    ("it begins later", {"valid_from": NOW + DAY}, None, {}, ("schedule", "")),
    ("it begins later beside a value", {"valid_from": NOW + DAY}, STANDING, {}, ("schedule", "")),
    ("it is the same", {}, SAME, {}, ("reinforce", "")),
    ("it is the same from a lower tier", {"trust_tier": 1}, SAME, {}, ("reinforce", "")),
    ("it is newer and as sure", {}, STANDING, {}, ("supersede", "")),
    ("it is as old and as sure", {"valid_from": STANDING.valid_from}, STANDING, {}, ("supersede", "")),
    ("it is less sure", {"confidence": 0.8}, STANDING, {}, ("propose", "less_confident")),
    ("it is older in the world", {"valid_from": NOW - 9 * DAY}, STANDING, {}, ("record_late", "")),
    ("older, though the owner insists", {"valid_from": NOW - 9 * DAY, **OWNERS_WORD}, STANDING, {}, ("record_late", "")),
    ("a lower tier", {"trust_tier": 2}, STANDING, {}, ("propose", "lower_trust")),
    ("a lower tier that begins later", {"trust_tier": 2, "valid_from": NOW + DAY}, STANDING, {}, ("propose", "lower_trust")),
    ("an agent about what a person wrote", {"trust_tier": 4}, STAFF, {}, ("propose", "lower_trust")),
    ("the owner about what a person wrote", {**OWNERS_WORD, "trust_tier": 4}, STAFF, {}, ("supersede", "")),
    ("the owner by a lesser key about it", OWNERS_WORD, STAFF, {}, ("propose", "lower_trust")),
    ("a lower tier that claims to correct", {"trust_tier": 2, "explicit": True}, STANDING, {}, ("propose", "lower_trust")),
    ("a higher tier", {"trust_tier": 4}, STANDING, {}, ("supersede", "")),
    ("the owner changes his mind", OWNERS_WORD, STANDING, {"conflict_policy": "review"}, ("supersede", "")),
    ("the owner was wrong", {**OWNERS_WORD, "world_change": False}, STANDING, {}, ("correct", "")),
    ("an agent says he was wrong", {"explicit": True, "world_change": False}, STANDING, {}, ("supersede", "")),
    ("a person at the desk", {"by_staff": True, "trust_tier": 1}, STANDING, {"conflict_policy": "review"}, ("supersede", "")),
    ("a person at the desk corrects", {"by_staff": True, "world_change": False}, STANDING, {}, ("correct", "")),
    ("a key attribute", {}, STANDING, {"key_attribute": True}, ("propose", "key_attribute_change")),
    ("a key attribute, in passing", {"owner_speaks": True}, STANDING, {"key_attribute": True}, ("propose", "key_attribute_change")),
    ("a key attribute, by the owner's correction", OWNERS_WORD, STANDING, {"key_attribute": True}, ("supersede", "")),
    ("a key attribute the first time", {}, None, {"key_attribute": True}, ("create", "")),
    ("to be confirmed", {}, STANDING, {"conflict_policy": "confirm"}, ("propose", "confirm_with_owner")),
    ("to be reviewed", {}, STANDING, {"conflict_policy": "review"}, ("propose", "conflict")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said", "standing", "rules", "expected"),
    FIELD_RULES,
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_value_of_a_field(
    name: str,
    said: dict[str, Any],
    standing: Standing | None,
    rules: dict[str, Any],
    expected: tuple[str, str],
) -> None:
    found = settle_field(claim(**said), standing=standing, last_end=None, field=field_spec(**rules), now=NOW)
    assert (found.action, found.code) == expected


REMOVALS: list[tuple[str, dict[str, Any], Standing | None, dict[str, Any], tuple[str, str]]] = [
    ("nothing stands", {}, None, {}, ("drop", "nothing_to_remove")),
    ("it ends", {}, STANDING, {}, ("remove", "")),
    ("the owner ends it", OWNERS_WORD, STANDING, {"conflict_policy": "review"}, ("remove", "")),
    ("it was never true", {**OWNERS_WORD, "world_change": False}, STANDING, {}, ("retract", "")),
    ("older than the value", {"valid_from": NOW - 9 * DAY}, STANDING, {}, ("drop", "removal_is_older_than_the_value")),
    ("a lower tier", {"trust_tier": 2}, STANDING, {}, ("propose", "lower_trust")),
    ("a key attribute", {}, STANDING, {"key_attribute": True}, ("propose", "key_attribute_change")),
    ("a key attribute, by the owner's word", OWNERS_WORD, STANDING, {"key_attribute": True}, ("remove", "")),
    ("a field with review", {}, STANDING, {"conflict_policy": "review"}, ("propose", "removal")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said", "standing", "rules", "expected"), REMOVALS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_removal(
    name: str,
    said: dict[str, Any],
    standing: Standing | None,
    rules: dict[str, Any],
    expected: tuple[str, str],
) -> None:
    found = settle_field(
        claim(norm="", removes=True, **said),
        standing=standing,
        last_end=None,
        field=field_spec(**rules),
        now=NOW,
    )
    assert (found.action, found.code) == expected


@pytest.mark.parametrize(("days", "action"), [(-1, "record_late"), (0, "create"), (1, "create")])
def test_a_value_from_before_the_last_one_ended_is_history_even_when_none_stands(
    days: int, action: str
) -> None:
    end = NOW - 3 * DAY
    found = settle_field(
        claim(valid_from=end + days * DAY), standing=None, last_end=end, field=field_spec(), now=NOW
    )
    assert found.action == action


@pytest.mark.parametrize(
    ("kind", "tolerance", "old", "new", "expected"),
    [
        ("number", 0.1, "100", "110", ("supersede", "within_tolerance")),
        ("number", 0.1, "100", "90", ("supersede", "within_tolerance")),
        ("number", 0.1, "100", "111", ("propose", "conflict")),
        ("number", None, "100", "101", ("propose", "conflict")),
        ("money", 0.05, "1000", "1050", ("supersede", "within_tolerance")),
        ("date", 24, "2026-03-01", "2026-03-02", ("supersede", "within_tolerance")),
        ("date", 24, "2026-03-01", "2026-03-03", ("propose", "conflict")),
        ("text", 0.5, "abc", "abd", ("propose", "conflict")),
    ],
)
def test_a_small_difference_needs_nobody(
    kind: str, tolerance: float | None, old: str, new: str, expected: tuple[str, str]
) -> None:
    field = field_spec(value_type=kind, tolerance=tolerance, conflict_policy="review")
    standing = Standing(norm=old, valid_from=NOW - DAY, confidence=0.9, trust_tier=3)
    found = settle_field(claim(norm=new), standing=standing, last_end=None, field=field, now=NOW)
    assert (found.action, found.code) == expected


def test_a_small_difference_in_a_key_attribute_still_needs_somebody() -> None:
    field = field_spec(value_type="number", tolerance=0.1, key_attribute=True)
    standing = Standing(norm="100", valid_from=NOW - DAY, confidence=0.9, trust_tier=3)
    found = settle_field(claim(norm="101"), standing=standing, last_end=None, field=field, now=NOW)
    assert found == Settlement(action="propose", code="key_attribute_change")


@pytest.mark.parametrize("standing_tier", range(1, 5))
@pytest.mark.parametrize("claim_tier", range(1, 5))
def test_no_tier_supersedes_a_higher_one(standing_tier: int, claim_tier: int) -> None:
    standing = Standing(norm="lisbon", valid_from=NOW - DAY, confidence=0.1, trust_tier=standing_tier)
    for explicit in (False, True):
        said = claim(trust_tier=claim_tier, explicit=explicit, confidence=1.0)
        field = settle_field(said, standing=standing, last_end=None, field=field_spec(), now=NOW)
        item = settle_item(said, standing=standing, now=NOW)
        for found in (field, item):
            assert (found.action == "supersede") == (claim_tier >= standing_tier)


ITEM_RULES: list[tuple[str, dict[str, Any], Standing | None, tuple[str, str]]] = [
    ("nothing stands", {}, None, ("create", "")),
    ("it begins later", {"valid_from": NOW + DAY}, STANDING, ("schedule", "")),
    ("it is the same", {}, SAME, ("reinforce", "")),
    ("it is newer", {}, STANDING, ("supersede", "")),
    ("it is less sure", {"confidence": 0.8}, STANDING, ("propose", "less_confident")),
    ("it is older", {"valid_from": NOW - 9 * DAY}, STANDING, ("record_late", "")),
    ("a lower tier", {"trust_tier": 2}, STANDING, ("propose", "lower_trust")),
    ("the owner was wrong", {**OWNERS_WORD, "world_change": False}, STANDING, ("correct", "")),
    ("the owner, though less sure", {**OWNERS_WORD, "confidence": 0.1}, STANDING, ("supersede", "")),
]


@pytest.mark.parametrize(
    ("name", "said", "standing", "expected"), ITEM_RULES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_sentence(
    name: str, said: dict[str, Any], standing: Standing | None, expected: tuple[str, str]
) -> None:
    found = settle_item(claim(**said), standing=standing, now=NOW)
    assert (found.action, found.code) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("He likes tea", "He does not like tea"),
        ("Gate B12", "Gate B13"),
        ("他喜欢茶", "他不喜欢茶"),
        ("It costs 5,000", "It costs 50,000"),
    ],
)
def test_the_same_value_in_a_sentence_that_differs_in_a_detail_is_no_duplicate(old: str, new: str) -> None:
    standing = Standing(norm="porto", valid_from=NOW - DAY, confidence=0.9, trust_tier=3, text=old)
    assert settle_item(claim(text=new), standing=standing, now=NOW).action == "supersede"


days = st.integers(-30, 30).map(lambda number: NOW + number * DAY)
claims = st.builds(
    Claim,
    norm=st.sampled_from(["lisbon", "porto"]),
    valid_from=days,
    confidence=st.floats(0, 1),
    trust_tier=st.integers(1, 4),
    explicit=st.booleans(),
    world_change=st.booleans(),
    owner_speaks=st.booleans(),
    by_staff=st.booleans(),
    removes=st.booleans(),
)
standings = st.none() | st.builds(
    Standing,
    norm=st.sampled_from(["lisbon", "porto"]),
    valid_from=days.filter(lambda day: day <= NOW),
    confidence=st.floats(0, 1),
    trust_tier=st.integers(1, 4),
)
fields = st.builds(
    field_spec,
    key_attribute=st.booleans(),
    conflict_policy=st.sampled_from(["replace", "confirm", "review"]),
)


@given(claims, standings, st.none() | days, fields)
def test_what_happened_earlier_never_takes_the_place_of_what_happened_later(
    said: Claim, standing: Standing | None, last_end: datetime | None, field: Any
) -> None:
    found = settle_field(said, standing=standing, last_end=last_end, field=field, now=NOW)
    replaces = found.action in ("supersede", "correct", "remove", "retract")
    if standing is None:
        assert not replaces
    elif replaces:
        assert said.valid_from >= standing.valid_from
        assert said.by_staff or said.trust_tier >= standing.trust_tier
    if said.valid_from > NOW and not said.removes and found.action != "reinforce":
        may_replace = standing is None or said.by_staff or said.trust_tier >= standing.trust_tier
        assert found.action == ("schedule" if may_replace else "propose")
