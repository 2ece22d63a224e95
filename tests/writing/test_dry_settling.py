"""Settling that is taken back: the outcome is the real one, and no row is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryhub.exceptions import OwnerFrozen
from memoryhub.models import AuditEntry, Change, Event, FieldVersion, MemoryItem, Owner, SearchEntry
from memoryhub.writing.candidates import FormCandidate, ItemCandidate
from memoryhub.writing.dry_settling import Settled, try_settling
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace

SAID = datetime(2025, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def source(committing_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def city(value: str, quote: str) -> FormCandidate:
    return FormCandidate(
        form_type="user_profile", field="location", value=value, quote=quote, explicit_correction=True
    )


def settled(
    owner: Owner, source: Source, text: str, *candidates: FormCandidate | ItemCandidate
) -> list[Settled]:
    return try_settling(
        candidates, owner_id=owner.id, text=text, role="user", occurred_at=SAID, flags=(), source=source
    )


@pytest.mark.parametrize(
    ("old", "new", "text"), [("Rome", "Oslo", "I moved to Oslo"), ("罗马", "苏州", "我搬到苏州了")]
)
def test_the_outcome_is_the_real_one_and_nothing_is_left(
    owner: Owner, source: Source, old: str, new: str, text: str
) -> None:
    early = datetime(2024, 1, 1, tzinfo=UTC)
    write_field(
        owner_id=owner.id,
        form_type="user_profile",
        field="location",
        value=old,
        valid_from=early,
        source=source,
    )
    models = (Event, FieldVersion, MemoryItem, Change, SearchEntry)
    before = [model.objects.of(owner.id).count() for model in models]
    audited = AuditEntry.objects.count()
    first = settled(owner, source, text, city(new, text), city(new, text))
    assert first == [
        Settled(outcome="superseded", standing=old),
        Settled(outcome="reinforced", code=first[1].code),
    ]
    assert settled(owner, source, text, city(new, text)) == first[:1]
    assert [model.objects.of(owner.id).count() for model in models] == before
    assert AuditEntry.objects.count() == audited
    assert FieldVersion.objects.of(owner.id).get().value == old


def test_a_frozen_owner_is_told_as_frozen(owner: Owner, source: Source) -> None:
    Owner.objects.filter(id=owner.id).update(state="frozen")
    with pytest.raises(OwnerFrozen):
        settled(owner, source, "I moved to Oslo", city("Oslo", "I moved to Oslo"))
