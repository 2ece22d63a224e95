from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from memoryhub.changes.deciding import approve
from memoryhub.models import Review, SavedView
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, page_of, reviewer

QUEUE = "/review/"


def listed(desk: Desk, query: str = "") -> list[Any]:
    page = desk.client().get(f"{QUEUE}{query}").context["page"]
    return [row.review.id for row in page.rows]


def test_tabs_count_and_list_what_they_say(desk: Desk) -> None:
    world = Reviewing(desk)
    plain, rule = world.allergy(), world.rule()
    sample = world.sample(world.live())
    recheck = world.sample(world.live("The other office is in Porto"), kind="recheck")
    asked = world.allergy("花生")
    Review.objects.of(world.owner.id).filter(id=asked.id).update(state="waiting_owner")
    Review.objects.of(world.owner.id).filter(id=plain.id).update(
        claimed_by_id=desk.operator.pk,
        claim_expires_at=timezone.now() + timedelta(minutes=5),
        is_regressed=True,
    )
    counts = desk.client().get(QUEUE).context["queue"].counts
    assert counts == {
        "mine": 1, "unclaimed": 3, "overdue": 2, "high": 1, "regressed": 1,
        "recheck": 1, "second": 0, "waiting": 1, "patrol": 1, "all": 5,
    }  # fmt: skip
    assert listed(desk, "?tab=mine") == [plain.id]
    assert listed(desk, "?tab=high") == [rule.id]
    assert listed(desk, "?tab=recheck") == [recheck.id]
    assert listed(desk, "?tab=patrol") == [sample.id]
    assert listed(desk, "?tab=waiting") == [asked.id]
    assert set(listed(desk, "?tab=overdue")) == {sample.id, recheck.id}


def test_filters_narrow_and_the_page_says_how_many_they_hide(desk: Desk) -> None:
    world, other = Reviewing(desk), Reviewing(desk, ref="user-2")
    mine, rule, foreign = world.allergy(), world.rule(), other.allergy()
    assert set(listed(desk, f"?agent={other.source.agent_id}")) == {foreign.id}
    assert set(listed(desk, "?form_type=business_rule")) == {rule.id}
    assert set(listed(desk, "?field=allergies")) == {mine.id, foreign.id}
    assert listed(desk, "?kind=recheck") == []
    assert "The filter hides 3 reviews" in desk.client().get(f"{QUEUE}?kind=recheck").content.decode()
    assert listed(desk, "?age=hour") == []
    Review.objects.of(world.owner.id).filter(id=mine.id).update(
        created_at=timezone.now() - timedelta(hours=2)
    )
    assert listed(desk, "?age=hour") == [mine.id]
    assert set(listed(desk, "?agent=nobody&risk=never")) == {mine.id, rule.id, foreign.id}


def test_the_order_is_risk_then_age_and_pages_neither_repeat_nor_skip(desk: Desk) -> None:
    world = Reviewing(desk)
    ids = [world.allergy(f"food {number}").id for number in range(60)]
    top = world.rule()
    client = desk.client()
    first = client.get(QUEUE).context["page"]
    seen = [row.review.id for row in first.rows]
    cursor = first.older
    while cursor:
        world.allergy(f"late {len(seen)}")
        page = client.get(QUEUE, {"cursor": cursor}).context["page"]
        seen += [row.review.id for row in page.rows]
        cursor = page.older
    assert seen[0] == top.id
    assert [row for row in seen if row in ids] == ids
    assert len(seen) == len(set(seen))
    second = client.get(QUEUE, {"cursor": first.older}).context["page"]
    back = client.get(QUEUE, {"cursor": second.newer}).context["page"]
    assert [row.place for row in back.rows] == [row.place for row in first.rows]
    assert client.get(QUEUE, {"cursor": "WyJvbGRlciIsIngiLCJ4IiwieCJd"}).status_code == 400


def test_everything_pending_is_counted_by_how_long_it_has_waited(desk: Desk) -> None:
    world = Reviewing(desk)
    now = timezone.now()
    waits = [timedelta(minutes=5), timedelta(hours=2), timedelta(days=2), timedelta(days=30)]
    for number, length in enumerate(waits):
        review = world.allergy(f"food {number}")
        Review.objects.of(world.owner.id).filter(id=review.id).update(created_at=now - length)
    later = world.allergy("soy")
    Review.objects.of(world.owner.id).filter(id=later.id).update(state="deferred")
    waited = dict(desk.client().get(QUEUE).context["queue"].waited)
    assert waited == {"hour": 1, "workday": 1, "day": 0, "days": 1, "week": 0, "longer": 1}
    chart = desk.client(desk.viewer).get(reverse("reviews:review_ages")).json()
    assert chart["data"][0]["y"] == list(waited.values())


def test_three_empty_screens(desk: Desk) -> None:
    assert "Nothing is pending" in desk.client().get(QUEUE).content.decode()
    world = Reviewing(desk)
    review, rita = world.allergy(), reviewer(desk)
    Review.objects.of(world.owner.id).filter(id=review.id).update(
        claimed_by_id=rita.pk, claim_expires_at=timezone.now() + timedelta(minutes=5)
    )
    page = desk.client().get(QUEUE).content.decode()
    assert "Others work on everything" in page and "rita" in page
    assert "None of this kind" in desk.client().get(f"{QUEUE}?tab=patrol").content.decode()


def test_a_decided_review_leaves_and_another_workspace_sees_none(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    stranger = desk.client(desk.stranger)
    assert stranger.get(QUEUE).context["queue"].counts["all"] == 0
    assert stranger.get(page_of(review)).status_code == 404
    approve(decider=decider(reviewer(desk), review))
    assert listed(desk, "?tab=all") == []


def test_a_viewer_looks_but_has_no_ticks(desk: Desk) -> None:
    Reviewing(desk).allergy()
    page = desk.client(desk.viewer).get(QUEUE).content.decode()
    assert "allergies" in page.casefold() or "Allergies" in page
    assert 'name="item"' not in page
    assert "Take the next" not in page


def test_views_are_saved_applied_shared_and_deleted(desk: Desk) -> None:
    Reviewing(desk).allergy()
    client, save = desk.client(), reverse("reviews:save_list_view", args=["review"])
    params = "tab=all&field=allergies"
    response = client.post(
        save, {"name": "Food", "params": f"{params}&cursor=x", "is_shared": "on", "is_default": "on"}
    )
    assert response["Location"] == f"{QUEUE}?{params}"
    view = SavedView.objects.get()
    assert (view.params, view.is_shared, view.is_default) == (params, True, True)
    assert client.get(QUEUE)["Location"] == f"{QUEUE}?{params}"
    assert desk.client(desk.viewer).get(QUEUE).status_code == 200
    assert "Food" in desk.client(desk.viewer).get(QUEUE).content.decode()
    assert "Food" not in desk.client(desk.stranger).get(QUEUE).content.decode()
    client.post(save, {"name": "Food", "params": "tab=mine"})
    assert SavedView.objects.get().params == "tab=mine"
    delete = reverse("reviews:delete_list_view", args=["review", view.id])
    desk.client(desk.viewer).post(delete)
    assert SavedView.objects.exists()
    client.post(delete)
    assert not SavedView.objects.exists()
    client.post(save, {"name": "  ", "params": "tab=mine"})
    assert not SavedView.objects.exists()
