from __future__ import annotations

import pytest
from django.test import Client

from tests.reviews.conftest import Desk


def test_a_theme_is_remembered_and_drawn(desk: Desk) -> None:
    client = desk.client()
    response = client.post("/preference/", {"theme": "dark", "next": "/owners/"})
    assert response["Location"] == "/owners/"
    assert 'data-bs-theme="dark"' in client.get("/owners/").content.decode()


def test_what_is_not_on_the_list_is_not_remembered(desk: Desk) -> None:
    client = desk.client()
    client.post("/preference/", {"theme": "<script>"})
    assert "desk_theme" not in client.cookies


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_it_leads_nowhere_else(desk: Desk, wanted: str) -> None:
    assert Client().post("/preference/", {"theme": "dark", "next": wanted})["Location"] == "/"


def test_it_rejects_get(desk: Desk) -> None:
    assert Client().get("/preference/").status_code == 405


def test_single_letters_can_be_switched_off(desk: Desk) -> None:
    client = desk.client()
    client.post("/preference/", {"shortcuts": "off"})
    assert 'data-shortcuts="off"' in client.get("/").content.decode()


def test_the_language_can_be_changed(desk: Desk) -> None:
    client = desk.client()
    client.post("/i18n/setlang/", {"language": "zh-hans", "next": "/"})
    page = client.get("/owners/").content.decode()
    assert '<html lang="zh-Hans"' in page
    assert "归属者" in page
