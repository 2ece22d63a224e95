"""What goes to review: proposals, samples of what went live, and the mode of the field."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from memoryhub.changes.queueing import patrol_draw, patrol_share, risk_of, top_class_reasons
from memoryhub.models import Change, FieldDefinition, Review
from memoryhub.policies import Policy
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace, put_policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    """An agent of a workspace in which everything that goes live is sampled."""
    source = make_source(make_workspace())
    put_policy(workspace_id=source.workspace_id, patrol_share=1.0, patrol_share_important=1.0)
    return source


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def kinds_after(owner: UUID, source: Source, *, mode: str) -> list[str]:
    fields = FieldDefinition.objects.filter(form_type__workspace_id=source.workspace_id)
    fields.filter(form_type__name="user_profile", name="pet").update(review_mode=mode)
    write_field(owner_id=owner, form_type="user_profile", field="pet", value="cat", source=source)
    return list(Review.objects.of(owner).values_list("kind", flat=True))


@pytest.mark.parametrize(("mode", "kinds"), [("gate", ["proposal"]), ("patrol", ["patrol"]), ("none", [])])
def test_the_mode_of_the_field_says_who_looks_and_when(
    owner: UUID, source: Source, mode: str, kinds: list[str]
) -> None:
    assert kinds_after(owner, source, mode=mode) == kinds


def test_the_draw_is_fixed_by_the_id_and_spread_over_the_whole_range() -> None:
    draws = [patrol_draw(Change(id=uuid4())) for _ in range(2000)]
    assert all(0 <= draw < 1 for draw in draws)
    assert 700 < sum(draw < 0.5 for draw in draws) < 1300
    change = Change(id=uuid4(), importance=0.9)
    assert patrol_draw(change) == patrol_draw(change)
    assert patrol_share(change, policy=Policy()) == Policy().patrol_share_important


@pytest.mark.parametrize(
    ("gates", "importance", "reasons"),
    [
        ([], 0.99, []),
        (["field_is_gated"], 0.94, []),
        (["field_is_gated"], 0.95, ["highest_importance"]),
        (["payment", "conflict"], 0.1, ["payment"]),
        (["instruction_like", "field_is_gated"], 1.0, ["instruction_like", "highest_importance"]),
    ],
)
def test_two_people_are_asked_for_what_gives_orders_or_matters_most(
    gates: list[str], importance: float, reasons: list[str]
) -> None:
    assert top_class_reasons(Change(gates=gates, importance=importance)) == reasons


def test_the_risk_is_half_the_importance_and_the_weights_and_at_most_one() -> None:
    risk, parts = risk_of(Change(gates=["conflict", "secret_rule"], importance=0.6))
    assert (round(risk, 3), parts) == (0.4, [("importance", 0.3), ("conflict", 0.1)])
    assert risk_of(Change(gates=["instruction_like", "payment"], importance=1.0))[0] == 1.0
