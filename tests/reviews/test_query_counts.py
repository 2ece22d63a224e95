"""The number of statements of a page is fixed, whatever an owner or a workspace holds."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Owner
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.rows import (
    make_change,
    make_event,
    make_item,
    make_job,
    make_owner,
    make_review,
    make_version,
)

# Opening a scope costs four: BEGIN, its settings, its role, COMMIT; who is asking costs four more: session, account, workspace, roles.
COUNTS = {
    "home": 27,
    "owners": 14,
    "owners-none": 10,
    "facts": 24,
    "items": 16,
    "timeline": 24,
    "versions": 18,
    "event": 21,
    "procedure-new": 9,
    "review": 16,
    "review-stats": 19,
    "review-counted": 13,
    "review-counted-reason": 13,
    "review-item-1": 41,
    "review-explain": 18,
    "review-bulk": 11,
    "sessions": 14,
    "session": 14,
    "entities": 16,
    "vocabulary": 6,
    "links": 21,
    "recalls": 10,
    "recall-stats": 17,
    "recall-debugger": 4,
    "diagnose": 9,
    "system": 19,
    "keyboard": 4,
}


def fill(owner: Owner, *, rows: int) -> None:
    for number in range(rows):
        event = make_event(owner, f"words {number}", session_ref="s")
        make_version(owner, f"value {number}", value_key=str(number), event_id=event.id, quote="words")
        make_version(owner, f"value {number}", field="contact.address", subject=f"home {number}")
        make_item(owner, f"item {number}", event_id=event.id, quote="words")
        make_review(make_change(owner, state="proposed", event_id=event.id, quote="words"))
        make_review(make_change(owner, state="rejected"), outcome="rejected", reason_code="duplicate")
        make_job(owner.workspace, owner=owner, state="parked")
        make_owner(owner.workspace, f"{owner.ref}-{number}")


def statements(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_a_page_asks_as_often_for_many_rows_as_for_one(desk: Desk) -> None:
    client = desk.client()
    few, many = make_owner(desk.workspace, "few"), make_owner(desk.workspace, "many")
    fill(few, rows=1)
    for_few = {name: len(statements(client, all_pages(few)[name])) for name in COUNTS}
    fill(many, rows=12)
    for_many = {name: len(statements(client, all_pages(many)[name])) for name in COUNTS}
    assert for_few == for_many
    assert for_many == COUNTS
