from __future__ import annotations

from datetime import timedelta

from django.urls import reverse

from tests.reviews.conftest import Desk
from tests.reviews.rows import NOON, make_owner, make_version


def test_the_chain_shows_both_clocks(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    later = NOON + timedelta(days=1)
    old = make_version(owner, "York", valid_until=later, closed_at=later + timedelta(hours=1))
    new = make_version(owner, "Leeds", supersedes=old, valid_from=later)
    response = desk.client().get(reverse("reviews:versions", args=[owner.id, new.form_id, "location"]))
    assert [fact.version.value for fact in response.context["chain"].page.rows] == ["Leeds", "York"]
    page = response.content.decode()
    assert "2026-11-21 12:00" in page
    assert "end learned" in page
    assert 'href="#version-2"' in page


def test_a_long_chain_is_paged(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for number in range(30):
        version = make_version(owner, f"city {number}", status="archived")
    client, address = desk.client(), reverse("reviews:versions", args=[owner.id, version.form_id, "location"])
    first = client.get(address).context["chain"].page
    second = client.get(address, {"cursor": first.older}).context["chain"].page
    numbers = [fact.version.version for fact in [*first.rows, *second.rows]]
    assert numbers == list(range(30, 0, -1))
    back = client.get(address, {"cursor": second.newer}).context["chain"].page
    assert [fact.version.version for fact in back.rows] == numbers[:25]
    assert client.get(address, {"cursor": "WyJvbGRlciIsIngiXQ"}).status_code == 400
