"""Conversations through the real write path: complete, resumable, idempotent."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryhub.database.scope import scope
from memoryhub.evaluation.dialogues import read_dialogues
from memoryhub.evaluation.event_lines import read_event_lines
from memoryhub.evaluation.importing import import_dialogue, import_event_lines, import_source
from memoryhub.language.embedders import build_embedder
from memoryhub.models import Event, SearchEntry, SearchVector
from memoryhub.workspaces import create_workspace
from memoryhub.writing.source import Source

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture
def source(committing_db: str) -> Source:
    return import_source(create_workspace(slug="imported", name="Imported", time_zone="UTC"))


def test_a_conversation_becomes_events_windows_and_vectors(source: Source) -> None:
    dialogue = read_dialogues(DATA / "dialogues_sample.json")[0]
    done: dict[str, int] = {}
    imported = import_dialogue(
        dialogue,
        source=source,
        embedder=build_embedder("hashed"),
        progress=lambda step, count: done.update({step: done.get(step, 0) + count}),
    )
    assert (imported.recorded, imported.known, imported.refused) == (12, 0, [])
    assert done["turns"] == 12
    assert done["vectors"] >= 24
    with scope(workspace_id=source.workspace_id, owners=[imported.owner_id], purpose="test"):
        events = Event.objects.of(imported.owner_id)
        assert set(events.values_list("state", flat=True)) == {"processed"}
        assert set(events.values_list("trust_tier", "role")) == {(3, "user")}
        assert set(events.values_list("actor", flat=True)) == {"Nora", "Theo"}
        windows = SearchEntry.objects.of(imported.owner_id).filter(kind="window")
        assert windows.count() == 12
        last = windows.get(target_id=imported.event_ids["D1:6"])
        assert last.text.startswith("3 March 2024\nNora: My sister Ines")
        assert "D2:1" not in last.text
        entries = SearchEntry.objects.of(imported.owner_id).filter(known_until=None, cleared=True)
        assert SearchVector.objects.of(imported.owner_id).count() == entries.count()


def test_importing_again_changes_nothing(source: Source) -> None:
    dialogue = read_dialogues(DATA / "dialogues_sample.json")[0]
    first = import_dialogue(dialogue, source=source)
    again = import_dialogue(dialogue, source=source)
    assert (again.recorded, again.known) == (0, 12)
    assert again.event_ids == first.event_ids


def test_lines_of_events_go_to_their_owners(source: Source) -> None:
    path = DATA / "events_sample.jsonl"
    imported = import_event_lines(read_event_lines(path), source=source)
    assert [(owner.ref, owner.recorded) for owner in imported] == [("li.wei", 2), ("o'neil", 1)]
    again = import_event_lines(read_event_lines(path), source=source)
    assert [(owner.recorded, owner.known) for owner in again] == [(0, 2), (0, 1)]
