from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from memoryhub.changes.deciding import reject
from memoryhub.models import Change, Owner, Recall, RejectReason, Review
from memoryhub.writing.read_by import rules_version
from memoryhub.writing.structured import write_memory
from tests.jobs.waiting import work_off_the_queue
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import JOKE, QUOTE, Reviewing, decider, page_of, reviewer


def html(desk: Desk, review: Review, query: str = "") -> str:
    return desk.client().get(page_of(review) + query).content.decode()


def test_the_quote_stands_marked_between_its_turns(desk: Desk) -> None:
    world = Reviewing(desk, trust_tier=2)
    _before, event, _after = world.say("要不要来杯咖啡？", JOKE, "好的，我记下了")
    review = world.allergy("咖啡", evidence_event_id=event, quote=QUOTE)
    page = html(desk, review)
    assert f"<mark>{QUOTE}</mark>" in page
    assert "要不要来杯咖啡" in page and "好的，我记下了" in page
    assert f"/owners/{world.owner.id}/timeline/?session=s-1" in page
    assert "Nothing can be approved" not in page


def test_evidence_that_does_not_match_disables_approving(desk: Desk) -> None:
    world = Reviewing(desk)
    (event,) = world.say("我对坚果过敏")
    review = world.allergy("花生", evidence_event_id=event, quote="我对花生过敏")
    page = html(desk, review)
    assert "The quoted words are not in the event" in page
    assert 'value="approve" disabled' in page
    assert "Approve with an edit" not in page
    assert "Quoted as" in page


def test_every_reason_has_a_key_of_its_own(desk: Desk) -> None:
    keys = dict(desk.client().get(page_of(Reviewing(desk).allergy())).context["reasons"])
    assert set(keys) == set(RejectReason.values)
    assert sorted(keys.values()) == sorted("1234567890-=")
    assert (keys["joke_or_sarcasm"], keys["other"]) == ("3", "0")


