"""Many who publish versions of one document, or import into it, at one moment: one stands, and nobody meets an error."""

from __future__ import annotations

from datetime import timedelta

from memoryhub.knowledge.publishing import publish_version
from memoryhub.models import DocumentVersion
from tests.knowledge.library import LONG_AGO, Library, open_library
from tests.threads import at_once

PEOPLE = 8


def test_versions_published_at_once_follow_each_other_without_overlap(committing_db: str) -> None:
    library = open_library()
    first = library.put("# A\n\nOne.", effective_from=LONG_AGO)
    imported = at_once(
        PEOPLE, lambda number: library.take(f"# A\n\nText {number}.", document_id=first.document_id)
    )
    assert [answer for answer in imported if isinstance(answer, Exception)] == []
    numbers = {answer.number for answer in imported if not isinstance(answer, Exception)}
    assert numbers == set(range(2, PEOPLE + 2))

    def publish(number: int) -> DocumentVersion:
        return publish_version(
            owner_id=library.domain.id,
            document_id=first.document_id,
            number=number + 2,
            source=library.person,
            effective_from=LONG_AGO + timedelta(days=10 + number % 3),
        )

    published = at_once(PEOPLE, publish)
    assert [answer for answer in published if isinstance(answer, Exception)] == []
    standing = sorted(
        (row.valid_from, row.valid_until)
        for row in DocumentVersion.objects.of(library.domain.id).filter(known_until=None)
    )
    assert [begin for begin, _ in standing] == [
        LONG_AGO,
        *(LONG_AGO + timedelta(days=10 + day) for day in range(3)),
    ]
    assert [end for _, end in standing] == [*(begin for begin, _ in standing[1:]), None]
    assert len(_in_force(library)) == 1


def _in_force(library: Library) -> list[DocumentVersion]:
    rows = DocumentVersion.objects.of(library.domain.id).filter(known_until=None, valid_until=None)
    return list(rows)
