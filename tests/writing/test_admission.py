"""May this be remembered at all: whitelist, writer, value, certainty, weight, evidence, gates; in this order."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.models import new_id
from memoryhub.policies import Policy
from memoryhub.starter_fields import STARTER_FIELDS
from memoryhub.writing.admission import GATED_FLAGS, Admission, Circumstances, admit_field, admit_item
from memoryhub.writing.candidates import FormCandidate, Importance, ItemCandidate
from tests.writing.field_specs import field_spec

POLICY = Policy()
AGENT = new_id()


def circumstances(**changes: Any) -> Circumstances:
    """The owner says it through a trusted key, and the words are there."""
    ordinary: dict[str, Any] = {
        "role": "user",
        "trust_tier": 3,
        "agent_id": AGENT,
        "by_staff": False,
        "quote_found": True,
    }
    return Circumstances(**ordinary | changes)


def admit(
    field: dict[str, Any] | None = None, given: dict[str, Any] | None = None, **where: Any
) -> Admission:
    candidate = FormCandidate(
        **{"form_type": "user_profile", "field": "location", "value": "Porto"} | (given or {})
    )
    return admit_field(
        candidate, field=field_spec(**field or {}), circumstances=circumstances(**where), policy=POLICY
    )


def weighing(value: float) -> dict[str, Any]:
    return {"importance": Importance(value=value)}


def test_an_ordinary_statement_is_admitted_with_the_fields_own_weight() -> None:
    found = admit(field={"default_importance": 0.75})
    assert (found.verdict, found.gates, found.importance, found.confidence) == ("admit", (), 0.75, 0.9)
    assert found.value_norm == "porto"


def test_a_field_that_is_not_on_the_whitelist_is_refused() -> None:
    candidate = FormCandidate(form_type="user_profile", field="shoe_size", value="44")
    found = admit_field(candidate, field=None, circumstances=circumstances(), policy=POLICY)
    assert (found.verdict, found.code) == ("refuse", "field_not_allowed")


@pytest.mark.parametrize(
    ("rules", "where", "may"),
    [
        ({"least_trust_tier": 3}, {"trust_tier": 3}, True),
        ({"least_trust_tier": 3}, {"trust_tier": 2}, False),
        ({"writer_roles": ("tool",)}, {"role": "tool"}, True),
        ({"writer_roles": ("tool",)}, {"role": "user"}, False),
        ({"writer_roles": ("tool",)}, {"role": ""}, False),
        ({"writer_agents": (AGENT,)}, {}, True),
        ({"writer_agents": (new_id(),)}, {}, False),
        ({"writer_agents": (AGENT,)}, {"agent_id": None}, False),
        ({"writer_agents": (AGENT,), "least_trust_tier": 4}, {}, False),
        ({"least_trust_tier": 4, "writer_roles": ("tool",)}, {"by_staff": True, "trust_tier": 1}, True),
    ],
)
def test_a_field_says_who_may_write_it(rules: dict[str, Any], where: dict[str, Any], may: bool) -> None:
    found = admit(field=rules, **where)
    assert (found.code == "writer_not_allowed") is not may
    assert (found.verdict == "refuse") is not may


def test_the_wrong_writer_is_told_so_before_his_value_is_looked_at() -> None:
    assert admit(field={"least_trust_tier": 4}, given={"value": ["odd"]}).code == "writer_not_allowed"


@pytest.mark.parametrize(
    ("rules", "value", "code"),
    [
        ({}, None, "wrong_type"),
        ({}, ["a"], "wrong_type"),
        ({}, "", "blank_value"),
        ({}, "   ", "blank_value"),
        ({"max_length": 3}, "Porto", "too_long"),
        ({"value_type": "choice", "choices": ("open", "solved")}, "lost", "not_a_choice"),
        ({"value_type": "number", "minimum": 1}, 0, "out_of_range"),
        ({"value_type": "number", "maximum": 10}, 11, "out_of_range"),
        ({"value_type": "number"}, "many", "wrong_type"),
        ({"value_type": "boolean"}, "perhaps", "wrong_type"),
        ({"value_type": "date"}, "soon", "wrong_type"),
        ({}, "a\x00b", "nul_character"),
    ],
)
def test_a_value_that_is_not_one_of_the_field_is_refused(
    rules: dict[str, Any], value: Any, code: str
) -> None:
    found = admit(field=rules, given={"value": value})
    assert found.verdict == "refuse"
    assert found.code == code or (code == "nul_character" and found.code.startswith("nul"))


def test_a_removal_needs_no_value() -> None:
    assert admit(given={"operation": "remove", "value": None}).verdict == "admit"


@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        ({"confidence": 0.59}, "refuse", "low_confidence"),
        ({"confidence": 0.6}, "admit", ""),
        (weighing(0.59), "session_only", "low_importance"),
        (weighing(0.6), "admit", ""),
        ({"confidence": 0.1} | weighing(0.1), "refuse", "low_confidence"),
    ],
)
def test_what_is_unsure_is_refused_and_what_is_slight_stays_in_the_session(
    given: dict[str, Any], verdict: str, code: str
) -> None:
    found = admit(given=given)
    assert (found.verdict, found.code) == (verdict, code)


def test_no_default_is_below_the_threshold() -> None:
    assert {field.name for field in STARTER_FIELDS if field.importance < POLICY.least_importance} == set()
    assert POLICY.default_confidence >= POLICY.least_confidence
    for kind in ("episodic", "semantic"):
        item = ItemCandidate(item_kind=kind, content="A fact")
        assert admit_item(item, circumstances=circumstances(), policy=POLICY).verdict == "admit"


@pytest.mark.parametrize(
    ("rules", "given", "where", "gates"),
    [
        ({"review_mode": "gate"}, {}, {}, ("field_is_gated",)),
        ({"review_mode": "none"}, {}, {}, ()),
        # A first value the owner states about himself is live at once, key attribute or not.
        ({"key_attribute": True, "default_importance": 0.95}, {}, {}, ()),
        ({"default_importance": 0.95}, {}, {"quote_found": None}, ("evidence_missing",)),
        ({"default_importance": 0.79}, {}, {"quote_found": None}, ()),
        ({}, {}, {"quote_found": False}, ("quote_not_in_event",)),
        ({"default_importance": 0.8}, {}, {"trust_tier": 2}, ("low_trust",)),
        ({"default_importance": 0.79}, {}, {"trust_tier": 2}, ()),
        ({}, {"flags": ("payment",)}, {}, ("payment",)),
        ({}, {"flags": ("standing_prohibition",)}, {}, ("standing_prohibition",)),
        ({}, {}, {"flags": frozenset({"instruction_like"})}, ("instruction_like",)),
        ({}, {"flags": ("hesitant",)}, {}, ()),
    ],
)
def test_what_waits_for_a_person(
    rules: dict[str, Any], given: dict[str, Any], where: dict[str, Any], gates: tuple[str, ...]
) -> None:
    found = admit(field=rules, given=given, **where)
    assert found.gates == gates
    assert found.verdict == ("review" if gates else "admit")


def test_nothing_a_person_at_the_desk_writes_waits_for_another() -> None:
    found = admit(
        field={"review_mode": "gate", "default_importance": 0.95},
        given={"flags": tuple(GATED_FLAGS)},
        by_staff=True,
        quote_found=None,
        trust_tier=1,
    )
    assert (found.verdict, found.gates) == ("admit", ())


def sentence(given: dict[str, Any] | None = None, **where: Any) -> Admission:
    candidate = ItemCandidate(
        **{"item_kind": "semantic", "content": "The office is in Porto"} | (given or {})
    )
    return admit_item(candidate, circumstances=circumstances(**where), policy=POLICY)


@pytest.mark.parametrize(
    ("given", "where", "gates"),
    [
        ({}, {}, ()),
        ({}, {"trust_tier": 2}, ("low_trust",)),
        ({}, {"trust_tier": 1}, ("low_trust",)),
        ({"item_kind": "procedural"}, {}, ("procedure",)),
        ({"item_kind": "procedural"}, {"by_staff": True}, ()),
        (weighing(0.9), {"quote_found": None}, ("evidence_missing",)),
        ({}, {"flags": frozenset({"instruction_like"})}, ("instruction_like",)),
        (weighing(0.9), {"trust_tier": 2}, ("low_trust",)),
    ],
)
def test_which_sentences_wait_for_a_person(
    given: dict[str, Any], where: dict[str, Any], gates: tuple[str, ...]
) -> None:
    assert sentence(given, **where).gates == gates


@pytest.mark.parametrize("tier", range(1, 5))
@pytest.mark.parametrize("importance", [0.6, 0.8, 1.0])
def test_no_sentence_of_an_untrusted_source_is_served_unseen(tier: int, importance: float) -> None:
    assert (sentence(weighing(importance), trust_tier=tier).verdict == "review") is (tier <= 2)


def test_the_owner_speaks_only_with_his_own_words_through_a_trusted_key() -> None:
    assert circumstances().owner_speaks
    for other in ({"role": "assistant"}, {"trust_tier": 2}, {"quote_found": None}, {"quote_found": False}):
        assert not circumstances(**other).owner_speaks
