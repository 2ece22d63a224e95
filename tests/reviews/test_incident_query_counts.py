"""The number of statements of the pages about changes and incidents is fixed, whatever memory holds."""

from __future__ import annotations

from tests.reviews.conftest import Desk
from tests.reviews.incident_pages import a_rollback, an_incident, incident_pages
from tests.reviews.poisoned import Poisoned, field, poison, say
from tests.reviews.test_query_counts import statements

# A look at what a rollback would do (the button) costs about ten, and tracing an incident another ten.
COUNTS = {
    "changes": 13,
    "changes-none": 13,
    "change": 30,
    "change-set": 30,
    "memory": 41,
    "memory-item": 56,
    "memory-edit": 14,
    "compare": 16,
    "memories": 18,
    "memories-sorted": 18,
    "memories-fields": 17,
    "memories-withdraw": 38,
    "memories-reverify": 13,
    "rollbacks": 12,
    "rollback": 32,
    "rollback-new": 11,
    "rollback-preview": 40,
    "blast-radius": 12,
    "blast-radius-traced": 34,
    "suspects": 21,
    "incidents": 7,
    "incident": 62,
    "incident-scope": 7,
    "incident-new": 11,
    "facts-as-of": 17,
    "timeline-as-of": 24,
}


def counted(desk: Desk, told: Poisoned, title: str) -> dict[str, int]:
    user_id = desk.operator.pk
    incident = an_incident(told, user_id=user_id, title=title)
    pages = incident_pages(told, incident, a_rollback(told, user_id=user_id))
    client = desk.client()
    return {name: len(statements(client, address)) for name, address in pages.items()}


def test_pages_ask_as_often_for_much_as_for_little(desk: Desk) -> None:
    few = counted(desk, poison(desk.workspace, "few"), "few")
    told = poison(desk.workspace, "many")
    for number in range(8):
        say(told.owner, f"The bad agent says that number {number} is a lie", by=told.bad)
        field(told.owner, f"{number}00", by=told.bad, at=2 + number / 10, name="location")
    many = counted(desk, told, "many")
    assert few == many
    assert many == COUNTS
