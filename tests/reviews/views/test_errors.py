from __future__ import annotations

from django.test import Client, RequestFactory
from django.views.defaults import server_error

from tests.reviews.conftest import Desk


def test_an_unknown_address_is_not_found_in_the_readers_language(desk: Desk) -> None:
    client = desk.client()
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert "another workspace" in response.content.decode()
    client.cookies["django_language"] = "zh-hans"
    assert "找不到" in client.get("/nothing/").content.decode()


def test_a_form_without_its_token_is_refused_in_words(desk: Desk) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(desk.operator, backend="django.contrib.auth.backends.ModelBackend")
    response = client.post("/preference/", {"theme": "dark"})
    assert response.status_code == 403
    assert "The form has expired" in response.content.decode()


def test_a_fault_of_the_server_has_a_page_that_needs_nothing() -> None:
    response = server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()


def test_a_wrong_method_is_said(desk: Desk) -> None:
    assert desk.client().post("/owners/").status_code == 405