def test_rules_proposer_and_numbers_without_a_rate(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    page = html(desk, review)
    assert "no evidence" in page
    assert "half its importance" in page
    assert "n = 0, too few for a rate" in page
    agent = desk.client().get(page_of(review)).context["item"].proposer.agent
    assert agent.id == world.source.agent_id and agent.name in page
    assert "Not served to anyone" in page


def test_what_read_the_words_is_named_with_its_version(desk: Desk) -> None:
    world = Reviewing(desk)
    written = world.allergy()
    assert "nobody: written as it stands" in html(desk, written)
    (event,) = world.say("I am allergic to nuts")
    named = world.allergy("花生", evidence_event_id=event, quote="peanuts")
    work_off_the_queue()
    assert "nobody: written as it stands" in html(desk, named)
    read = Change.objects.of(world.owner.id).filter(event_id=event, change_set__act="process_event")
    sampled = world.sample(read[0])
    assert desk.client().get(page_of(sampled)).context["item"].proposer.extractor == rules_version()
    assert rules_version() in html(desk, sampled)


def test_neighbours_and_earlier_decisions_are_shown(desk: Desk) -> None:
    world = Reviewing(desk)
    old, other, review = world.allergy("花生"), world.allergy("芝麻"), world.allergy("坚果")
    reject(decider=decider(reviewer(desk), old, note="he laughed"), reason_code="joke_or_sarcasm")
    item = desk.client().get(page_of(review)).context["item"]
    assert [row.id for row in item.proposals] == [other.id]
    assert [(e.review.id, e.reason_code, e.by) for e in item.earlier] == [(old.id, "joke_or_sarcasm", "rita")]
    page = html(desk, review)
    assert "joke or sarcasm" in page and "he laughed" in page


def test_memories_in_similar_words_are_shown_beside_those_of_the_same_subject(desk: Desk) -> None:
    world = Reviewing(desk)
    world.live("He hates peanuts in his noodles")
    world.live("The office is in Lisbon")
    review = world.review_of(
        write_memory(
            owner_id=world.owner.id,
            content="He hates peanuts in his noodles and soups",
            item_kind="procedural",
            source=world.source,
        )
    )
    item = desk.client().get(page_of(review)).context["item"]
    assert [row.entry.text for row in item.similar] == ["He hates peanuts in his noodles"]
    page = html(desk, review)
    assert "In similar words" in page and f"/memories/{item.similar[0].entry.target_id}/" in page
    neighbour = desk.client().get(page_of(world.allergy())).context["item"]
    assert neighbour.similar == []


def test_what_is_live_has_its_blast_radius(desk: Desk) -> None:
    world = Reviewing(desk)
    change = world.live()
    line = {"ids": [str(change.target_id)], "tokens": 9}
    for session in ("a", "b", "b"):
        Recall.objects.create(
            owner=world.owner, workspace_id=desk.workspace.id, served=[line], session_ref=session
        )
    page = html(desk, world.sample(change, kind="recheck"))
    assert "Served in 3 recalls" in page and "in 2 sessions" in page
    assert page.count("<rect") == 1 and "on each of the last 30 days" in page
    assert "What is live" in page and "It holds" in page and "Take it back" in page


def test_the_proposal_is_diffed_against_what_holds_now(desk: Desk) -> None:
    world = Reviewing(desk)
    low = Reviewing(desk, ref="user-1", trust_tier=2)
    office: dict[str, Any] = {"item_kind": "semantic", "subject_entity": "office", "attribute": "city"}
    given = {**office, "owner_id": world.owner.id}
    write_memory(content="办公室在上海浦东", value="上海浦东", source=world.source, **given)
    review = world.review_of(
        write_memory(content="办公室在上海徐汇", value="上海徐汇", source=low.source, **given)
    )
    page = html(desk, review)
    assert "办公室在上海<del>浦东</del><ins>徐汇</ins>" in page


def test_focus_claims_and_a_plain_look_does_not(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    assert "Take it" in html(desk, review)
    assert Review.objects.of(review.owner_id).get().claimed_by_id is None
    assert "you work on it" in html(desk, review, "?focus=1")
    desk.client(desk.viewer).get(page_of(review) + "?focus=1")
    assert Review.objects.of(review.owner_id).get().claimed_by_id == desk.operator.pk
    rita = reviewer(desk)
    assert "olga works on it" in desk.client(rita).get(page_of(review) + "?focus=1").content.decode()


@pytest.mark.parametrize("case", ["viewer", "own", "frozen", "decided"])
def test_whoever_may_not_decide_is_told_why(desk: Desk, case: str) -> None:
    world = Reviewing(desk, responsible=desk.operator if case == "own" else None)
    review = world.allergy()
    client, said = desk.client(), ""
    if case == "viewer":
        client, said = desk.client(desk.viewer), "Deciding needs the role"
    elif case == "own":
        said = "somebody else decides it"
    elif case == "frozen":
        said = "The owner is frozen"
        Owner.objects.filter(id=world.owner.id).update(state="frozen")
    else:
        said = "rejected"
        reject(decider=decider(reviewer(desk), review), reason_code="duplicate")
    page = client.get(page_of(review)).content.decode()
    assert said in page
    assert 'value="approve"' not in page


def test_an_erased_owner_is_gone_and_an_unknown_review_is_not_found(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    unknown = reverse("reviews:review_item", args=[world.owner.id, world.owner.id])
    assert desk.client().get(unknown).status_code == 404
    Owner.objects.filter(id=world.owner.id).update(state="erasing")
    response = desk.client().get(page_of(review))
    assert response.status_code == 410
    assert "坚果" not in response.content.decode()
    assert desk.client().get("/review/?tab=all").context["queue"].counts["all"] == 0


def test_the_clock_is_told(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    Review.objects.of(review.owner_id).update(due_at=timezone.now() - timedelta(hours=3))
    assert "3\xa0hours late" in html(desk, review)
