"""One version in force at a time: what ends what, and that the database says so too."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from memoryhub.exceptions import Forbidden, InvalidInput, NotFound, WrongMove
from memoryhub.knowledge.ending import close_ended_versions
from memoryhub.knowledge.indexing import index_version
from memoryhub.knowledge.keeping import archive_document, grade_version, verify_version
from memoryhub.knowledge.publishing import publish_version
from memoryhub.knowledge.standing import stale_versions, standing_of
from memoryhub.models import AuditEntry, Document, DocumentVersion, SearchEntry, new_id
from tests.builders import make_owner
from tests.knowledge.library import LONG_AGO, NOW, Library, open_library

pytestmark = pytest.mark.django_db


@pytest.fixture
def library() -> Library:
    return open_library()


def standings(library: Library) -> list[str]:
    now = timezone.now()
    rows = DocumentVersion.objects.of(library.domain.id).select_related("document").order_by("number")
    return [standing_of(row, row.document, now=now) for row in rows]


def live_entries(library: Library) -> int:
    return SearchEntry.objects.of(library.domain.id).filter(kind="chunk", known_until=None).count()


def test_the_version_before_ends_on_the_day_the_next_begins(library: Library) -> None:
    first = library.put("One.", effective_from=LONG_AGO)
    second = library.put("Two.", document_id=first.document_id, effective_from=NOW - timedelta(days=3))
    first.refresh_from_db()
    assert first.valid_until == second.valid_from
    assert first.closed_at is not None and first.known_until is None
    assert standings(library) == ["ended", "in_force"]
    assert live_entries(library) == 1


def test_one_that_began_on_the_same_day_is_replaced(library: Library) -> None:
    first = library.put("One.", effective_from=LONG_AGO)
    library.put("Two.", document_id=first.document_id, effective_from=LONG_AGO)
    assert standings(library) == ["replaced", "in_force"]


def test_one_published_late_ends_where_the_later_one_begins(library: Library) -> None:
    later = library.put("Later.", effective_from=NOW - timedelta(days=3))
    earlier = library.put("Earlier.", document_id=later.document_id, effective_from=LONG_AGO)
    assert earlier.valid_until == later.valid_from
    assert standings(library) == ["in_force", "ended"]


def test_one_for_tomorrow_ends_today_s_tomorrow_and_its_passages_then(library: Library) -> None:
    first = library.put("One.", effective_from=LONG_AGO)
    library.put("Two.", document_id=first.document_id, effective_from=NOW + timedelta(days=1))
    assert standings(library) == ["in_force", "scheduled"]
    workspace_id = library.source.workspace_id
    assert close_ended_versions(workspace_id=workspace_id) == 0
    moved = DocumentVersion.objects.of(library.domain.id).filter(id=first.id)
    moved.update(valid_until=NOW - timedelta(hours=1))
    assert [close_ended_versions(workspace_id=workspace_id) for _ in range(2)] == [1, 0]
    assert live_entries(library) == 1


def test_dates_the_wrong_way_round_are_refused(library: Library) -> None:
    draft = library.take("One.", effective_from=NOW)
    with pytest.raises(InvalidInput) as caught:
        library.publish(draft, effective_to=NOW - timedelta(days=1))
    assert caught.value.field == "effective_to"
    with pytest.raises(InvalidInput):
        library.take("One.", effective_from=NOW, effective_to=NOW)


def test_only_a_draft_of_a_standing_document_is_published(library: Library) -> None:
    draft = library.take("One.")
    with pytest.raises(WrongMove):
        verify_version(
            owner_id=library.domain.id, document_id=draft.document_id, number=1, source=library.person
        )
    library.publish(draft)
    with pytest.raises(WrongMove):
        library.publish(draft)
    for number, document_id in ((2, draft.document_id), (1, new_id())):
        with pytest.raises(NotFound):
            publish_version(
                owner_id=library.domain.id, document_id=document_id, number=number, source=library.person
            )
    second = library.take("Two.", document_id=draft.document_id)
    archive_document(owner_id=library.domain.id, document_id=draft.document_id, source=library.person)
    for act in (
        lambda: library.publish(second),
        lambda: library.take("Three.", document_id=draft.document_id),
    ):
        with pytest.raises(WrongMove):
            act()
    assert live_entries(library) == 0


def test_authority_is_set_by_people(library: Library) -> None:
    with pytest.raises(Forbidden):
        library.take("One.", by=library.source, authority=2)
    imported = library.take("One.", by=library.source)
    place: dict[str, Any] = {"owner_id": library.domain.id, "document_id": imported.document_id, "number": 1}
    with pytest.raises(Forbidden):
        grade_version(**place, authority=2, source=library.source)
    assert grade_version(**place, authority=5, source=library.person).authority == 5
    with pytest.raises(InvalidInput):
        grade_version(**place, authority=6, source=library.person)


def test_a_user_has_no_documents(library: Library) -> None:
    library.domain = make_owner(library.source)
    with pytest.raises(InvalidInput) as caught:
        library.take("One.")
    assert caught.value.code == "wrong_owner_kind"


def test_the_stale_list_holds_what_is_in_force_and_long_unverified(library: Library) -> None:
    old, fresh, ended = (library.put(f"{n}.", title=n) for n in ("old", "fresh", "ended"))
    library.take("draft.", title="draft")
    for version in (old, ended):
        library.age(version, days=91)
    archive_document(owner_id=library.domain.id, document_id=ended.document_id, source=library.person)
    rows = DocumentVersion.objects.of(library.domain.id)

    def stale() -> list[str]:
        return [row.document.title for row in stale_versions(rows, now=timezone.now(), stale_days=90)]

    assert stale() == ["old"]
    verify_version(owner_id=library.domain.id, document_id=old.document_id, number=1, source=library.person)
    assert stale() == []
    assert fresh.verified_by_id == library.person.user_id


def test_two_versions_in_force_at_once_cannot_be_written_even_past_the_service(library: Library) -> None:
    first = library.put("One.", effective_from=LONG_AGO)
    second = library.take("Two.", document_id=first.document_id)
    with pytest.raises(IntegrityError, match="published_versions_do_not_overlap"), transaction.atomic():
        DocumentVersion.objects.of(library.domain.id).filter(id=second.version_id).update(
            state="published", published_at=NOW, last_verified_at=NOW, valid_from=NOW
        )


def test_every_act_is_audited_without_a_word_of_the_text(library: Library) -> None:
    version = library.put("Secretly blue.")
    place: dict[str, Any] = {"owner_id": library.domain.id, "document_id": version.document_id}
    verify_version(**place, number=1, source=library.person)
    grade_version(**place, number=1, authority=4, source=library.person)
    archive_document(**place, source=library.person)
    entries = AuditEntry.objects.filter(object_id=version.document_id).order_by("at", "id")
    assert [entry.action for entry in entries] == [
        f"document.{act}" for act in ("imported", "published", "verified", "graded", "archived")
    ]
    assert not any("blue" in str(entry.details) for entry in entries)


def test_a_long_document_is_indexed_by_a_job_that_goes_on_where_it_stopped(library: Library) -> None:
    text = "\n\n".join(f"# Part {number}\n\nRule number {number} is in force." for number in range(230))
    imported = library.take(text)
    assert (imported.state, imported.chunk_count) == ("importing", 230)
    assert imported.job_id is not None
    with pytest.raises(WrongMove):
        library.publish(imported)

    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    work: dict[str, Any] = {
        "workspace_id": library.source.workspace_id,
        "owner_id": library.domain.id,
        "version_id": imported.version_id,
    }
    with pytest.raises(Stopped):
        index_version(**work, still_working=stop)
    assert live_entries(library) == 100
    index_version(**work, still_working=lambda: None)
    assert live_entries(library) == 230
    library.publish(imported)
    assert Document.objects.of(library.domain.id).count() == 1
    assert any("Rule number 177" in told for told in library.told("What does rule number 177 say?"))


def test_the_constraint_of_dates_needs_no_extension() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extname FROM pg_extension")
        assert {row[0] for row in cursor.fetchall()} == {"plpgsql", "vector"}
