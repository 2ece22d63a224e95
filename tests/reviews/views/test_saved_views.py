from __future__ import annotations

import pytest
from django.urls import reverse

from memoryhub.models import SavedView
from tests.reviews.conftest import Desk

LISTS = {
    "changes": ("state=applied&owner=ann", "/changes/"),
    "memories": ("kind=field&status=all", "/memories/"),
    "incidents": ("state=closed", "/incidents/"),
}


def save(desk: Desk, page: str, **given: str) -> str:
    address = reverse("reviews:save_list_view", args=[page])
    return str(desk.client().post(address, {"name": "mine", **given}, follow=True).content.decode())


@pytest.mark.parametrize("page", LISTS)
def test_a_filter_is_kept_under_a_name_and_opens_again(desk: Desk, page: str) -> None:
    query, address = LISTS[page]
    shown = desk.client().get(f"{address}?{query}&cursor=&odd=1").content.decode()
    assert 'name="params"' in shown
    assert "The view was saved." in save(desk, page, params=f"{query}&odd=1&cursor=x")
    view = SavedView.objects.get()
    assert (view.page, sorted(view.params.split("&"))) == (page, sorted(query.split("&")))
    listed = desk.client().get(address).content.decode()
    assert f'href="{address}?{view.params.replace("&", "&amp;")}"' in listed


@pytest.mark.parametrize("page", LISTS)
def test_the_view_that_opens_first_does_and_can_be_left(desk: Desk, page: str) -> None:
    query, address = LISTS[page]
    save(desk, page, params=query, is_default="on")
    view, client = SavedView.objects.get(), desk.client()
    assert client.get(address).headers["Location"] == f"{address}?{view.params}"
    assert client.get(f"{address}?view=none").status_code == 200
    assert 'href="' + address + '?view=none"' in client.get(f"{address}?{query}").content.decode()
    assert desk.client(desk.viewer).get(address).status_code == 200


def test_each_list_has_its_own_views_and_only_shared_ones_are_seen_by_others(desk: Desk) -> None:
    save(desk, "changes", params="state=applied")
    save(desk, "changes", params="state=reverted", name="ours", is_shared="on")
    assert "mine" not in desk.client().get("/memories/").content.decode()
    seen = desk.client(desk.viewer).get("/changes/").content.decode()
    assert "ours" in seen and ">mine<" not in seen
    assert "ours" not in desk.client(desk.stranger).get("/changes/").content.decode()


def test_nothing_to_keep_no_name_and_no_such_list_are_refused(desk: Desk) -> None:
    assert "A view keeps a filter" in save(desk, "changes", params="odd=1")
    assert "A view needs a name" in save(desk, "changes", params="state=applied", name=" ")
    assert desk.client().post(reverse("reviews:save_list_view", args=["owners"]), {}).status_code == 404
    assert not SavedView.objects.exists()


def test_only_who_saved_a_view_deletes_it(desk: Desk) -> None:
    save(desk, "memories", params="kind=field", is_shared="on")
    address = reverse("reviews:delete_list_view", args=["memories", SavedView.objects.get().id])
    for other in (desk.viewer, desk.stranger):
        desk.client(other).post(address)
        assert SavedView.objects.count() == 1
    elsewhere = reverse("reviews:delete_list_view", args=["changes", SavedView.objects.get().id])
    desk.client().post(elsewhere)
    assert SavedView.objects.count() == 1
    desk.client().post(address)
    assert not SavedView.objects.exists()
