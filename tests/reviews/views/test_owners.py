from __future__ import annotations

import re

import pytest

from tests.reviews.conftest import Desk
from tests.reviews.rows import make_change, make_event, make_item, make_owner, make_version


def refs(desk: Desk, query: str = "") -> list[str]:
    return [row.owner.ref for row in desk.client().get(f"/owners/{query}").context["page"].rows]


def test_a_row_has_the_numbers_of_its_owner(desk: Desk) -> None:
    make_owner(desk.workspace, "empty")
    owner = make_owner(desk.workspace, "full")
    event = make_event(owner)
    make_version(owner)
    make_item(owner)
    make_item(owner)
    make_change(owner, state="proposed")
    empty, full = desk.client().get("/owners/").context["page"].rows
    assert (full.events, full.fields, full.items, full.proposed) == (1, 1, 2, 1)
    assert full.last_event_at == event.occurred_at
    assert (empty.events, empty.fields, empty.items, empty.proposed, empty.last_event_at) == (
        0,
        0,
        0,
        0,
        None,
    )


def test_a_prefix_is_matched_letter_for_letter(desk: Desk) -> None:
    for ref in ("User-1", "user-1", "user_1", "user%1", "张伟"):
        make_owner(desk.workspace, ref)
    assert refs(desk, "?q=user") == ["user%1", "user-1", "user_1"]
    assert refs(desk, "?q=user_") == ["user_1"]
    assert refs(desk, "?q=user%25") == ["user%1"]
    assert refs(desk, "?q=张") == ["张伟"]
    assert refs(desk, "?q=nobody") == []


def test_kind_and_state_filter(desk: Desk) -> None:
    make_owner(desk.workspace, "person")
    make_owner(desk.workspace, "team", kind="team", state="frozen")
    assert refs(desk, "?kind=team") == ["team"]
    assert refs(desk, "?state=frozen") == ["team"]
    assert refs(desk, "?kind=user&state=frozen") == []


@pytest.mark.parametrize("query", ["?kind=dragon", "?state='--", "?q=%00", "?q=%ED%A0%80", f"?q={'x' * 300}"])
def test_a_wrong_filter_is_no_error(desk: Desk, query: str) -> None:
    assert desk.client().get(f"/owners/{query}").status_code == 200


@pytest.mark.parametrize("cursor", ["x", "WyJvbGRlciIsIlx1MDAwMCJd", "AAAA"])
def test_a_broken_cursor_is_said(desk: Desk, cursor: str) -> None:
    response = desk.client().get(f"/owners/?cursor={cursor}")
    assert response.status_code == 400
    assert "Not understood" in response.content.decode()


def test_pages_hold_every_owner_once_forwards_and_back(desk: Desk) -> None:
    made = [make_owner(desk.workspace, f"user-{number:03}").ref for number in range(60)]
    client = desk.client()
    pages, address = [], "/owners/?kind=user"
    while address:
        page = client.get(address).context["page"]
        pages.append([row.owner.ref for row in page.rows])
        address = f"/owners/?kind=user&cursor={page.older}" if page.older else ""
    assert [ref for rows in pages for ref in rows] == made
    back = client.get(f"/owners/?kind=user&cursor={page.newer}").context["page"]
    assert [row.owner.ref for row in back.rows] == pages[1]


def test_the_search_of_the_top_bar_opens_an_exact_reference(desk: Desk) -> None:
    owner = make_owner(desk.workspace, "user-1")
    make_owner(desk.workspace, "user-12")
    response = desk.client().get("/owners/?q=user-1&go=1")
    assert response["Location"] == f"/owners/{owner.id}/"
    assert desk.client().get("/owners/?q=user-&go=1").status_code == 200


def test_a_link_to_the_next_page_keeps_the_filters(desk: Desk) -> None:
    for number in range(26):
        make_owner(desk.workspace, f"a&b-{number:03}")
    page = desk.client().get("/owners/?q=a%26b&kind=user").content.decode()
    assert re.search(r'href="\?q=a%26b&amp;kind=user&amp;cursor=\w+"', page)
