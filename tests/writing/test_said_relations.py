"""Relations that are said: a parcel finds the order its session is about, and goes when its event is rolled back."""

from __future__ import annotations

import pytest

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Owner, Relation
from memoryhub.writing.source import Source
from tests.public_reports.telling import tell

pytestmark = pytest.mark.django_db


def active(owner: Owner) -> list[str]:
    rows = Relation.objects.of(owner.id).filter(status="active").whole().order_by("seq")
    return [row.content for row in rows]


@pytest.mark.parametrize(
    ("about", "parcel"),
    [
        ("我的订单A-1001什么时候发货？", "我的快递单号是SF123456789，预计明天到"),
        (
            "When will my order A-1001 ship?",
            "My tracking number is SF123456789, the parcel will arrive tomorrow",
        ),
    ],
)
def test_a_parcel_belongs_to_the_order_its_session_is_about(
    owner: Owner, source: Source, about: str, parcel: str
) -> None:
    *_, event = tell(owner, source, about, parcel, session_ref="one")
    told = active(owner)
    assert "A-1001 is shipped as SF123456789" in told
    assert any(line.startswith("SF123456789 is expected on 20") for line in told)
    assert {"relation"} <= {verdict["kind"] for verdict in event.outcome}
    scope = RollbackScope(event_ids=(event.id,), owner_ids=(owner.id,))
    plan = plan_rollback(workspace_id=source.workspace_id, scope=scope)
    execute_rollback(workspace_id=source.workspace_id, scope=plan.scope, digest=plan.digest, user_id=None)
    assert not [line for line in active(owner) if "SF123456789" in line]


def test_in_a_session_about_no_order_a_parcel_stands_alone(owner: Owner, source: Source) -> None:
    tell(owner, source, "我的快递单号是SF123456789，预计明天到", session_ref="two")
    assert [line.split(" is ")[0] for line in active(owner)] == ["SF123456789"]


def test_a_changed_liking_and_a_solved_complaint_take_the_place_of_the_old(
    owner: Owner, source: Source
) -> None:
    tell(owner, source, "I love coffee.", "My coffee machine keeps leaking.")
    tell(
        owner,
        source,
        "Actually I no longer like coffee, I hate coffee.",
        "The coffee machine has been fixed.",
    )
    rows = Relation.objects.of(owner.id).whole().order_by("seq")
    told = [(row.content, row.resolution, row.status) for row in rows]
    assert ("the owner dislikes coffee", "", "active") in told
    assert ("the owner had a problem with coffee machine", "solved", "active") in told
