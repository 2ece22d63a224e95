"""A sentence marked as key attribute: it never fades, and the mark is a change that can be rolled back."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import VersionMoved
from memoryhub.models import AuditEntry, Change, MemoryItem
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.keying import mark_key_attribute
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db
PERSON = 7


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def staff(source: Source) -> Source:
    return Source(workspace_id=source.workspace_id, trust_tier=4, user_id=PERSON, responsible_user_id=PERSON)


def say(owner: UUID, source: Source) -> UUID:
    verdict = write_memory(
        owner_id=owner, content="Allergic to nuts", item_kind="semantic", entities=("nuts",), source=source
    )
    assert verdict.target_id is not None
    return verdict.target_id


def marked(owner: UUID) -> list[tuple[bool, float, list[str]]]:
    items = MemoryItem.objects.of(owner).filter(status="active")
    return list(items.values_list("key_attribute", "decay_rate", "entities"))


def undo(owner: UUID, source: Source, change_id: UUID | None) -> None:
    assert change_id is not None
    scope = RollbackScope(change_ids=(change_id,), owner_ids=(owner,))
    plan = plan_rollback(workspace_id=source.workspace_id, scope=scope)
    execute_rollback(workspace_id=source.workspace_id, scope=plan.scope, digest=plan.digest, user_id=PERSON)


def test_a_mark_is_a_change_in_the_log_and_rolling_it_back_takes_it_off(owner: UUID, source: Source) -> None:
    item = say(owner, source)
    ordinary = marked(owner)
    verdict = mark_key_attribute(
        owner_id=owner, item_id=item, expected_seq=1, is_key=True, source=staff(source), reason="life"
    )
    assert marked(owner) == [(True, 0.0, ["nuts"])]
    assert verdict.change_id is not None
    change = Change.objects.of(owner).select_related("change_set").get(id=verdict.change_id)
    assert (change.change_set.act, change.change_set.reason) == ("mark_key_attribute", "life")
    assert AuditEntry.objects.filter(object_id=change.id, action="change.applied").exists()
    undo(owner, source, change.id)
    assert marked(owner) == ordinary


def test_who_marks_it_is_the_one_who_changed_it_last(owner: UUID, source: Source) -> None:
    item = say(owner, source)
    mark_key_attribute(owner_id=owner, item_id=item, expected_seq=1, is_key=True, source=staff(source))
    assert MemoryItem.objects.of(owner).get(id=item).updated_by_agent_id is None
    assert MemoryItem.objects.of(owner).get(id=item).agent_id == source.agent_id


def test_a_mark_outlives_the_undoing_of_a_label(owner: UUID, source: Source) -> None:
    item = say(owner, source)
    label = edit_memory(
        owner_id=owner, item_id=item, expected_seq=1, changes={"entities": ["nut"]}, source=source
    )
    mark_key_attribute(owner_id=owner, item_id=item, expected_seq=1, is_key=True, source=staff(source))
    later = edit_memory(
        owner_id=owner, item_id=item, expected_seq=1, changes={"entities": ["peanut"]}, source=staff(source)
    )
    undo(owner, source, later.change_id)
    assert marked(owner) == [(True, 0.0, ["nut"])]
    assert label.change_id != later.change_id


def test_marking_twice_changes_nothing_and_another_number_is_told(owner: UUID, source: Source) -> None:
    item = say(owner, source)
    again = mark_key_attribute(
        owner_id=owner, item_id=item, expected_seq=1, is_key=False, source=staff(source)
    )
    assert (again.outcome, again.code, again.change_id) == ("reinforced", "unchanged", None)
    with pytest.raises(VersionMoved):
        mark_key_attribute(owner_id=owner, item_id=item, expected_seq=2, is_key=True, source=staff(source))
