"""The explorer: sorted by each column both ways without losing a row, and counted by kind and agent."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memoryhub.models import MemoryItem
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import poison
from tests.reviews.rows import make_item, make_owner, make_version


def walk(client: Client, query: str) -> list[Any]:
    """Every memory of the list, page after page, to its end."""
    found, cursor = [], ""
    while True:
        page = client.get(f"/memories/?{query}&cursor={cursor}").context["page"]
        found += [row.memory for row in page.rows]
        cursor = page.older
        if not cursor:
            return found


def many(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for number in range(30):
        make_item(
            owner,
            f"sentence {number}",
            importance=(number % 7) / 10,
            confidence=(number % 3) / 3,
            strength_anchor=(number % 5) / 5,
        )


@pytest.mark.parametrize("sort", ["importance", "confidence", "strength", "learned"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_sorted_list_shows_every_row_once_in_order(desk: Desk, sort: str, sign: str) -> None:
    many(desk)
    column = {"strength": "strength_anchor", "learned": "known_from"}.get(sort, sort)
    found = walk(desk.client(), f"sort={sign}{sort}")
    assert len({item.id for item in found}) == len(found) == 30
    values = [(getattr(item, column), item.id) for item in found]
    assert values == sorted(values, reverse=not sign)


def test_the_way_back_shows_the_page_before(desk: Desk) -> None:
    many(desk)
    client = desk.client()
    first = client.get("/memories/?sort=importance").context["page"]
    second = client.get(f"/memories/?sort=importance&cursor={first.older}").context["page"]
    back = client.get(f"/memories/?sort=importance&cursor={second.newer}").context["page"]
    assert [row.memory.id for row in back.rows] == [row.memory.id for row in first.rows]


def test_a_column_turns_round_and_keeps_the_filter(desk: Desk) -> None:
    many(desk)
    page = desk.client().get("/memories/?sort=importance&importance=0.3").content.decode()
    assert 'href="?sort=-importance&amp;importance=0.3" ' in page
    assert 'aria-current="true"' in page
    assert '<input type="hidden" name="sort" value="importance"' in page


def test_an_order_that_is_none_is_the_usual_one_and_a_wrong_place_is_refused(desk: Desk) -> None:
    many(desk)
    client = desk.client()
    usual = [row.memory.id for row in client.get("/memories/").context["page"].rows]
    assert [row.memory.id for row in client.get("/memories/?sort=owner;drop").context["page"].rows] == usual
    older = client.get("/memories/").context["page"].older
    assert client.get(f"/memories/?sort=importance&cursor={older}").status_code == 400


def test_memories_are_counted_by_kind_and_agent_under_the_filter(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    poison(desk.elsewhere, "foreign")
    make_item(told.owner, "A walk in the park", kind="episodic")
    make_version(told.owner, "Leeds")
    counts = client.get("/memories/").context["counts"]
    said = [(count.kind, count.agent, count.number) for count in counts]
    bad = f"support-bot {told.owner.ref}"
    assert sorted(said) == [
        ("episodic", "", 1),
        ("field", "", 1),
        ("field", bad, 1),
        ("semantic", "", 1),
        ("semantic", bad, 1),
    ]
    standing = MemoryItem.objects.filter(workspace_id=desk.workspace.id, status="active").count()
    assert sum(number for kind, _agent, number in said if kind != "field") == standing
    only = client.get("/memories/?kind=episodic").context["counts"]
    assert [(count.kind, count.number) for count in only] == [("episodic", 1)]


def test_the_chart_holds_the_numbers_of_the_table(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    [chart] = client.get("/charts/memories/?kind=semantic").json()["data"]
    assert dict(zip(chart["y"], chart["x"], strict=True)) == {
        "semantic": 1,
        f"semantic · support-bot {told.owner.ref}": 1,
    }
    page = client.get("/memories/?kind=semantic").content.decode()
    assert "/charts/memories/?kind=semantic" in page and "By kind and agent" in page
