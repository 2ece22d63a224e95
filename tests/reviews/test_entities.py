"""The pages of an owner's people and things: list, picture, one of them; merged and split in steps that can be taken back."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.urls import reverse

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import ChangeSet, Entity, Owner, Relation, Review
from memoryhub.relating.layout import spring_layout
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured_relations import write_relations
from tests.builders import make_source
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_item, make_owner


def relate(owner: Owner, start: str, relation: str, end: str) -> None:
    """Products, but for a start that is '': the owner."""
    candidate = RelationCandidate(
        relation=relation,
        from_kind="product" if start else "",
        from_name=start,
        to_kind="product",
        to_name=end,
    )
    source = make_source(workspace_id=owner.workspace_id)
    [verdict] = write_relations(owner_id=owner.id, relations=[candidate], source=source)
    assert verdict.outcome == "stored", verdict


@pytest.fixture
def owner(desk: Desk) -> Owner:
    owner = make_owner(desk.workspace, "ann")
    relate(owner, "latte", "contains", "milk")
    relate(owner, "拿铁", "contains", "foam")
    relate(owner, "", "dislikes", "milk")
    make_item(owner, "A latte every morning", entities=["latte"])
    return owner


def id_of(owner: Owner, name: str) -> UUID:
    return Entity.objects.of(owner.id).get(name=name).id


def test_things_and_relations_stand_in_a_list_and_a_picture(desk: Desk, owner: Owner) -> None:
    page = desk.client().get(reverse("reviews:entities", args=[owner.id])).content.decode()
    for word in ("latte", "拿铁", "contains", "dislikes", "the owner"):
        assert word in page
    edges, middles, things = (
        desk.client().get(reverse("reviews:entities_chart", args=[owner.id])).json()["data"]
    )
    assert sorted(things["text"]) == ["foam", "latte", "milk", "the owner", "拿铁"]
    assert "latte contains milk" in middles["text"]
    assert len(edges["x"]) == 3 * len(middles["text"]) == 9
    elsewhere = desk.client(desk.stranger).get(reverse("reviews:entities_chart", args=[owner.id]))
    assert elsewhere.status_code == 404


def test_two_names_are_made_one_and_a_rollback_makes_them_two(desk: Desk, owner: Owner) -> None:
    client, alias = desk.client(), id_of(owner, "拿铁")
    address = reverse("reviews:entity_merge", args=[owner.id, alias])
    merged = client.post(address, {"into": str(id_of(owner, "latte")), "reason": "one drink"})
    assert merged["Location"] == reverse("reviews:entity", args=[owner.id, id_of(owner, "latte")])
    page = client.get(merged["Location"]).content.decode()
    for word in ("拿铁", "foam", "milk", "Split off", "A latte every morning"):
        assert word in page
    change_set = ChangeSet.objects.of(owner.id).get(act="merge_entities")
    assert (change_set.user_id, change_set.reason) == (desk.operator.pk, "one drink")
    scope = RollbackScope(change_set_ids=(change_set.id,), owner_ids=(owner.id,))
    plan = plan_rollback(workspace_id=owner.workspace_id, scope=scope)
    execute_rollback(
        workspace_id=owner.workspace_id, scope=plan.scope, digest=plan.digest, user_id=desk.operator.pk
    )
    assert "foam" not in client.get(merged["Location"]).content.decode().split("merge")[0]


def test_a_name_is_split_off_with_what_was_said_under_it(desk: Desk, owner: Owner) -> None:
    client, alias, latte = desk.client(), id_of(owner, "拿铁"), id_of(owner, "latte")
    client.post(reverse("reviews:entity_merge", args=[owner.id, alias]), {"into": str(latte)})
    split = client.post(reverse("reviews:entity_split", args=[owner.id, latte]), {"alias": str(alias)})
    assert split["Location"] == reverse("reviews:entity", args=[owner.id, alias])
    same = Relation.objects.of(owner.id).get(slot="same_as")
    assert (same.status, same.basis) == ("retracted", "staff")
    page = client.get(split["Location"]).content.decode()
    assert "foam" in page
    viewer = desk.client(desk.viewer)
    assert (
        viewer.post(
            reverse("reviews:entity_split", args=[owner.id, latte]), {"alias": str(alias)}
        ).status_code
        == 403
    )
    assert "Make them one" not in viewer.get(split["Location"]).content.decode()
    nothing = client.post(
        reverse("reviews:entity_merge", args=[owner.id, latte]), {"into": "odd"}, follow=True
    )
    assert "Choose what it is the same as." in nothing.content.decode()


def test_a_relation_that_waits_is_read_and_decided_at_the_desk(desk: Desk, owner: Owner) -> None:
    web = make_source(workspace_id=owner.workspace_id, trust_tier=1)
    hostile = RelationCandidate(relation="prefers", to_kind="product", to_name="milk")
    [verdict] = write_relations(owner_id=owner.id, relations=[hostile], source=web)
    assert (verdict.outcome, verdict.code) == ("in_review", "lower_trust")
    assert verdict.change_id is not None
    review = Review.objects.of(owner.id).get(change_id=verdict.change_id)
    page = desk.client().get(reverse("reviews:review_item", args=[owner.id, review.id])).content.decode()
    assert "the owner prefers milk" in page and "the owner dislikes milk" in page
    change = reverse("reviews:change", args=[owner.id, verdict.change_id])
    assert "the owner prefers milk" in desk.client().get(change).content.decode()


def test_what_is_related_is_drawn_near() -> None:
    assert spring_layout(0, []) == []
    assert spring_layout(1, []) == [(0.5, 0.5)]
    places = spring_layout(4, [(0, 1), (2, 3)])
    assert places == spring_layout(4, [(0, 1), (2, 3)])
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)
    near = sum((a - b) ** 2 for a, b in zip(places[0], places[1], strict=True))
    far = sum((a - b) ** 2 for a, b in zip(places[0], places[2], strict=True))
    assert near < far
