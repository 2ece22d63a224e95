from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from memoryhub.changes.deciding import approve, reject
from memoryhub.changes.undoing import undo
from memoryhub.models import AuditEntry, PolicyVersion, Review
from memoryhub.policies import current_policy
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, reviewer

STATS = "/review/stats/"


def sampled(world: Reviewing, *, kept: int, taken_back: int) -> None:
    """Decided patrol samples of the agent: the same change may be sampled in a test as often as needed."""
    change = world.live()
    now = timezone.now()
    outcomes = ["reaffirmed"] * kept + ["retracted"] * taken_back
    Review.objects.bulk_create(
        Review(
            owner_id=change.owner_id, workspace_id=change.workspace_id, change_id=change.id, kind="patrol",
            risk=0.1, state="decided", outcome=outcome, decided_at=now, decided_by_id=1, four_eyes=False,
        )
        for outcome in outcomes
    )  # fmt: skip


def test_waits_reasons_and_overturned_decisions(desk: Desk) -> None:
    world, rita = Reviewing(desk), reviewer(desk)
    reviews = [world.allergy(f"food {number}") for number in range(4)]
    for hours, review in enumerate(reviews, start=1):
        Review.objects.of(world.owner.id).filter(id=review.id).update(
            created_at=timezone.now() - timedelta(hours=hours)
        )
    for review in reviews[:2]:
        approve(decider=decider(rita, review))
    for review in reviews[2:]:
        reject(decider=decider(rita, review), reason_code="joke_or_sarcasm")
    undo(decider=decider(rita, reviews[3]))
    response = desk.client(desk.viewer).get(STATS)
    stats = response.context["stats"]
    assert (stats.decided, stats.undone) == (3, 1)
    waited = [round(length.total_seconds() / 3600, 1) for length in (stats.waits.p50, stats.waits.mean)]
    assert waited == [2.0, 2.0]
    assert sum(day.waits.number for day in stats.days) == 3
    assert stats.reasons == [("joke_or_sarcasm", 2)]
    assert sum(day.opened for day in stats.days) == 4
    page = response.content.decode()
    assert "rates are not" in page and "joke or sarcasm" in page


def test_charts_hold_the_numbers_of_the_tables(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    reject(decider=decider(reviewer(desk), review), reason_code="duplicate")
    flow = desk.client().get(reverse("reviews:review_flow")).json()
    assert [sum(trace["y"]) for trace in flow["data"]] == [1, 1]
    waits = desk.client().get(reverse("reviews:review_waits")).json()
    assert [sum(value is not None for value in trace["y"]) for trace in waits["data"]] == [1, 1]
    overturned = desk.client().get(reverse("reviews:review_overturned")).json()
    assert len(overturned["data"][0]["y"]) == 4 and sum(overturned["data"][0]["x"]) == 0
    reasons = desk.client().get(reverse("reviews:review_reasons")).json()
    assert (reasons["data"][0]["x"], reasons["data"][0]["y"]) == ([1], ["already known"])


def test_the_rule_moves_agents_and_their_next_write_waits(desk: Desk) -> None:
    bad, good = Reviewing(desk), Reviewing(desk, ref="user-2")
    sampled(bad, kept=18, taken_back=2)
    sampled(good, kept=50, taken_back=0)
    versions = PolicyVersion.objects.filter(workspace=desk.workspace)
    before = versions.count()
    page = desk.client().get(STATS).content.decode()
    assert "should wait for a person" in page and "may go live at once" in page
    assert desk.client(desk.viewer).post(reverse("reviews:move_agents")).status_code == 403
    desk.client().post(reverse("reviews:move_agents"))
    policy = current_policy(workspace_id=desk.workspace.id).policy
    assert list(policy.gated_agents) == [str(bad.source.agent_id)]
    assert AuditEntry.objects.filter(action="policy.agents_moved").count() == 1
    assert bad.live("Another sentence that matters").state == "proposed"
    assert good.live("Yet another sentence that matters").state == "applied"
    desk.client().post(reverse("reviews:move_agents"))
    assert versions.count() == before + 1


def test_how_second_looks_went(desk: Desk) -> None:
    world = Reviewing(desk)
    anna, ben = reviewer(desk, "anna"), reviewer(desk, "ben")
    agreed, refused = world.rule(), world.rule("推荐里不能有花生")
    for review in (agreed, refused):
        approve(decider=decider(anna, review))
    approve(decider=decider(ben, agreed))
    reject(decider=decider(ben, refused), reason_code="wrong_owner")
    sampled(world, kept=2, taken_back=1)
    stats = desk.client().get(STATS).context["stats"]
    assert (stats.agreed, stats.seconded, stats.agreement_rate) == (1, 2, None)
    assert dict(stats.overturns) == {"undone": 0, "rolled_back": 0, "taken_back": 1, "not_seconded": 1}


def test_nothing_decided_yet(desk: Desk) -> None:
    page = desk.client().get(STATS).content.decode()
    assert "Nothing decided yet" in page and "No sample was decided" in page
