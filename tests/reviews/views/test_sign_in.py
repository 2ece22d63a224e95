from __future__ import annotations

from django.test import Client

from memoryhub.staff import add_staff
from tests.reviews.conftest import Desk


def test_a_person_signs_in_and_out(desk: Desk) -> None:
    user, password = add_staff(username="nina", roles=["viewer"])
    client = Client()
    response = client.post(
        "/login/?next=/owners/", {"username": "nina", "password": password, "next": "/owners/"}
    )
    assert response["Location"] == "/owners/"
    assert client.post("/logout/")["Location"] == "/login/"
    assert client.get("/owners/").status_code == 302
    assert user.is_active


def test_a_wrong_password_is_said_without_naming_the_fault(desk: Desk) -> None:
    page = Client().post("/login/", {"username": "olga", "password": "wrong"}).content.decode()
    unknown = Client().post("/login/", {"username": "nobody", "password": "wrong"}).content.decode()
    assert 'role="alert"' in page
    assert page.count("password") == unknown.count("password")


def test_five_wrong_passwords_lock_the_account_for_that_address(desk: Desk) -> None:
    client = Client()
    for _ in range(5):
        response = client.post("/login/", {"username": "olga", "password": "wrong"})
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()
    other_person = client.post("/login/", {"username": "vera", "password": "wrong"})
    assert other_person.status_code == 200


def test_it_does_not_lead_to_another_site(desk: Desk) -> None:
    _user, password = add_staff(username="nina", roles=["viewer"])
    form = {"username": "nina", "password": password, "next": "https://evil.example/"}
    assert Client().post("/login/", form)["Location"] == "/"
