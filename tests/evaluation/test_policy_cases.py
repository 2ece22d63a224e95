"""Labelled cases for tuning: read whole, refused by line, and falling apart in the same way each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memoryhub.evaluation.dialogues import UnreadableFile
from memoryhub.evaluation.policy_cases import read_cases

SAMPLE = Path("memoryhub/evaluation/data/policy_cases.jsonl")


def written(folder: Path, *cases: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), "utf-8")
    return path


def case(**changes: Any) -> dict[str, Any]:
    memory = {"id": "m1", "text": "Likes tea", "days": 2, "importance": 0.7}
    question = {"query": "What to drink?", "needed": ["m1"]}
    return {"id": "c1", "memories": [memory], "questions": [question], **changes}


def test_the_sample_reads_whole_in_both_languages_and_parts() -> None:
    cases = read_cases(SAMPLE)
    assert len(cases) == 16 and sum(len(one.questions) for one in cases) >= 60
    assert {one.language for one in cases} == {"zh", "en"}
    for part in ("tuning", "held_back"):
        assert {one.language for one in cases if one.part == part} == {"zh", "en"}
    assert [one.part for one in read_cases(SAMPLE)] == [one.part for one in cases]


def test_a_part_may_be_named(tmp_path: Path) -> None:
    found = read_cases(written(tmp_path, case(part="held_back"), case(id="c2", part="tuning")))
    assert [one.part for one in found] == ["held_back", "tuning"]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"questions": [{"query": "x", "needed": ["m9"]}]}, "no memory m9"),
        ({"questions": [{"query": "x"}]}, "needs at least one memory"),
        ({"memories": [{"id": "m1", "text": "x", "days": 1, "importance": 2}]}, "importance is 0 to 1"),
        ({"memories": [{"id": "m1", "text": "x"}]}, "importance"),
        ({"part": "odd"}, "part is one of"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, broken: dict[str, Any], said: str) -> None:
    with pytest.raises(UnreadableFile, match="line 2") as refused:
        read_cases(written(tmp_path, case(), case(id="c2", **broken)))
    assert said in str(refused.value)


def test_an_empty_file_and_an_id_twice_are_refused(tmp_path: Path) -> None:
    for cases, said in (((), "no case"), ((case(), case()), "stands twice")):
        with pytest.raises(UnreadableFile, match=said):
            read_cases(written(tmp_path, *cases))
