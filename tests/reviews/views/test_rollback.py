"""One click, the preview, its execution, the result and its undoing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memoryhub.changes import reverting
from memoryhub.changes.deciding import approve
from memoryhub.changes.rollback_job import run_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Change, Event, FieldVersion, Job, MemoryItem, Owner
from reviews.scope_query import as_query
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import Poisoned, field, poison
from tests.reviews.reviewing import Reviewing, decider, page_of, reviewer


def fields_of(page: str) -> dict[str, Any]:
    """The hidden fields of the page's form that executes a rollback."""
    form = page[page.index("/rollback/execute/") :]
    found = dict(re.findall(r'name="(scope|digest|incident)" value="([^"]*)"', form))
    return {name: value.replace("&quot;", '"') for name, value in found.items()}


def memory_page(owner: Owner, memory_id: Any) -> str:
    return reverse("reviews:memory", args=[owner.id, memory_id])


def press(client: Client, address: str, **more: Any) -> Any:
    """Press the Roll back button of a page."""
    page = client.get(address).content.decode()
    return client.post(reverse("reviews:rollback_execute"), fields_of(page) | more, follow=True)


def sentences(told: Poisoned) -> set[str]:
    rows = MemoryItem.objects.of(told.owner.id).filter(status="active")
    return set(rows.values_list("content", flat=True))


def value(told: Poisoned) -> Any:
    return FieldVersion.objects.of(told.owner.id).get(status="active").value


