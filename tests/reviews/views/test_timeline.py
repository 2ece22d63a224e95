from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse

from memoryhub.models import Owner, ReviewStep
from tests.reviews.conftest import Desk
from tests.reviews.rows import (
    NOON,
    make_change,
    make_event,
    make_item,
    make_owner,
    make_review,
    writing,
)


def walk(client: Client, address: str, *, between: Any = lambda: None) -> list[Any]:
    """The ids of every page, following 'older' to the end; `between` runs after each page."""
    seen, cursor = [], ""
    while True:
        page = client.get(address, {"cursor": cursor} if cursor else {}).context["page"]
        seen += [(moment.event or moment.change).id for moment in page.rows]
        between()
        if not page.older:
            return seen
        cursor = page.older


def address_of(owner: Owner) -> str:
    return reverse("reviews:timeline", args=[owner.id])


def test_pages_neither_repeat_nor_skip_events_of_one_moment(desk: Desk) -> None:
    """B46: 120 events of one and the same time, five newer ones arriving while somebody pages."""
    owner = make_owner(desk.workspace)
    original = [make_event(owner, f"event {number}").id for number in range(120)]

    def newer() -> None:
        for number in range(5):
            make_event(owner, f"newer {number}", occurred_at=NOON + timedelta(hours=1))

    seen = walk(desk.client(), address_of(owner), between=newer)
    assert sorted(seen) == sorted(original)
    assert len(seen) == len(set(seen))


def test_previous_leads_back_to_the_same_rows(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for number in range(60):
        make_event(owner, f"event {number}")
        make_change(owner, created_at=NOON)
    client, address = desk.client(), address_of(owner)
    first = client.get(address).context["page"]
    second = client.get(address, {"cursor": first.older}).context["page"]
    back = client.get(address, {"cursor": second.newer}).context["page"]
    assert [moment.place for moment in back.rows] == [moment.place for moment in first.rows]
    assert back.newer == ""


def test_events_and_changes_stand_in_one_order(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    old = make_event(owner, occurred_at=NOON)
    change = make_change(owner, created_at=NOON + timedelta(hours=1))
    new = make_event(owner, occurred_at=NOON + timedelta(hours=2))
    assert walk(desk.client(), address_of(owner)) == [new.id, change.id, old.id]


def test_filters(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    said = make_event(owner, session_ref="s 1&2")
    done = make_event(owner, action="decision", role="assistant")
    change = make_change(owner)
    client, address = desk.client(), address_of(owner)
    assert set(walk(client, address)) == {said.id, done.id, change.id}
    assert set(walk(client, f"{address}?kind=events")) == {said.id, done.id}
    assert walk(client, f"{address}?kind=changes") == [change.id]
    assert walk(client, f"{address}?action=decision") == [done.id]
    assert walk(client, f"{address}?role=user") == [said.id]
    assert walk(client, f"{address}?session=s+1%262") == [said.id]
    assert "The filters hide everything" in client.get(f"{address}?role=tool").content.decode()


def test_days_are_those_of_the_owners_zone(desk: Desk) -> None:
    owner = make_owner(desk.workspace, time_zone="Asia/Shanghai")
    make_event(owner, "late", occurred_at=NOON.replace(hour=15, minute=59))
    make_event(owner, "after midnight there", occurred_at=NOON.replace(hour=16, minute=1))
    days = desk.client().get(address_of(owner)).context["days"]
    assert [day.date.isoformat() for day in days] == ["2026-11-21", "2026-11-20"]
    assert "Saturday, 21 November 2026" in desk.client().get(address_of(owner)).content.decode()


def test_days_without_entries_are_counted(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_event(owner, occurred_at=NOON)
    make_event(owner, occurred_at=NOON - timedelta(days=1))
    make_event(owner, occurred_at=NOON - timedelta(days=7))
    days = desk.client().get(address_of(owner)).context["days"]
    assert [day.quiet_days_after for day in days] == [0, 0, 5]


def test_a_wrong_zone_does_not_hide_the_page(desk: Desk) -> None:
    owner = make_owner(desk.workspace, time_zone="Mars/Olympus")
    make_event(owner)
    assert desk.client().get(address_of(owner)).status_code == 200


def test_an_outcome_of_unknown_shape_does_not_hide_the_page(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_event(
        owner, outcome=[{"outcome": "novel", "kind": "form", "code": "never_heard_of", "field": "a.b"}, {}]
    )
    assert "never_heard_of" in desk.client().get(address_of(owner)).content.decode()


def test_the_lanes_show_events_memories_and_people_over_the_time_of_the_page(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for hour in (0, 5, 10):
        make_event(owner, f"event {hour}", occurred_at=NOON + timedelta(hours=hour))
    make_item(owner, "likes tea", valid_from=NOON + timedelta(hours=5), known_from=NOON + timedelta(hours=5))
    make_item(
        owner, "is long over", valid_from=NOON - timedelta(days=9), valid_until=NOON - timedelta(days=8)
    )
    make_item(owner, "was a lie", valid_from=NOON, status="retracted", known_until=NOON)
    review = make_review(make_change(owner, state="proposed", created_at=NOON))
    with writing(owner):
        ReviewStep.objects.create(
            owner=owner, workspace_id=owner.workspace_id, review_id=review.id, action="escalate",
            user_id=desk.operator.pk, version=1, at=NOON + timedelta(hours=10),
        )  # fmt: skip
    lanes = desk.client().get(address_of(owner)).context["lanes"]
    assert lanes.events == [1000, 500, 0]
    assert lanes.people == [1000]
    assert [(lane.row.content, lane.world.start) for lane in lanes.memories] == [("likes tea", 500)]
    then = desk.client().get(address_of(owner), {"known_at": f"{NOON + timedelta(hours=1):%Y-%m-%dT%H:%M}"})
    assert then.context["lanes"].memories == []
    assert desk.client().get(address_of(make_owner(desk.workspace, "new"))).context["lanes"] is None


def test_one_may_jump_to_a_day_of_the_owners_calendar(desk: Desk) -> None:
    owner = make_owner(desk.workspace, time_zone="Asia/Shanghai")
    late = NOON.replace(hour=17)  # 01:00 of the next day in Shanghai
    make_event(owner, "of the day", occurred_at=NOON)
    make_event(owner, "of the next day", occurred_at=late)
    make_change(owner, created_at=late)
    client, address = desk.client(), address_of(owner)

    def found(day: str) -> list[str]:
        rows = client.get(address, {"until": day}).context["page"].rows
        return [row.event.content if row.event else "change" for row in rows]

    assert found(f"{NOON:%Y-%m-%d}") == ["of the day"]
    assert len(found(f"{NOON + timedelta(days=1):%Y-%m-%d}")) == 3
    assert len(found("9999-12-31")) == len(found("no day")) == 3
    assert found("0001-01-01") == []


def test_the_present_view_has_a_link_that_works_without_script(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_event(owner)
    view = f"{address_of(owner)}?kind=events&known_at=2026-11-21T10:00"
    page = desk.client().get(view)
    link = page.context["link"]
    assert link == f"http://testserver{view}"
    assert f'href="{link.replace("&", "&amp;")}" data-copy-link' in page.content.decode()
    assert desk.client().get(link).context["as_of"].is_past
