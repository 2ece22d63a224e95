"""Reading conversations in the public layout."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoryhub.evaluation.dialogues import Dialogue, UnreadableFile, read_dialogues

SAMPLE = Path(__file__).parent.parent / "data" / "dialogues_sample.json"


@pytest.fixture
def dialogue() -> Dialogue:
    return read_dialogues(SAMPLE)[0]


def test_turns_keep_their_order_session_and_time(dialogue: Dialogue) -> None:
    assert [turn.id for turn in dialogue.turns][:3] == ["D1:1", "D1:2", "D1:3"]
    assert dialogue.turns[0].occurred_at == datetime(2024, 3, 3, 19, 5, tzinfo=UTC)
    times = [turn.occurred_at for turn in dialogue.turns]
    assert times == sorted(set(times))
    assert {turn.session for turn in dialogue.turns} == {"session_1", "session_2"}
    assert dialogue.ended_at.date().isoformat() == "2024-04-21"


def test_a_shared_photo_is_part_of_the_turn(dialogue: Dialogue) -> None:
    photo = next(turn for turn in dialogue.turns if turn.id == "D2:4")
    assert photo.text == "[photo: a small ceramic bowl with a green glaze]"


def test_malformed_evidence_is_normalised_and_the_rest_counted(dialogue: Dialogue) -> None:
    assert [question.evidence for question in dialogue.questions] == [
        ("D1:1",),
        ("D1:2", "D2:1"),
        ("D2:4",),
        ("D1:5",),
        ("D2:5", "D2:6"),
        (),
        ("D2:5",),
    ]
    assert [reference for question in dialogue.questions for reference in question.unresolvable] == [
        "D9:9",
        "D2:12",
        "D",
    ]


@pytest.mark.parametrize("document", [[], {}, [1], [{"qa": []}], [{"conversation": {}}], "text"])
def test_another_layout_is_refused(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(UnreadableFile):
        read_dialogues(path)


def test_a_session_without_a_date_is_named(tmp_path: Path) -> None:
    document = json.loads(SAMPLE.read_text("utf-8"))
    document[0]["conversation"]["session_2_date_time"] = "yesterday"
    path = tmp_path / "undated.json"
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(UnreadableFile, match="sample-1: session 2"):
        read_dialogues(path)