def test_one_click_on_a_value_says_what_it_does_does_it_and_offers_undo(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    before = value(told)
    page = client.get(memory_page(told.owner, told.version_id)).content.decode()
    assert "Back to “" in page
    assert "served once" in page
    done = press(client, memory_page(told.owner, told.version_id))
    assert done.status_code == 200
    result = done.content.decode()
    assert "The rollback is done." in result
    assert "Undo this rollback:" in result
    assert value(told) != before
    undone = press(client, done.request["PATH_INFO"])
    assert "The rollback is done." in undone.content.decode()
    assert value(told) == before
    assert "undone since" in client.get(done.request["PATH_INFO"]).content.decode()


def test_the_label_counts_what_was_derived_and_served(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = client.get(memory_page(told.owner, told.item_id)).content.decode()
    assert "Take it back; 1 derived, served 2 times" in " ".join(page.split())
    press(client, memory_page(told.owner, told.item_id))
    assert sentences(told) == set()


def test_every_place_has_its_button(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    change = Change.objects.of(told.owner.id).get(target_id=told.version_id)
    for name, row_id in (("change", change.id), ("change_set", change.change_set_id)):
        page = client.get(reverse(f"reviews:{name}", args=[told.owner.id, row_id])).content.decode()
        assert "data-roll-back" in page, name


def test_a_row_shows_its_button_when_it_is_opened(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    query = as_query(RollbackScope(target_ids=(told.version_id,), owner_ids=(told.owner.id,)))
    assert "Back to “" in client.get(f"/rollback/button/?{query}").content.decode()
    assert "Back to “" not in client.get("/changes/").content.decode()
    assert client.get("/rollback/button/").status_code == 400
    assert client.get("/rollback/button/?memory=x").status_code == 400


def test_the_preview_of_an_agent_shows_everything_and_changes_nothing(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    states = list(Change.objects.of(told.owner.id).values_list("id", "state"))
    page = client.get(f"/rollback/new/?agent={told.bad.agent_id}").content.decode()
    for text in ("喜欢半夜接到推销电话", "适合安排夜间电话推销", "derived", "Roll 3 changes back"):
        assert text in page
    assert list(Change.objects.of(told.owner.id).values_list("id", "state")) == states
    assert re.search(
        r'name="reason"[^>]* value="Rolled back 3 changes by support-bot [^"]+, made (between )?\d{4}-', page
    )


def test_a_preview_that_is_out_of_date_answers_409_with_a_new_one(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    address = f"/rollback/new/?agent={told.bad.agent_id}"
    given = fields_of(client.get(address).content.decode())
    press(client, memory_page(told.owner, told.item_id))
    answer = client.post(reverse("reviews:rollback_execute"), given)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "nothing was done" in page
    again = client.post(reverse("reviews:rollback_execute"), fields_of(page), follow=True)
    assert again.status_code == 200
    assert sentences(told) == set()


def test_a_conflict_leads_to_the_preview_and_can_be_ticked(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    first = FieldVersion.objects.of(told.owner.id).get(version=1)
    field(told.owner, "7000", by=told.good, at=2)
    change = Change.objects.of(told.owner.id).get(target_id=told.version_id)
    page = client.get(reverse("reviews:change", args=[told.owner.id, change.id])).content.decode()
    assert "the preview comes first" in page
    assert "/rollback/execute/" not in page
    address = "/rollback/new/?" + as_query(RollbackScope(change_ids=(change.id,), owner_ids=(told.owner.id,)))
    preview = client.get(address).content.decode()
    ticks = re.findall(r'name="tick" value="([^"]+)"', preview)
    assert len(ticks) == 1
    press(client, address, tick=ticks)
    assert value(told) == first.value


def test_an_older_version_is_restored(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    first = FieldVersion.objects.of(told.owner.id).get(version=1)
    assert "Back to “" in client.get(memory_page(told.owner, first.id)).content.decode()
    press(client, memory_page(told.owner, first.id))
    assert value(told) == first.value


def test_a_scope_that_cannot_be_read_is_refused_and_never_widened(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    for query in (
        "agent=nobody",
        "owner=nobody",
        "since=yesterday",
        "event=x",
        f"agent={told.bad.agent_id}&until=x",
    ):
        page = client.get(f"/rollback/new/?{query}").content.decode()
        assert "/rollback/execute/" not in page, query
        assert 'role="alert">' in page, query
    page = client.get("/rollback/new/?since=2026-01-02T00:00&until=2026-01-01T00:00").content.decode()
    assert "ends before it begins" in page
    for scope in ("", "{}", "[]", '{"agent_id": "x"}', '{"unknown": 1}', json.dumps({"owner_ids": "x"})):
        assert client.post("/rollback/execute/", {"scope": scope, "digest": ""}).status_code == 400, scope


def test_the_report_lists_every_value_and_no_formula(desk: Desk) -> None:
    told, client = poison(desk.workspace, "=cmd|'/c calc'!A1"), desk.client()
    done = press(client, f"/rollback/new/?agent={told.bad.agent_id}", reason="=HYPERLINK()")
    report = client.get(done.request["PATH_INFO"] + "report.csv").content.decode()
    assert len(report.splitlines()) == 1 + 3
    assert "\n=" not in report and ",=" not in report
    assert "喜欢半夜接到推销电话" in report


def test_one_rollback_over_two_owners_is_one_result_and_one_undo(desk: Desk) -> None:
    one = poison(desk.workspace)
    two = poison(desk.workspace, "two")
    client = desk.client()
    done = press(client, "/rollback/new/?session=&text=&since=2026-01-01T00:00")
    page = done.content.decode()
    assert one.owner.ref in page
    assert sentences(one) == sentences(two) == set()
    press(client, done.request["PATH_INFO"])
    assert len(sentences(one)) == len(sentences(two)) == 2


def test_a_viewer_looks_and_an_operator_acts(desk: Desk) -> None:
    told, viewer = poison(desk.workspace), desk.client(desk.viewer)
    page = viewer.get(memory_page(told.owner, told.version_id)).content.decode()
    assert "data-roll-back" not in page
    preview = viewer.get(f"/rollback/new/?agent={told.bad.agent_id}").content.decode()
    assert "Only an operator can roll back" in preview
    answer = viewer.post("/rollback/execute/", {"scope": "{}", "digest": ""})
    assert answer.status_code == 403
    assert "operator" in answer.content.decode()


def test_nothing_of_another_workspace_is_seen_or_undone(desk: Desk) -> None:
    told, stranger = poison(desk.workspace), desk.client(desk.stranger)
    change = Change.objects.of(told.owner.id).get(target_id=told.version_id)
    for name, row_id in (
        ("change", change.id),
        ("change_set", change.change_set_id),
        ("memory", told.version_id),
        ("compare", told.version_id),
        ("rollback", change.change_set_id),
    ):
        assert stranger.get(reverse(f"reviews:{name}", args=[told.owner.id, row_id])).status_code == 404
    assert told.owner.ref not in stranger.get("/changes/").content.decode()
    scope = json.dumps(RollbackScope(change_ids=(change.id,), owner_ids=(told.owner.id,)).as_json())
    given = fields_of(
        desk.client().get(reverse("reviews:change", args=[told.owner.id, change.id])).content.decode()
    )
    stranger.post("/rollback/execute/", {"scope": scope, "digest": given["digest"]})
    assert value(told) == FieldVersion.objects.of(told.owner.id).get(id=told.version_id).value


def test_a_decided_review_has_its_way_back(desk: Desk) -> None:
    world, client = Reviewing(desk), desk.client()
    review = world.allergy("花生")
    assert "data-roll-back" not in client.get(page_of(review)).content.decode()
    approve(decider=decider(reviewer(desk), review))
    done = press(client, page_of(review))
    assert "The rollback is done." in done.content.decode()
    assert not FieldVersion.objects.of(world.owner.id).filter(status="active").exists()


def test_a_rollback_in_the_background_shows_how_far_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reverting, "MOST_AT_ONCE", 1)
    told, client = poison(desk.workspace), desk.client()
    address = f"/rollback/new/?agent={told.bad.agent_id}"
    assert "(in the background)" in client.get(address).content.decode()
    done = press(client, address)
    result, page = done.request["PATH_INFO"], " ".join(done.content.decode().split())
    assert "The rollback is under way." in page
    assert "0 of 3" in page
    assert 'hx-trigger="every 3s"' in page
    assert "Undo this rollback:" not in page
    run_rollback(Job.objects.get(kind="rollback"))
    Job.objects.update(state="done")
    page = " ".join(client.get(result).content.decode().split())
    assert "3 of 3" in page
    assert "every 3s" not in page
    assert "Undo this rollback:" in page
    assert sentences(told) == set()


def test_everything_learned_from_an_event_is_undone_from_its_page(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    event = Event.objects.of(told.owner.id).get()
    page = client.get(reverse("reviews:event", args=[told.owner.id, event.id])).content.decode()
    assert "Roll back everything learned from it" in page
    address = re.findall(r'href="(/rollback/new/[^"]+)"', page)[0].replace("&amp;", "&")
    press(client, address)
    assert value(told) == FieldVersion.objects.of(told.owner.id).get(version=1).value


def test_the_builder_offers_sessions_and_events_so_that_nobody_types_an_id(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    other = poison(desk.workspace, "other")
    assert '<option value="sess-bad">' in client.get("/rollback/new/").content.decode()
    first, second = (Event.objects.of(one.owner.id).get() for one in (told, other))
    page = client.get("/rollback/new/", {"session": "sess-bad"}).content.decode()
    assert f'name="event" value="{first.id}"' in page and f'name="event" value="{second.id}"' in page
    chosen = client.get("/rollback/new/", {"session": "sess-bad", "event": str(first.id)})
    page = chosen.content.decode()
    assert page.count(f'name="event" value="{first.id}" checked') == 1
    assert [item.owner_id for item in chosen.context["preview"].plan.items] == [told.owner.id]
    press(client, f"/rollback/new/?session=sess-bad&event={first.id}")
    assert value(told) == FieldVersion.objects.of(told.owner.id).get(version=1).value
    assert value(other) != value(told)


def test_a_chosen_event_that_is_not_offered_stays_chosen(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    foreign = Event.objects.of(poison(desk.elsewhere, "foreign").owner.id).get()
    mine = Event.objects.of(told.owner.id).get()
    page = client.get("/rollback/new/", {"event": [str(foreign.id), str(mine.id)]}).content.decode()
    assert f'<input type="hidden" name="event" value="{foreign.id}">' in page
    assert f'value="{mine.id}" checked' in page
    assert "老客户" in page and page.count("老客户") == page.count("老客户张伟")
