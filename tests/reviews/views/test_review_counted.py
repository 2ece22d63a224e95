"""Every number of the statistics leads to a list that holds exactly as many."""

from __future__ import annotations

import re
from html import unescape

from memoryhub.changes.deciding import approve, reject
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.undoing import undo
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, reviewer
from tests.reviews.views.test_review_stats import STATS, sampled

LINK = re.compile(r'<a href="(/review/counted/\?[^"]+)">(\d+)</a>')


def decided(desk: Desk) -> Reviewing:
    """Approved, rolled back, rejected, undone and rejected again, sampled."""
    world, rita = Reviewing(desk), reviewer(desk)
    reviews = [world.allergy(f"food {number}") for number in range(5)]
    for review in reviews[:2]:
        approve(decider=decider(rita, review))
    scope = RollbackScope(change_ids=(reviews[0].change_id,), owner_ids=(world.owner.id,))
    plan = plan_rollback(workspace_id=desk.workspace.id, scope=scope)
    execute_rollback(
        workspace_id=desk.workspace.id, scope=plan.scope, digest=plan.digest, user_id=desk.operator.pk
    )
    for review in reviews[2:4]:
        reject(decider=decider(rita, review), reason_code="joke_or_sarcasm")
    undo(decider=decider(rita, reviews[3]))
    reviews[3].refresh_from_db()
    reject(decider=decider(rita, reviews[3]), reason_code="joke_or_sarcasm")
    sampled(world, kept=1, taken_back=2)
    return world


def test_each_number_links_to_a_list_of_that_length(desk: Desk) -> None:
    decided(desk)
    client = desk.client(desk.viewer)
    links = LINK.findall(client.get(STATS).content.decode())
    wanted = {"fate=by_people", "fate=undone", "fate=rolled_back", "fate=taken_back", "fate=sampled"}
    assert wanted <= {part for address, _number in links for part in re.split(r"[?&;]", unescape(address))}
    for address, number in links:
        page = client.get(unescape(address))
        assert page.status_code == 200
        assert (address, page.context["total"]) == (address, int(number))
        assert len(page.context["page"].rows) == int(number)


def test_a_rejection_is_counted_as_often_as_it_was_said(desk: Desk) -> None:
    decided(desk)
    page = desk.client().get("/review/counted/?reason=joke_or_sarcasm")
    assert page.context["total"] == 3
    assert page.content.decode().count("joke or sarcasm") >= 3


def test_what_is_no_filter_shows_everything_and_a_stranger_sees_nothing(desk: Desk) -> None:
    decided(desk)
    everything = desk.client().get("/review/counted/").context["total"]
    wrong = desk.client().get("/review/counted/?fate=no&opened=9999-12-31x&agent=x&outcome=%00")
    assert wrong.context["total"] == everything == 7
    assert desk.client().get("/review/counted/?opened=9999-12-31&decided=0001-01-01").status_code == 200
    assert desk.client(desk.stranger).get("/review/counted/").context["total"] == 0
    assert desk.client().get("/review/counted/?cursor=x").status_code == 400
