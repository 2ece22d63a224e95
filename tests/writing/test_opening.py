"""Values begin to stand on their day, also when nobody writes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memoryhub.models import FieldVersion, MemoryItem, Owner, SearchEntry
from memoryhub.writing.opening import open_due_values
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    """Somebody who will move to Porto and drink jasmine tomorrow."""
    owner = make_owner(source)
    tomorrow = timezone.now() + DAY
    for place, tea, when in (("Lisbon", "oolong", NOON), ("Porto", "jasmine", tomorrow)):
        write_field(
            owner_id=owner.id,
            form_type="user_profile",
            field="location",
            value=place,
            valid_from=when,
            source=source,
        )
        write_memory(
            owner_id=owner.id, content=f"The favourite tea is {tea}", item_kind="semantic", subject_entity="owner",
            attribute="tea", value=tea, valid_from=when, source=source,
        )  # fmt: skip
    return owner


def marks(owner: Owner) -> list[str]:
    fields = FieldVersion.objects.of(owner.id).order_by("version").values_list("status", flat=True)
    items = MemoryItem.objects.of(owner.id).order_by("seq").values_list("status", flat=True)
    return [*fields, *items]


def test_before_the_day_nothing_opens(owner: Owner) -> None:
    assert open_due_values(workspace_id=owner.workspace_id, now=timezone.now()) == 0
    assert marks(owner) == ["active", "scheduled"] * 2


def test_on_the_day_fields_and_sentences_open_and_search_follows(owner: Owner) -> None:
    later = timezone.now() + 2 * DAY
    assert open_due_values(workspace_id=owner.workspace_id, now=later) == 1
    assert marks(owner) == ["superseded", "active"] * 2
    live = SearchEntry.objects.of(owner.id).filter(known_until=None)
    assert sorted("Porto" in entry.text or "jasmine" in entry.text for entry in live) == [True, True]
    assert open_due_values(workspace_id=owner.workspace_id, now=later) == 0


@pytest.mark.parametrize("state", ["frozen", "erasing"])
def test_an_inactive_owner_is_left_alone(owner: Owner, state: str) -> None:
    Owner.objects.filter(id=owner.id).update(state=state)
    assert open_due_values(workspace_id=owner.workspace_id, now=timezone.now() + 2 * DAY) == 0


def test_other_workspaces_are_not_looked_at(owner: Owner) -> None:
    assert open_due_values(workspace_id=make_workspace().id, now=timezone.now() + 2 * DAY) == 0
    assert marks(owner) == ["active", "scheduled"] * 2
