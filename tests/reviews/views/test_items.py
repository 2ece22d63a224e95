from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.urls import reverse

from memoryhub.models import MemoryItem
from tests.reviews.conftest import Desk
from tests.reviews.rows import NOON, make_item, make_owner, writing


def test_only_current_items_are_shown_unless_asked(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_item(owner, "likes tea")
    make_item(owner, "liked coffee", status="retracted", kind="episodic")
    client, address = desk.client(), reverse("reviews:items", args=[owner.id])

    def found(query: str) -> list[str]:
        return [row.item.content for row in client.get(address + query).context["page"].rows]

    assert found("") == ["likes tea"]
    assert found("?status=retracted") == ["liked coffee"]
    assert found("?status=all") == ["liked coffee", "likes tea"]
    assert found("?status=all&kind=semantic") == ["likes tea"]
    assert found("?status=all&q=TEA") == ["likes tea"]
    assert found("?q=100%25") == []


def test_pages_neither_repeat_nor_skip_while_items_come_and_go(desk: Desk) -> None:
    """B46, with rows that vanish: three already seen are retracted, five newer ones arrive."""
    owner = make_owner(desk.workspace)
    original = [make_item(owner, f"item {number}").id for number in range(120)]
    client, address = desk.client(), reverse("reviews:items", args=[owner.id])
    seen: list[UUID] = []
    cursor = ""
    while True:
        page = client.get(address, {"cursor": cursor}).context["page"]
        seen += [row.item.id for row in page.rows]
        for number in range(5):
            make_item(owner, f"newer {number}")
        with writing(owner):
            MemoryItem.objects.of(owner.id).filter(id__in=seen[:3]).update(status="retracted")
        if not page.older:
            break
        cursor = page.older
    assert sorted(map(str, seen)) == sorted(map(str, original))


def test_the_items_of_another_time_are_those_that_held_then(desk: Desk) -> None:
    owner = make_owner(desk.workspace, time_zone="UTC")
    monday, friday = NOON, NOON + timedelta(days=4)
    make_item(
        owner,
        "works in York",
        valid_from=monday,
        known_from=monday,
        valid_until=friday,
        closed_at=friday,
        status="historical",
    )
    make_item(owner, "works in Leeds", valid_from=friday, known_from=friday)
    make_item(
        owner,
        "works on the moon",
        valid_from=monday,
        known_from=monday,
        known_until=friday,
        status="retracted",
    )
    client, address = desk.client(), reverse("reviews:items", args=[owner.id])

    def found(query: str = "") -> set[str]:
        return {row.item.content for row in client.get(address + query).context["page"].rows}

    tuesday = (NOON + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert found() == {"works in Leeds"}
    assert found(f"?valid_at={tuesday}") == {"works in York"}
    assert found(f"?valid_at={tuesday}&known_at={tuesday}") == {"works in York", "works on the moon"}
    assert found(f"?valid_at={tuesday}&q=moon") == set()
    page = client.get(f"{address}?valid_at={tuesday}&q=moon").content.decode()
    assert "Nothing you do here changes that past." in page and "No items then" in page
