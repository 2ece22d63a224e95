"""The plain fusion that the product must not lose against."""

from __future__ import annotations

from pathlib import Path

from memoryhub.evaluation.dialogues import read_dialogues
from memoryhub.evaluation.yardstick import measure_yardstick, window_texts
from memoryhub.language.embedders import build_embedder

SAMPLE = Path(__file__).parent.parent / "data" / "dialogues_sample.json"


def test_windows_stay_inside_their_session() -> None:
    turns = read_dialogues(SAMPLE)[0].turns
    texts = window_texts(turns)
    assert len(texts) == len(turns)
    assert texts[0].count("\n") == 2
    assert texts[5].startswith("3 March 2024\nNora: My sister Ines")
    assert texts[6].startswith("21 April 2024\nTheo: The boat is back")


def test_the_sample_is_answered() -> None:
    report = measure_yardstick(read_dialogues(SAMPLE), embedder=build_embedder("hashed"))
    assert report.overall.questions == 5
    assert report.overall.recall[10] > 0.8
