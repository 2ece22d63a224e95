"""The sharing page: links both ways, made, changed and ended by an operator, without JavaScript."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from memoryhub.models import AuditEntry, Owner, OwnerLink, Review, new_id
from tests.builders import make_link
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_item, make_owner


def page(owner: Owner, client: Client, query: str = "") -> str:
    answer = client.get(reverse("reviews:links", args=[owner.id]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def sent(owner: Owner, client: Client, **given: Any) -> Any:
    return client.post(reverse("reviews:link_new", args=[owner.id]), {"direction": "reads", **given})


def ended(link: OwnerLink, client: Client, on: Owner) -> Any:
    return client.post(reverse("reviews:link_end", args=[link.owner_id, link.id]), {"from": str(on.id)})


def open_links(owner: Owner) -> list[OwnerLink]:
    return list(OwnerLink.objects.of(owner.id).filter(ended_at=None))


def test_an_operator_links_changes_and_ends_from_either_side(desk: Desk) -> None:
    user = make_owner(desk.workspace, "ann", display_name="Ann")
    team = make_owner(desk.workspace, "support", kind="team", display_name="客服部")
    client = desk.client()
    assert "own memory alone" in page(user, client)
    assert sent(user, client, other="support", kinds=["rule", "form"]).status_code == 302
    [link] = open_links(user)
    assert (link.linked_owner_id, link.kinds) == (team.id, ["form", "rule"])
    for owner, other in ((user, "客服部"), (team, "Ann")):
        told = page(owner, client)
        assert other in told
        assert "rules and safety facts" in told
    changing = page(team, client, f"?change={link.id}")
    assert 'value="ann"' in changing
    assert "Change the link" in changing
    changed = sent(team, client, way="in", other="ann", direction="both", form_types=["user_profile"])
    assert changed["Location"] == reverse("reviews:links", args=[team.id])
    [link] = open_links(user)
    assert (link.direction, link.kinds, link.form_types) == ("both", [], ["user_profile"])
    domain = make_owner(desk.workspace, "company", kind="domain")
    assert sent(team, client, way="out", other="company").status_code == 302
    assert [other.linked_owner_id for other in open_links(team)] == [domain.id]
    assert ended(link, client, team)["Location"] == reverse("reviews:links", args=[team.id])
    assert open_links(user) == []
    acts = AuditEntry.objects.filter(owner_id=user.id, object_kind="owner_link").order_by("at", "id")
    assert [act.action for act in acts] == ["link.made", "link.ended", "link.made", "link.ended"]
    assert {(act.actor_kind, act.actor_id) for act in acts} == {("user", str(desk.operator.pk))}


def test_what_cannot_be_linked_is_said_beside_the_field(desk: Desk) -> None:
    user = make_owner(desk.workspace, "ann")
    make_owner(desk.workspace, "bob")
    make_owner(desk.elsewhere, "theirs", kind="team")
    make_owner(desk.workspace, "cold", kind="team", state="frozen")
    client = desk.client()
    for other, said in (
        ("ann", "An owner is not linked to itself."),
        ("bob", "A link leads to a team, a project or a domain."),
        ("theirs", "Nobody of this reference in this workspace."),
        ("nobody", "Nobody of this reference in this workspace."),
        ("cold", "One of the two is frozen; nothing was done."),
    ):
        answer = sent(user, client, other=other)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert sent(user, client, other="bob", direction="up").status_code == 422
    assert open_links(user) == []


def test_a_viewer_looks_and_a_stranger_finds_nothing(desk: Desk) -> None:
    user, team = make_owner(desk.workspace, "ann"), make_owner(desk.workspace, "support", kind="team")
    link = make_link(user, team)
    assert "End the link" not in page(user, desk.client(desk.viewer))
    assert sent(user, desk.client(desk.viewer), other="support").status_code == 403
    assert ended(link, desk.client(desk.viewer), user).status_code == 403
    for client, found in (
        (desk.client(desk.stranger), link),
        (desk.client(), OwnerLink(owner=user, id=new_id())),
    ):
        assert ended(found, client, user).status_code == 404
    assert open_links(user) == [link]


def test_a_reviewer_proposes_a_memory_and_the_reviewers_page_says_whose_it_is(desk: Desk) -> None:
    user = make_owner(desk.workspace, "ann", display_name="Ann")
    item = make_item(user, "The pager rota lives in the third board", importance=0.7)
    address = reverse("reviews:promote", args=[user.id, item.id])
    client = desk.client()
    assert "No link of this owner takes such a proposal." in client.get(address).content.decode()
    team = make_owner(desk.workspace, "support", kind="team", display_name="客服部")
    make_link(user, team, direction="both")
    assert "客服部" in client.get(address).content.decode()
    assert address in client.get(reverse("reviews:memory", args=[user.id, item.id])).content.decode()
    assert client.post(address, {"to": str(user.id)}).status_code == 422
    assert client.post(address, {"to": str(team.id)}).status_code == 302
    review = Review.objects.of(team.id).get()
    told = client.get(reverse("reviews:review_item", args=[team.id, review.id])).content.decode()
    assert reverse("reviews:memory", args=[user.id, item.id]) in told
    assert "from a member" in told
    assert desk.client(desk.viewer).get(address).status_code == 403
