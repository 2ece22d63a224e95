"""The pages of the library ask as often for many documents and versions as for a few."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memoryhub.writing.source import Source
from tests.knowledge.library import Library
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_owner

COUNTS = {"documents": 21, "documents_stale": 16, "document": 21}


def fill(library: Library, *, rows: int) -> str:
    """Documents of the library, all stale, the first with `rows` versions more than two; the address of that one."""
    first = library.put("One.\n\n# A\n\nA.", title="First")
    for number in range(rows):
        other = library.put(f"Text {number}.", title=f"Other {number}")
        library.age(other, days=100)
        library.age(library.put(f"# B\n\nText {number}.", document_id=first.document_id), days=100)
    return reverse("reviews:document", args=[library.domain.id, first.document_id])


def test_a_page_of_the_library_asks_as_often_for_many_rows_as_for_one(desk: Desk) -> None:
    client, source = desk.client(), Source(workspace_id=desk.workspace.id, trust_tier=3)
    counts = []
    for rows in (1, 6):
        domain = make_owner(desk.workspace, f"domain-{rows}", kind="domain")
        address = fill(Library(source, domain, domain), rows=rows)
        asked = {}
        for name in COUNTS:
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(address if name == "document" else reverse(f"reviews:{name}"))
            assert answer.status_code == 200
            asked[name] = len(queries)
        counts.append(asked)
    assert counts[0] == counts[1]
    assert counts[1] == COUNTS
