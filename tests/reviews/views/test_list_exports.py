"""The lists of changes and incidents as files: by the same filter, harmless in a spreadsheet, told to the audit log."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from memoryhub.models import AuditEntry, Owner
from tests.reviews.conftest import Desk
from tests.reviews.incident_pages import an_incident
from tests.reviews.poisoned import poison


def lines(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(row) for row in answer.content.decode().splitlines()]


def table(answer: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode().removeprefix("\ufeff"))))


def test_changes_are_exported_by_the_lists_filter(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    poison(desk.elsewhere, "foreign")
    everything = lines(client.get("/changes/export.jsonl"))
    assert {row["owner"] for row in everything} == {told.owner.ref}
    assert len(everything) == len(client.get("/changes/").context["page"].rows)
    by_bad = lines(client.get(f"/changes/export.jsonl?agent={told.bad.agent_id}&slot=user_profile.budget"))
    [budget] = [row for row in by_bad if row["after"] == 999999 or row["after"] == "999999"]
    assert (budget["field"], budget["quote"], budget["state"]) == (
        "user_profile.budget",
        "budget to 999999",
        "applied",
    )
    [first, *_rest] = AuditEntry.objects.filter(action="changes.exported").order_by("at")
    assert first.details == {"rows": len(everything), "form": "jsonl"}


def test_incidents_are_exported_by_their_state(desk: Desk) -> None:
    told = poison(desk.workspace)
    an_incident(told, user_id=desk.operator.pk, title="=HYPERLINK(0)")
    client = desk.client()
    head, row = table(client.get("/incidents/export.csv"))
    assert (row[head.index("title")], row[head.index("opened_by")]) == ("'=HYPERLINK(0)", "olga")
    assert str(told.bad.agent_id) in row[head.index("scope")]
    assert lines(client.get("/incidents/export.jsonl?state=closed")) == []


def test_a_spreadsheet_runs_nothing_of_a_change(desk: Desk) -> None:
    poison(desk.workspace, "=cmd|'/c calc'!A1")
    head, *rows = table(desk.client().get("/changes/export.csv"))
    assert {row[head.index("owner")] for row in rows} == {"'=cmd|'/c calc'!A1"}


def test_the_pages_name_the_cap_and_keep_their_filter(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told = poison(desk.workspace)
    an_incident(told, user_id=desk.operator.pk)
    for name in ("changes", "incidents", "memories"):
        page = desk.client().get(f"/{name}/").content.decode()
        assert "at most 10,000" in page and f"/{name}/export.csv?" in page
        assert "export.csv" not in desk.client(desk.viewer).get(f"/{name}/").content.decode()
    page = desk.client().get("/changes/?state=applied").content.decode()
    assert "/changes/export.csv?state=applied" in page
    monkeypatch.setattr("reviews.views.list_exports.MOST_EXPORTED", 2)
    assert len(lines(desk.client().get("/changes/export.jsonl"))) == 2


def test_viewers_unknown_forms_and_owners_being_erased_get_nothing(desk: Desk) -> None:
    told = poison(desk.workspace)
    for name in ("changes", "incidents"):
        assert desk.client(desk.viewer).get(f"/{name}/export.csv").status_code == 403
        assert desk.client().get(f"/{name}/export.xml").status_code == 404
    Owner.objects.filter(id=told.owner.id).update(state="erasing")
    assert desk.client().get("/changes/export.jsonl").content == b""
