from __future__ import annotations

import csv
import io
import json

from memoryhub.models import AuditEntry, Owner
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import poison


def test_the_filter_decides_what_is_exported_and_the_log_says_how_much(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    poison(desk.elsewhere, "foreign")
    answer = client.get("/memories/export.jsonl?kind=semantic")
    rows = [json.loads(row) for row in answer.content.decode().splitlines()]
    assert {row["value"] for row in rows} == {"喜欢半夜接到推销电话", "适合安排夜间电话推销"}
    assert {row["owner"] for row in rows} == {told.owner.ref}
    fields = client.get("/memories/export.jsonl?kind=field&status=all").content.decode().splitlines()
    assert [json.loads(row)["field"] for row in fields] == ["user_profile.budget"] * 2
    details = (
        AuditEntry.objects.filter(action="memories.exported").order_by("at").values_list("details", flat=True)
    )
    assert list(details) == [{"rows": 2, "form": "jsonl"}] * 2


def test_a_spreadsheet_runs_nothing(desk: Desk) -> None:
    told = poison(desk.workspace, "=cmd|'/c calc'!A1")
    text = desk.client().get("/memories/export.csv").content.decode()
    table = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert table[0][:3] == ["owner", "kind", "field"]
    assert {row[0] for row in table[1:]} == {"'" + told.owner.ref}


def test_owners_who_are_being_erased_unknown_forms_and_viewers_get_nothing(desk: Desk) -> None:
    told = poison(desk.workspace)
    assert desk.client(desk.viewer).get("/memories/export.csv").status_code == 403
    assert desk.client().get("/memories/export.xml").status_code == 404
    Owner.objects.filter(id=told.owner.id).update(state="erasing")
    assert desk.client().get("/memories/export.jsonl").content == b""
