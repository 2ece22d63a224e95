"""Relations: what is stored, what closes what, what waits for a person, and that every step has a way back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memoryhub.changes.rebuilding import rebuild_state, stored_state
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import AuditEntry, Change, Entity, Relation, Review
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.source import Source
from memoryhub.writing.structured_relations import name_entity, write_relations
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def relate(
    owner: UUID, source: Source, relation: str, to: str = "", *, day: int = 0, **given: Any
) -> Verdict:
    columns: dict[str, Any] = {"to_kind": "product", "to_name": to} if to else {}
    candidate = RelationCandidate(
        relation=relation,
        valid_from=NOON + timedelta(days=day),
        **{**columns, **given},
    )
    return write_relations(owner_id=owner, relations=[candidate], source=source)[0]


def told(owner: UUID) -> list[tuple[str, str]]:
    return [(row.content, row.status) for row in Relation.objects.of(owner).whole().order_by("seq")]


def test_a_relation_is_stored_with_both_ends_change_and_audit(owner: UUID, source: Source) -> None:
    verdict = relate(owner, source, "contains", "牛奶", from_kind="product", from_name="拿铁")
    assert (verdict.outcome, verdict.kind, verdict.field) == ("stored", "relation", "contains")
    relation = Relation.objects.of(owner).whole().get()
    assert (relation.told_in("zh"), relation.content) == ("拿铁含有牛奶", "拿铁 contains 牛奶")
    change = Change.objects.of(owner).get()
    assert (change.target_kind, change.target_id, change.action) == ("relation", relation.id, "create")
    assert AuditEntry.objects.filter(owner_id=owner, object_id=change.id, action="change.applied").exists()
    again = relate(owner, source, "contains", "牛奶", from_kind="product", from_name=" 拿铁 ")
    assert (again.outcome, again.target_id) == ("reinforced", relation.id)
    assert Entity.objects.of(owner).count() == 2


def test_a_contradiction_closes_what_stood_and_a_rollback_brings_it_back(owner: UUID, source: Source) -> None:
    relate(owner, source, "prefers", "coffee", strength=0.8)
    change_id = relate(owner, source, "dislikes", "coffee", day=3).change_id
    assert change_id is not None
    old, new = Relation.objects.of(owner).whole().order_by("seq")
    assert (old.status, old.valid_until, old.superseded_by_seq) == ("superseded", new.valid_from, new.seq)
    now = NOON + timedelta(days=400)
    assert stored_state(owner_id=owner) == rebuild_state(owner_id=owner, now=now)
    scope = RollbackScope(change_ids=(change_id,), owner_ids=(owner,))
    plan = plan_rollback(workspace_id=source.workspace_id, scope=scope)
    [item] = plan.items
    assert (item.effect, item.now, item.after) == (
        "restore",
        "the owner dislikes coffee",
        "the owner prefers coffee",
    )
    done = execute_rollback(
        workspace_id=source.workspace_id, scope=plan.scope, digest=plan.digest, user_id=None
    )
    assert told(owner) == [
        ("the owner prefers coffee", "superseded"),
        ("the owner dislikes coffee", "retracted"),
        ("the owner prefers coffee", "active"),
    ]
    assert stored_state(owner_id=owner) == rebuild_state(owner_id=owner, now=now)
    assert relate(owner, source, "dislikes", "coffee", day=5).code == "rejected_before"
    back = plan_rollback(workspace_id=source.workspace_id, scope=done.undo_scope)
    execute_rollback(workspace_id=source.workspace_id, scope=back.scope, digest=back.digest, user_id=None)
    standing = Relation.objects.of(owner).filter(status="active").whole().get()
    assert (standing.content, standing.valid_from) == ("the owner dislikes coffee", NOON + timedelta(days=3))


def test_a_new_status_and_a_new_resolution_take_the_place_of_the_old(owner: UUID, source: Source) -> None:
    order: dict[str, Any] = {"from_kind": "order", "from_name": "A-1"}
    relate(owner, source, "has_status", value="paid", **order)
    relate(owner, source, "has_status", value="shipped", day=1, **order)
    relate(owner, source, "experienced", "coffee machine", resolution="open")
    solved = relate(owner, source, "experienced", "coffee machine", day=2, resolution="solved")
    assert solved.outcome == "superseded"
    active = Relation.objects.of(owner).filter(status="active").whole().order_by("seq")
    assert [(row.content, row.resolution) for row in active] == [
        ("A-1 has status shipped", ""),
        ("the owner had a problem with coffee machine", "solved"),
    ]
    assert relate(owner, source, "has_status", value="paid", day=-1, **order).outcome == "historical"
    gone = relate(owner, source, "has_status", day=4, operation="remove", **order)
    assert gone.outcome == "superseded"
    assert relate(owner, source, "has_status", day=5, operation="remove", **order).code == "nothing_to_remove"


@pytest.mark.parametrize(
    ("relation", "given", "code"),
    [
        ("loves", {}, "relation_not_allowed"),
        ("prefers", {"to_kind": "planet", "to_name": "Mars"}, "entity_kind_not_allowed"),
        ("placed", {"to_kind": "product", "to_name": "tea"}, "end_not_allowed"),
        ("prefers", {"to_kind": "product", "to_name": " "}, "name_missing"),
        ("prefers", {"to_kind": "product", "to_name": "tea", "strength": 1.5}, "strength_out_of_range"),
        ("prefers", {"to_kind": "product", "to_name": "tea", "impact": 2}, "attribute_not_allowed"),
        ("prefers", {"value": "tea"}, "takes_an_entity"),
        ("has_status", {"from_kind": "order", "from_name": "1"}, "value_missing"),
        (
            "has_status",
            {"from_kind": "order", "from_name": "1", "value": "x", "to_name": "y"},
            "takes_a_value",
        ),
        ("expected_arrival", {"from_kind": "parcel", "from_name": "1", "value": "soon"}, "not_a_date"),
        (
            "contains",
            {"from_kind": "product", "from_name": "Tea", "to_kind": "product", "to_name": "ｔｅａ"},
            "same_ends",
        ),
        (
            "prefers",
            {"to_kind": "product", "to_name": "tea", "valid_until": NOON - timedelta(days=1)},
            "ends_before_it_begins",
        ),
    ],
)
def test_what_the_vocabulary_has_not_is_refused(
    owner: UUID, source: Source, relation: str, given: dict[str, Any], code: str
) -> None:
    assert relate(owner, source, relation, **given).code == code
    assert not Relation.objects.of(owner).exists()


def test_an_untrusted_source_waits_and_a_look_alike_too(owner: UUID, source: Source) -> None:
    relate(owner, source, "prefers", "paypal")
    alike = relate(owner, source, "dislikes", "pаypal")
    assert (alike.outcome, alike.code) == ("in_review", "lookalike_name")
    web = make_source(workspace_id=source.workspace_id, trust_tier=1)
    hostile = relate(owner, web, "dislikes", "paypal", day=1)
    assert hostile.outcome == "in_review"
    assert Review.objects.of(owner).count() == 2
    assert told(owner) == [("the owner prefers paypal", "active")]


def test_two_people_are_not_made_one_without_a_person(owner: UUID, source: Source) -> None:
    [verdict] = name_entity(owner_id=owner, kind="person", name="王伟", aliases=["小王"], source=source)
    assert (verdict.outcome, verdict.code) == ("in_review", "merges_entities")
    [product] = name_entity(owner_id=owner, kind="product", name="latte", aliases=["拿铁"], source=source)
    assert product.outcome == "stored"
    [turned] = name_entity(owner_id=owner, kind="product", name="拿铁", aliases=["latte"], source=source)
    assert (turned.outcome, turned.code) == ("refused", "already_one")
