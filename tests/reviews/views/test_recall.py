from __future__ import annotations

import pytest
from django.urls import reverse

from memoryhub.models import Owner, Recall
from tests.builders import make_source
from tests.recall.stories import begin
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_owner, make_version


def address_of(owner: Owner) -> str:
    return reverse("reviews:recall", args=[owner.id])


def test_without_a_question_it_explains_itself(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    page = desk.client().get(address_of(owner)).content.decode()
    assert "Ask as an agent would" in page
    assert not Recall.objects.filter(owner_id=owner.id).exists()


def test_it_shows_what_an_agent_is_served_and_why(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_version(owner, "nuts", field="user_profile.allergies", importance=0.95, value_key="nuts")
    response = desk.client().get(address_of(owner), {"q": "which snacks?"})
    seen = response.context["seen"]
    assert "nuts" in seen.answer.served[0].text
    page = response.content.decode()
    assert "nuts" in page
    assert "What the score is made of" in page
    assert "The text the agent gets" in page
    assert f"of {seen.answer.budget_tokens}" in page


def test_the_look_is_logged_as_the_persons(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    desk.client().get(address_of(owner), {"q": "which snacks?"})
    row = Recall.objects.get(owner_id=owner.id)
    assert (row.user_id, row.agent_id, row.query) == (desk.operator.pk, None, "which snacks?")


def test_nothing_known_is_said(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    page = desk.client().get(address_of(owner), {"q": "which snacks?"}).content.decode()
    assert "Nothing is served" in page
    assert "The agent gets no memory for this question." in page


def test_a_frozen_owner_is_said(desk: Desk) -> None:
    owner = make_owner(desk.workspace, state="frozen")
    page = desk.client().get(address_of(owner), {"q": "which snacks?"}).content.decode()
    assert "an agent gets nothing" in page


@pytest.mark.parametrize("query", ["x" * 2001, "\ud800 what", "a\0b", "  "])
def test_a_question_that_cannot_be_asked_is_no_error(desk: Desk, query: str) -> None:
    from urllib.parse import quote

    owner = make_owner(desk.workspace)
    encoded = quote(query.encode("utf-8", "surrogatepass"))
    assert desk.client().get(f"{address_of(owner)}?q={encoded}").status_code == 200


def test_what_was_left_out_is_shown_with_its_words_and_the_rule(desk: Desk) -> None:
    source = make_source(desk.workspace)
    story = begin(source=source, ref="customer", locale="en")
    story.say("My delivery address is 1 Mill Lane", "I misspoke, my delivery address is 8 Park Road")
    response = desk.client().get(address_of(story.owner), {"q": "where to deliver"})
    seen = response.context["seen"]
    assert any("8 Park Road" in served.text for served in seen.answer.served)
    (replaced,) = [row for row in seen.left_out if row.rule == "superseded"]
    assert replaced.text == "My delivery address is 1 Mill Lane"
    page = response.content.decode()
    assert "what it says was replaced" in page
    assert "My delivery address is 1 Mill Lane" in page
