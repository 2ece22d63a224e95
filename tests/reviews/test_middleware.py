"""What every staff page has in common."""

from __future__ import annotations

from django.test import Client

from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.story import tell


def test_no_page_is_kept_by_a_cache(desk: Desk) -> None:
    owner = tell(desk.workspace)["customer"]
    for address in [*all_pages(owner).values(), "/charts/events-per-day/", "/nothing/", "/login/"]:
        response = desk.client().get(address)
        assert response["Cache-Control"] == "no-store", address
        assert "HX-Request" in response["Vary"], address


def test_every_page_carries_the_policy(desk: Desk) -> None:
    owner = tell(desk.workspace)["customer"]
    for address in [*all_pages(owner).values(), "/nothing/"]:
        policy = desk.client().get(address)["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_an_expired_session_is_said_to_htmx_in_its_own_words(desk: Desk) -> None:
    response = Client().get("/owners/", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
    assert response.status_code == 204
    assert response["HX-Redirect"] == "/login/"


def test_htmx_gets_only_the_part_it_replaces(desk: Desk) -> None:
    response = desk.client().get("/owners/", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
    page = response.content.decode()
    assert 'id="results"' in page
    assert "<html" not in page


def test_the_back_button_gets_a_whole_page(desk: Desk) -> None:
    headers = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-History-Restore-Request": "true"}
    assert "<html" in desk.client().get("/owners/", headers=headers).content.decode()
