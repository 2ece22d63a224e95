"""The memory page: both clocks, both chains of derivation, and when it was told."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from memoryhub.changes.derivations import derive_item
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import Poisoned, field, poison, serve


def page_of(desk: Desk, told: Poisoned, memory_id: Any) -> Any:
    return desk.client().get(reverse("reviews:memory", args=[told.owner.id, memory_id]))


def test_each_version_has_a_bar_per_clock_and_a_row(desk: Desk) -> None:
    told = poison(desk.workspace)
    answer = page_of(desk, told, told.version_id)
    page = answer.content.decode()
    lanes = answer.context["lanes"].lanes
    assert [lane.row.version for lane in lanes] == [2, 1]
    assert page.count('class="lane-world" x=') == page.count('class="lane-belief" x=') == 2
    older = lanes[1]
    assert older.world.until == lanes[0].row.valid_from and older.belief.until is None


def test_derivation_is_followed_to_its_end_both_ways(desk: Desk) -> None:
    told = poison(desk.workspace)
    far = derive_item(
        workspace_id=desk.workspace.id,
        owner_id=told.owner.id,
        content="夜间外呼名单应包含此客户",
        source_item_ids=[told.derived_id],
        source_version_ids=[told.version_id],
    )
    down = page_of(desk, told, told.item_id).context["detail"].derivation
    assert [(step.memory.id, step.depth) for step in down.led_to] == [
        (told.derived_id, 1),
        (far.target_id, 2),
    ]
    assert down.rests_on == []
    answer = page_of(desk, told, far.target_id)
    up = {step.memory.id: step.depth for step in answer.context["detail"].derivation.rests_on}
    assert up == {told.derived_id: 1, told.version_id: 1, told.item_id: 2}
    assert "2 steps away" in answer.content.decode()


def test_recalls_are_counted_per_day_and_as_numbers(desk: Desk) -> None:
    told = poison(desk.workspace)
    answer = page_of(desk, told, told.item_id)
    detail = answer.context["detail"]
    assert detail.times_served == 2
    assert [number for _day, number in detail.per_day if number] == [2]
    assert 'class="spark"' in answer.content.decode()
    field(told.owner, "Oslo", by=told.good, name="location")
    unserved = page_of(desk, told, told.derived_id)
    assert unserved.context["detail"].times_served == 1
    serve(told.owner, told.agent, [told.derived_id], session="again")
    assert page_of(desk, told, told.derived_id).context["detail"].times_served == 2


def test_a_memory_that_was_never_told_has_no_chart(desk: Desk) -> None:
    told = poison(desk.workspace)
    new = field(told.owner, "Oslo", by=told.good, name="location")
    page = page_of(desk, told, new.target_id).content.decode()
    assert "No recall has served it." in page
    assert 'class="spark"' not in page
