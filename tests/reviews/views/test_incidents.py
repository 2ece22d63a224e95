"""Suspects and incidents: what they show, who may act, what leaves as a file."""

from __future__ import annotations

import json
from typing import Any

from django.urls import reverse

from memoryhub.changes.incidents import close_incident
from memoryhub.models import Incident, Owner
from tests.reviews.conftest import Desk
from tests.reviews.incident_pages import a_rollback, an_incident
from tests.reviews.poisoned import poison
from tests.reviews.views.test_rollback import press


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_suspect_shows_its_signals_and_their_weights(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = words(client.get("/suspects/"))
    assert "喜欢半夜接到推销电话" in page
    assert "an agent called it harmful" in page
    assert "+0.500" in page
    assert "999999" not in words(client.get("/suspects/?signal=harmful_feedback"))
    assert "No suspect matches" in words(
        client.get(f"/suspects/?agent={told.good.agent_id}&signal=evidence_gone")
    )
    assert "Nothing is suspect" in words(desk.client(desk.stranger).get("/suspects/"))


def test_a_viewer_sees_suspects_without_acts(desk: Desk) -> None:
    poison(desk.workspace)
    page = words(desk.client(desk.viewer).get("/suspects/"))
    assert "喜欢半夜接到推销电话" in page
    assert "Open an incident" not in page
    assert "/rollback/button/" not in page


def test_an_incident_needs_a_title_and_a_scope(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    for given in ({}, {"title": "x"}, {"agent": str(told.bad.agent_id)}, {"title": "x", "agent": "nobody"}):
        assert client.post("/incidents/new/", given).status_code == 422, given
    reversed_range = {"title": "x", "since": "2026-02-01T00:00", "until": "2026-01-01T00:00"}
    assert client.post("/incidents/new/", reversed_range).status_code == 422
    assert not Incident.objects.exists()
    made = client.post("/incidents/new/", {"title": "Night calls", "memory": str(told.item_id)}, follow=True)
    assert "Night calls" in words(made)
    assert "2 lines" not in words(made)
    assert Incident.objects.get().scope == {"target_ids": [str(told.item_id)]}


def test_an_incident_traces_values_recalls_agents_and_sessions(desk: Desk) -> None:
    told = poison(desk.workspace)
    found = an_incident(told, user_id=desk.operator.pk)
    page = words(desk.client().get(reverse("reviews:incident", args=[found.id])))
    for text in (
        "喜欢半夜接到推销电话",
        "适合安排夜间电话推销",
        "999999",
        "sess-0",
        "sess-2",
        told.agent.name,
    ):
        assert text in page, text
    assert "<dt>recalls served</dt><dd>3</dd>" in page


def test_an_open_incident_is_given_another_scope(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    found = an_incident(told, user_id=desk.operator.pk)
    address = reverse("reviews:incident_scope", args=[found.id])
    assert f'value="{told.bad.agent_id}" selected' in words(client.get(address))
    for wrong in ({}, {"agent": "nobody"}, {"since": "2026-02-01T00:00", "until": "2026-01-01T00:00"}):
        assert client.post(address, wrong).status_code == 422, wrong
    client.post(address, {"owner": told.owner.ref})
    found.refresh_from_db()
    assert found.scope == {"owner_ids": [str(told.owner.id)]}
    close_incident(
        workspace_id=desk.workspace.id, incident_id=found.id, conclusion="Done.", user_id=desk.operator.pk
    )
    assert "closed already" in words(client.post(address, {"session": "s"}, follow=True))


def test_a_rollback_from_an_incident_is_attached_and_the_incident_closed(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    found = an_incident(told, user_id=desk.operator.pk)
    address = reverse("reviews:incident", args=[found.id])
    press(client, address)
    found.refresh_from_db()
    assert len(found.change_set_ids) == 1
    assert "Nothing was rolled back for it yet" not in words(client.get(address))
    assert client.post(f"{address}close/", {"conclusion": " "}).status_code == 422
    closed = client.post(f"{address}close/", {"conclusion": "The key was stolen."}, follow=True)
    assert "The key was stolen." in words(closed)
    assert "Close the incident" not in words(closed)
    again = client.post(f"{address}close/", {"conclusion": "Twice."}, follow=True)
    assert "closed already" in words(again)


def test_a_rollback_made_elsewhere_can_be_attached(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    found = an_incident(told, user_id=desk.operator.pk)
    made = a_rollback(told, user_id=desk.operator.pk, undo=False)
    address = reverse("reviews:incident_attach", args=[found.id])
    assert "nothing was done" in words(client.post(address, {"rollback": str(told.item_id)}, follow=True))
    client.post(address, {"rollback": str(made)})
    found.refresh_from_db()
    assert found.change_set_ids == [made]


def test_the_exports_hold_every_line_and_no_formula(desk: Desk) -> None:
    told, client = poison(desk.workspace, "=1+1"), desk.client()
    found = an_incident(told, user_id=desk.operator.pk)
    answer = client.get(reverse("reviews:incident_csv", args=[found.id]))
    assert answer["Cache-Control"] == "no-store"
    rows = answer.content.decode().splitlines()
    assert len(rows) == 1 + 4
    told_json = json.loads(client.get(reverse("reviews:incident_json", args=[found.id])).content)
    assert told_json["recalls"] == 3
    assert len(told_json["lines"]) == 4
    chart = client.get(reverse("reviews:incident_chart", args=[found.id])).json()
    assert sum(chart["data"][0]["y"]) == 3


def test_nothing_of_an_owner_who_is_being_erased_is_traced(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    found = an_incident(told, user_id=desk.operator.pk)
    Owner.objects.filter(id=told.owner.id).update(state="erasing")
    for name in ("incident", "incident_csv", "incident_json", "incident_chart"):
        page = client.get(reverse(f"reviews:{name}", args=[found.id])).content.decode()
        assert "喜欢半夜" not in page, name
        assert "sess-0" not in page, name
    preview = client.get(f"/rollback/new/?agent={told.bad.agent_id}").content.decode()
    assert "the owner is being erased" in preview
    assert "喜欢半夜" not in preview


def test_only_an_operator_opens_and_closes_and_strangers_find_nothing(desk: Desk) -> None:
    told, viewer = poison(desk.workspace), desk.client(desk.viewer)
    found = an_incident(told, user_id=desk.operator.pk)
    address = reverse("reviews:incident", args=[found.id])
    assert "Close the incident" not in words(viewer.get(address))
    for answer in (
        viewer.get("/incidents/new/"),
        viewer.post(f"{address}close/", {"conclusion": "x"}),
        viewer.post(f"{address}attach/", {}),
    ):
        assert answer.status_code == 403
        assert "“operator”" in words(answer)
    stranger = desk.client(desk.stranger)
    for name in ("incident", "incident_csv", "incident_json", "incident_chart"):
        assert stranger.get(reverse(f"reviews:{name}", args=[found.id])).status_code == 404
    assert found.title not in words(stranger.get("/incidents/"))
