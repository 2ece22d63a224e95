"""Many memories at once: what is meant, what is left out, and what became of each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from memoryhub.models import FieldVersion, MemoryItem, Owner, Review
from reviews.queries import memory_bulk
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import poison
from tests.reviews.rows import make_change, make_item, make_owner
from tests.reviews.views.test_rollback import fields_of, sentences, value

WITHDRAW, REVERIFY = "/memories/withdraw/", "/memories/reverify/"


def ids(*memories: Any) -> dict[str, list[str]]:
    """The ticked boxes."""
    ticked = [str(memory_id) for memory_id in memories]
    return {"memory": ticked}


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_ticked_are_taken_back_in_one_rollback_with_one_undo(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    before = value(told)
    ticked = ids(told.item_id, told.version_id)
    page = text_of(client.get(WITHDRAW, ticked))
    assert "Take 2 memories back?" in page and "喜欢半夜接到推销电话" in page
    done = client.post(reverse("reviews:rollback_execute"), fields_of(page), follow=True)
    assert "The rollback is done." in done.content.decode()
    assert sentences(told) == set() and value(told) != before
    undo = fields_of(done.content.decode())
    client.post(reverse("reviews:rollback_execute"), undo)
    assert len(sentences(told)) == 2 and value(told) == before


def test_everything_under_the_filter_except_the_ticked_is_meant(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    asked = {"which": "all", "query": f"owner={told.owner.ref}", **ids(told.derived_id)}
    selection = client.get(WITHDRAW, asked).context["selection"]
    assert [memory.id for memory in selection.picked] == [told.item_id]
    asked = {"which": "all", "query": "kind=field"}
    assert [m.id for m in client.get(WITHDRAW, asked).context["selection"].picked] == [told.version_id]


def test_what_took_two_people_is_left_out_and_named(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    account = make_item(told.owner, "Refunds go to another bank")
    make_change(told.owner, target_id=account.id, target_kind="item", gates=["payment"])
    page = client.get(WITHDRAW, ids(told.item_id, account.id))
    assert [memory.id for memory in page.context["selection"].top_class] == [account.id]
    assert [memory.id for memory in page.context["selection"].picked] == [told.item_id]
    assert "1 of the highest class is left out" in text_of(page)


def test_more_than_the_cap_nothing_ticked_and_no_id_are_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, client = poison(desk.workspace), desk.client()
    assert client.get(WITHDRAW).status_code == 422
    assert client.get(WITHDRAW, {"memory": "x"}).status_code == 400
    monkeypatch.setattr(memory_bulk, "CAP", 1)
    page = client.get(WITHDRAW, {"which": "all", "query": ""})
    assert page.status_code == 422
    assert "/rollback/execute/" not in page.content.decode()
    assert len(sentences(told)) == 2


def test_each_memory_that_is_to_be_verified_again_is_answered_for(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    gone = FieldVersion.objects.of(told.owner.id).get(version=1)
    frozen = poison(desk.workspace, "frozen")
    Owner.objects.filter(id=frozen.owner.id).update(state="frozen")
    wanted = ids(told.version_id, told.item_id, gone.id, frozen.item_id)
    assert "Have 3 memories verified again?" in text_of(client.get(REVERIFY, wanted))
    answer = client.post(REVERIFY, wanted)
    assert [memory.id for memory in answer.context["done"]] == [told.version_id]
    failed = {memory.id: code for memory, code in answer.context["failed"]}
    # An agent called the sentence harmful, so a re-check waits already.
    assert failed == {
        told.item_id: "already_asked",
        frozen.item_id: "owner_frozen",
        gone.id: "not_standing",
    }
    review = Review.objects.of(told.owner.id).get(change__target_id=told.version_id)
    assert (review.kind, review.state) == ("recheck", "open")


def test_a_restored_copy_is_verified_by_the_change_that_first_wrote_it(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = client.get(WITHDRAW, ids(told.version_id)).content.decode()
    client.post(reverse("reviews:rollback_execute"), fields_of(page))
    copy = FieldVersion.objects.of(told.owner.id).get(status="active")
    answer = client.post(REVERIFY, ids(copy.id))
    assert [memory.id for memory in answer.context["done"]] == [copy.id]


def test_only_who_may_act_ticks_and_nobody_reaches_another_workspace(desk: Desk) -> None:
    told = poison(desk.workspace)
    assert 'form="bulk"' in desk.client().get("/memories/").content.decode()
    assert 'form="bulk"' not in desk.client(desk.viewer).get("/memories/").content.decode()
    assert desk.client(desk.viewer).get(WITHDRAW, ids(told.item_id)).status_code == 403
    assert desk.client(desk.viewer).post(REVERIFY, ids(told.item_id)).status_code == 403
    stranger = desk.client(desk.stranger)
    assert stranger.get(WITHDRAW, ids(told.item_id)).status_code in (403, 422)
    assert stranger.post(REVERIFY, ids(told.item_id)).status_code in (200, 403)
    assert MemoryItem.objects.of(told.owner.id).filter(status="active").count() == 2
    assert Review.objects.of(told.owner.id).filter(kind="recheck").count() == 1


def test_what_was_not_said_for_long_is_found(desk: Desk) -> None:
    owner, now = make_owner(desk.workspace), timezone.now()
    long_ago = now - timedelta(days=100)
    make_item(owner, "old", known_from=long_ago)
    make_item(owner, "old but confirmed", known_from=long_ago, last_confirmed_at=now - timedelta(days=1))
    make_item(owner, "new", known_from=now)
    client = desk.client()

    def found(query: str) -> set[str]:
        return {row.memory.content for row in client.get(f"/memories/{query}").context["page"].rows}

    assert found("?unsaid=90") == {"old"}
    assert found("?unsaid=365") == set()
    assert found("?unsaid=soon") == {"old", "old but confirmed", "new"}
