"""Reading events as JSON lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryhub.evaluation.dialogues import UnreadableFile
from memoryhub.evaluation.event_lines import read_event_lines

SAMPLE = Path(__file__).parent.parent / "data" / "events_sample.jsonl"


def test_lines_become_events_and_blank_ones_are_skipped() -> None:
    events = list(read_event_lines(SAMPLE))
    assert [event.owner for event in events] == ["li.wei", "li.wei", "o'neil"]
    assert events[1].role == "assistant"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2"),
        ('{"owner": "a", "content": "x", "occurred_at": "soon"}', "occurred_at"),
        ('{"owner": "", "content": "x", "occurred_at": "2026-01-01T00:00:00Z"}', "owner"),
        ('{"owner": "a", "content": "x", "occurred_at": "2026-01-01T00:00:00Z", "colour": "red"}', "colour"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(UnreadableFile, match=reason):
        list(read_event_lines(path))
