"""The policy pages: proposed by one, decided by another, never by one person alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from memoryhub.models import Agent, PolicyVersion
from memoryhub.policies import Policy, current_policy
from memoryhub.policy_rules import editable_names
from memoryhub.policy_versions import draft_policy
from tests.builders import make_source, put_policy
from tests.reviews.conftest import Desk
from tests.reviews.whitelist_pages import approver, propose, stock

NEW = reverse("reviews:policy_new")


def sent(**changes: Any) -> dict[str, Any]:
    """The form of a policy as a browser sends it."""
    numbers = {name: getattr(Policy(), name) for name in editable_names()}
    return {**numbers, "name": "stricter", "reason": "too much noise", **changes}


def decide(
    client: Client, version: PolicyVersion, decision: str = "approve", reason: str = "agreed"
) -> HttpResponse:
    """The answer to a decision; for one that was taken, the page it leads to."""
    address = reverse("reviews:policy_decide", args=[version.number])
    return client.post(address, {"decision": decision, "reason": reason}, follow=True)  # type: ignore[return-value]


def test_a_policy_is_proposed_and_approved_by_another_person(desk: Desk) -> None:
    client = desk.client()
    answer = client.post(NEW, sent(least_confidence=0.75, propose="1"))
    assert (answer.status_code, answer["Location"]) == (302, reverse("reviews:policy", args=[2]))
    page = client.get(answer["Location"]).content.decode()
    assert "waits for a second person" in page and "An approver has to decide" not in page
    assert "another person has to decide" in page
    version = PolicyVersion.objects.get(number=2, workspace=desk.workspace)
    assert decide(client, version).status_code == 403  # no approver
    second = desk.client(approver(desk))
    assert "in force" in decide(second, version).content.decode()
    assert current_policy(workspace_id=desk.workspace.id).policy.least_confidence == 0.75


def test_an_approver_does_not_decide_about_his_own(desk: Desk) -> None:
    anna = approver(desk)
    client = desk.client(anna)
    client.post(NEW, sent(least_confidence=0.75, propose="1"))
    version = PolicyVersion.objects.get(number=2, workspace=desk.workspace)
    for decision in ("approve", "reject"):
        answer = decide(client, version, decision)
        assert answer.status_code == 403
        assert "another person has to decide" in answer.content.decode()
    version.refresh_from_db()
    assert version.state == "proposed"


def test_looking_replays_and_keeps_nothing(desk: Desk) -> None:
    stock(desk, writes=3)
    answer = desk.client().post(NEW, sent(least_confidence=0.75, name="", reason="", look="1"))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "3 fewer would be stored at once" in page
    assert "<del>0.6</del>" in page and "<ins>0.75</ins>" in page
    assert PolicyVersion.objects.filter(workspace=desk.workspace).count() == 2  # the stocked proposal


def test_the_page_of_a_proposal_says_what_it_would_change(desk: Desk) -> None:
    told = stock(desk, writes=2)
    page = desk.client(desk.viewer).get(reverse("reviews:policy", args=[told.proposal.number])).content
    assert "2 fewer would be stored at once" in page.decode()
    assert "Fragments in an answer" in page.decode()  # named as not replayed


def test_numbers_out_of_bounds_are_named_at_their_place(desk: Desk) -> None:
    answer = desk.client().post(NEW, sent(least_confidence=2, weight_meaning=0.9, propose="1"))
    assert answer.status_code == 422
    assert 'id="id_least_confidence_error"' in answer.content.decode()
    answer = desk.client().post(NEW, sent(weight_meaning=0.9, propose="1"))
    assert "must add up to 1" in answer.content.decode()
    answer = desk.client().post(NEW, sent(propose="1"))
    assert (answer.status_code, "Nothing would change" in answer.content.decode()) == (422, True)
    assert PolicyVersion.objects.filter(workspace=desk.workspace).count() == 1


def test_a_draft_is_proposed_or_withdrawn_by_its_author_only(desk: Desk) -> None:
    client = desk.client()
    client.post(NEW, sent(top_k=7, draft="1"))
    move = reverse("reviews:policy_move", args=[2])
    other = desk.client(approver(desk))
    assert "Only who wrote it" in other.post(move, {"to": "withdrawn"}, follow=True).content.decode()
    client.post(move, {"to": "proposed"})
    assert PolicyVersion.objects.get(number=2, workspace=desk.workspace).state == "proposed"
    client.post(move, {"to": "withdrawn"})
    assert "not in that state" in client.post(move, {"to": "withdrawn"}, follow=True).content.decode()
    assert (
        "not in that state"
        in decide(other, PolicyVersion.objects.get(number=2, workspace=desk.workspace)).content.decode()
    )


def test_a_rejection_needs_a_reason_and_keeps_it(desk: Desk) -> None:
    version, client = propose(desk), desk.client(approver(desk))
    assert decide(client, version, "reject", reason="").status_code == 422
    page = decide(client, version, "reject", reason="too strict").content.decode()
    assert "too strict" in page and "rejected" in page


def test_what_was_overtaken_cannot_be_approved_and_is_proposed_again(desk: Desk) -> None:
    version, client = propose(desk), desk.client(approver(desk))
    put_policy(workspace_id=desk.workspace.id, top_k=9)
    answer = decide(client, version)
    assert answer.status_code == 409
    assert "?from=2" in answer.content.decode()
    again = client.get(f"{NEW}?from=2").content.decode()
    assert 'value="0.75"' in again


def test_an_earlier_version_comes_back_as_a_new_one(desk: Desk) -> None:
    anna = approver(desk)
    version = propose(desk)
    decide(desk.client(anna), version)
    page = desk.client().get(reverse("reviews:policy", args=[1])).content.decode()
    assert "Bring these numbers back" in page
    assert 'value="0.6"' in desk.client().get(f"{NEW}?from=1").content.decode()


def test_agents_that_the_rule_moved_are_named(desk: Desk) -> None:
    source = make_source(desk.workspace)
    put_policy(workspace_id=desk.workspace.id, gated_agents=[str(source.agent_id)])
    page = desk.client(desk.viewer).get(reverse("reviews:policy", args=[2]) + "?against=1").content.decode()
    assert f"<ins>{Agent.objects.get(workspace=desk.workspace).name}</ins>" in page


def test_two_versions_are_compared(desk: Desk) -> None:
    propose(desk)
    draft_policy(
        workspace_id=desk.workspace.id,
        user_id=desk.operator.pk,
        name="other",
        values={"budget_tokens": 900},
        reason="x",
    )
    page = desk.client(desk.viewer).get(reverse("reviews:policy", args=[3]) + "?against=2").content.decode()
    assert "Against version 2" in page and "<ins>900</ins>" in page and "<del>4</del>" in page


def test_versions_are_paged_and_foreign_ones_not_found(desk: Desk) -> None:
    for _ in range(30):
        put_policy(workspace_id=desk.workspace.id)
    client = desk.client(desk.viewer)
    page = client.get(reverse("reviews:policies")).content.decode()
    assert page.count("<tr data-row") == 25
    older = page.split("?cursor=")[1].split('"')[0]
    assert (
        client.get(reverse("reviews:policies") + f"?cursor={older}").content.decode().count("<tr data-row")
        == 6
    )
    for number in (999, 10**12):
        assert client.get(reverse("reviews:policy", args=[number])).status_code == 404
    assert desk.client(desk.stranger).get(reverse("reviews:policy", args=[5])).status_code == 404
