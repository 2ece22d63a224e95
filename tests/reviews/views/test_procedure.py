"""A procedure at the desk: written line by line, proposed by most, a new version on each edit, with how often it was followed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from memoryhub.changes.following import count_followed
from memoryhub.models import Change, MemoryItem, Owner
from memoryhub.procedures import procedure_from
from reviews.queries.scopes import of
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_event, make_item, make_owner

WRITTEN = {
    "title": "破损退款",
    "tasks": "破损退款\ndamage refund",
    "phrases": "包裹破损",
    "patterns": "",
    "steps": "道歉\n\n请用户发照片\n48 小时内退款",
    "reason": "ops manual",
}


@pytest.fixture
def owner(desk: Desk) -> Owner:
    owner = make_owner(desk.workspace)
    make_event(owner)
    return owner


def approver(desk: Desk) -> Client:
    desk.operator.groups.add(Group.objects.get(name="approver"))
    return desk.client()


def post(client: Client, owner: Owner, **change: Any) -> Any:
    return client.post(reverse("reviews:procedure_new", args=[owner.id]), {**WRITTEN, **change})


def standing(owner: Owner) -> MemoryItem:
    return MemoryItem.objects.of(owner.id).get(status="active", kind="procedural")


def test_a_reviewers_procedure_waits_and_an_approvers_stands(desk: Desk, owner: Owner) -> None:
    items = reverse("reviews:items", args=[owner.id])
    new = reverse("reviews:procedure_new", args=[owner.id])
    assert new in desk.client().get(items).content.decode()
    assert new not in desk.client(desk.viewer).get(items).content.decode()
    assert desk.client(desk.viewer).get(new).status_code == 403
    waits = post(desk.client(), owner)
    change = Change.objects.of(owner.id).select_related("change_set").get()
    assert (change.state, change.gates, change.change_set.reason) == ("proposed", ["desk_edit"], "ops manual")
    assert "review" in waits["Location"]
    assert "Approve with an edit" not in desk.client().get(waits["Location"]).content.decode()
    stands = post(approver(desk), owner, title="另一个流程")
    item = standing(owner)
    assert stands["Location"] == reverse("reviews:memory", args=[owner.id, item.id])
    assert item.procedure is not None
    procedure = procedure_from(item.procedure)
    assert procedure.steps == ("道歉", "请用户发照片", "48 小时内退款")
    assert procedure.tasks == ("破损退款", "damage refund")


def test_the_page_tells_the_steps_and_how_often_they_were_followed(desk: Desk, owner: Owner) -> None:
    client = approver(desk)
    post(client, owner)
    item = standing(owner)
    address = reverse("reviews:memory", args=[owner.id, item.id])
    edit = reverse("reviews:procedure_edit", args=[owner.id, item.id])
    assert "0 times" in client.get(address).content.decode()
    with of(owner):
        count_followed({item.id: owner.id})
    page = client.get(address).content.decode()
    assert "2. 请用户发照片" in page and "1 time" in page
    plain = client.get(reverse("reviews:memory_edit", args=[owner.id, item.id]))
    assert plain["Location"] == edit
    assert "请用户发照片" in client.get(edit).content.decode()
    changed = client.post(edit, {**WRITTEN, "steps": "道歉\n退款", "seq": item.seq})
    edited = standing(owner)
    assert changed["Location"] == reverse("reviews:memory", args=[owner.id, edited.id])
    assert edited.procedure is not None
    assert (edited.memory_id, edited.procedure["steps"]) == (item.id, ["道歉", "退款"])
    assert "1 time" in client.get(changed["Location"]).content.decode()
    late = client.post(edit, {**WRITTEN, "seq": item.seq})
    assert late.status_code == 409


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": ""}, "This field is required."),
        ({"steps": " \n"}, "This field is required."),
        ({"steps": "\n".join(["x"] * 51)}, "too many"),
        ({"steps": "ok\n" + "x" * 501}, "Line 2: too long"),
        ({"tasks": "", "phrases": ""}, "name at least one task, phrase or pattern that calls for it"),
        ({"patterns": "ok1\n("}, "Line 2: not a regular expression of RE2"),
        ({"patterns": ".*"}, "Line 1: this pattern is found in nearly every text"),
        ({"phrases": "包"}, "Line 1: too short to be found safely"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(
    desk: Desk, owner: Owner, change: dict[str, str], told: str
) -> None:
    page = post(desk.client(), owner, **change)
    assert page.status_code == 422
    assert told in page.content.decode()
    assert not Change.objects.of(owner.id).exists()


def test_only_a_procedure_is_edited_as_one(desk: Desk, owner: Owner) -> None:
    item = make_item(owner, "Keeps a parrot.")
    edit = reverse("reviews:procedure_edit", args=[owner.id, item.id])
    assert desk.client().get(edit).status_code == 404
    assert desk.client(desk.stranger).get(edit).status_code in (403, 404)
