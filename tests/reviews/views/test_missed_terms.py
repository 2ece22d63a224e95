"""The page of what was asked for in vain."""

from __future__ import annotations

from django.urls import reverse

from memoryhub.models import FieldDefinition, WhitelistEdit
from tests.reviews.conftest import Desk
from tests.reviews.whitelist_pages import ask, stock

MISSES = reverse("reviews:missed_terms")


def test_nothing_in_vain_is_said(desk: Desk) -> None:
    assert "Nothing was asked for in vain" in desk.client(desk.viewer).get(MISSES).content.decode()


def test_one_click_makes_an_alias_and_the_term_is_gone(desk: Desk) -> None:
    told = stock(desk)
    client = desk.client()
    assert "dwelling" in client.get(MISSES).content.decode()
    city = FieldDefinition.objects.get(form_type__workspace=desk.workspace, name="location")
    answer = client.post(
        reverse("reviews:make_alias"), {"term": "dwelling", "field": city.id, "asked": "3"}, follow=True
    )
    page = answer.content.decode()
    assert "“dwelling” names Home town now; the next recall finds it." in page
    assert ">dwelling</td>" not in page
    edit = WhitelistEdit.objects.get(action="alias")
    assert (edit.reason, edit.user_id) == ("asked for in 3 recalls", desk.operator.pk)
    ask(told.owner, "What is my dwelling?")
    assert ">dwelling</td>" not in client.get(MISSES).content.decode()


def test_a_wrong_click_does_nothing_and_says_why(desk: Desk) -> None:
    stock(desk)
    client, make = desk.client(), reverse("reviews:make_alias")
    email = FieldDefinition.objects.get(form_type__workspace=desk.workspace, name="email")
    foreign = FieldDefinition.objects.get(form_type__workspace=desk.elsewhere, name="email")
    for sent, said in (
        ({"term": "dwelling", "field": ""}, "Choose the field"),
        ({"term": "dwelling", "field": foreign.id}, "no such field"),
        ({"term": "address", "field": email.id}, "names the field contact.address already"),
    ):
        assert said in client.post(make, sent, follow=True).content.decode()
    assert not WhitelistEdit.objects.filter(action="alias").exists()
