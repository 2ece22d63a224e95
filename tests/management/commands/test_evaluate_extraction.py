"""`manage.py evaluate_extraction` on a few lines: the table, the misses, the JSON and the bounds."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memoryhub.evaluation import utterances

LINES = [
    {
        "id": "d-en-1",
        "language": "en",
        "text": "I live in Ghent",
        "expected": [{"kind": "field", "field": "user_profile.location", "value": "Ghent"}],
        "negative": None,
    },
    {
        "id": "d-en-2",
        "language": "en",
        "text": "Purple elephants everywhere",
        "expected": [{"kind": "field", "field": "user_profile.pet", "value": "elephant"}],
        "negative": None,
    },
    {"id": "d-en-3", "language": "en", "text": "Where do I live?", "expected": [], "negative": "question"},
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = "\n".join(json.dumps(line) for line in LINES)
    (tmp_path / "some.jsonl").write_text(lines + "\n", "utf-8")
    monkeypatch.setattr(utterances, "_DATA", tmp_path)
    monkeypatch.setattr(utterances, "FILES", dict.fromkeys(utterances.HALVES, ("some.jsonl",)))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("evaluate_extraction", *options, stdout=StringIO())
    return capsys.readouterr().out


def test_it_lists_the_misses_of_the_develop_half_only(
    committing_db: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "missed field user_profile.pet" in run(capsys, "--half", "develop", "--misses")
    assert "missed field" not in run(capsys, "--half", "report", "--misses")


def test_it_writes_json_and_fails_below_a_bound(
    committing_db: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "report.json"
    run(capsys, "--half", "both", "--json", str(path), "--min-precision", "0.9")
    assert [report["en"]["field"]["recall"] for report in json.loads(path.read_text())] == [0.5, 0.5]
    with pytest.raises(CommandError, match=r"recall 0\.500 is below 0\.75"):
        run(capsys, "--half", "report", "--min-recall", "0.75")


def test_without_a_model_it_says_so_and_runs_the_rules(
    committing_db: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, "--half", "develop", "--extractor", "model")
    assert "No model is configured" in out
    assert "develop half, rules" in out
