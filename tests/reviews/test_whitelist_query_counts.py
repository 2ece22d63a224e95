"""The number of statements of the whitelist and policy pages is fixed, whatever was edited, asked and written."""

from __future__ import annotations

from tests.reviews.conftest import Desk
from tests.reviews.test_query_counts import statements
from tests.reviews.whitelist_pages import stock, whitelist_pages

# Who is asking costs four; a replay opens a scope of its own and costs eight.
COUNTS = {
    "whitelist": 6,
    "form-type-new": 4,
    "form-type": 7,
    "field-new": 6,
    "field": 13,
    "field-edit": 7,
    "misses": 11,
    "policies": 8,
    "policy": 17,
    "policy-first": 8,
    "policy-new": 5,
    "policy-back": 6,
}


def test_pages_ask_as_often_for_much_as_for_little(desk: Desk) -> None:
    client = desk.client()
    counted = []
    for writes in (1, 8):
        proposal = stock(desk, writes=writes).proposal
        pages = whitelist_pages(desk.workspace, proposal.number)
        counted.append({name: len(statements(client, address)) for name, address in pages.items()})
    assert counted[0] == counted[1]
    assert counted[1] == COUNTS
