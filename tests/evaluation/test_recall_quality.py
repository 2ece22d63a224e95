"""The whole path on a small conversation of our own: imported, asked, measured, purged."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command

from memoryhub.database.scope import scope
from memoryhub.evaluation.dialogues import Dialogue, DialogueTurn, Question, read_dialogues
from memoryhub.evaluation.recall_quality import (
    distinct_events,
    evaluate_recall,
    purge_workspace,
    scratch_workspace,
)
from memoryhub.language.embedders import build_embedder
from memoryhub.models import Event, Owner, Workspace
from memoryhub.recall.answers import Parts, Ranked
from memoryhub.workspaces import create_workspace

SAMPLE = Path(__file__).parent.parent / "data" / "dialogues_sample.json"


def ranked(*event_ids: UUID) -> Ranked:
    return Ranked(
        kind="event",
        target_id=uuid4(),
        owner_id=uuid4(),
        item_kind="",
        text="",
        score=0.5,
        parts=Parts(),
        legs=(),
        event_ids=event_ids,
        occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
        certainty="fact",
        source="user",
        trust_tier=3,
        importance=0.5,
    )


def events_of(workspace: Workspace) -> int:
    with scope(workspace_id=workspace.id, owners="workspace", purpose="evaluation"):
        return Event.objects.filter(workspace_id=workspace.id).count()


def test_the_ranked_list_is_of_distinct_first_evidence_events() -> None:
    first, second, third = uuid4(), uuid4(), uuid4()
    assert distinct_events([ranked(first), ranked(second, third), ranked(first), ranked()]) == [first, second]


def test_the_sample_is_imported_asked_and_purged(committing_db: str) -> None:
    done: dict[str, int] = {}
    with scratch_workspace(keep=False) as workspace:
        report = evaluate_recall(
            read_dialogues(SAMPLE),
            workspace=workspace,
            embedder=build_embedder("hashed"),
            progress=lambda step, count: done.update({step: done.get(step, 0) + count}),
        )
        assert events_of(workspace) == 12
    assert (done["turns"], done["questions"]) == (12, 7)
    assert report.overall.questions == 5
    assert report.overall.recall[10] >= 0.8
    assert report.overall.tokens > 0
    assert report.facts["unresolvable_evidence"] == 3
    assert report.facts["questions_without_evidence"] == 1
    assert events_of(workspace) == 0
    assert not Owner.objects.filter(workspace=workspace).exists()


def test_a_question_that_names_a_day_is_answered_by_the_time_leg(committing_db: str) -> None:
    spoken = datetime(2023, 5, 8, 14, tzinfo=UTC)
    turns = tuple(
        DialogueTurn(id=f"D1:{number}", speaker="Ann", text=text, occurred_at=spoken, session="session_1")
        for number, text in enumerate(("I planted roses.", "The soup was good.", "Rain again."), 1)
    )
    asked = [("What did Ann do on 8 May 2023?", ("D1:1",)), ("Does Ann like soup?", ("D1:2",))]
    questions = tuple(Question(text=text, category=2, evidence=evidence) for text, evidence in asked)
    with scratch_workspace(keep=False) as workspace:
        report = evaluate_recall(
            [Dialogue(name="garden", turns=turns, questions=questions)],
            workspace=workspace,
            embedder=build_embedder("hashed"),
            progress=lambda step, count: None,
        )
    assert (report.categories["temporal"].questions, report.categories["temporal"].by_time) == (2, 1)


def test_only_a_scratch_workspace_may_be_purged(committing_db: str) -> None:
    with pytest.raises(ValueError, match="not a scratch workspace"):
        purge_workspace(create_workspace(slug="real", name="Real"))


def test_the_command_writes_its_report_and_holds_the_floor(committing_db: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    call_command(
        "evaluate_recall", str(SAMPLE), json=str(path), min_recall10=0.5, yardstick=True, split="random"
    )
    report = json.loads(path.read_text("utf-8"))
    assert set(report["categories"]) == {"multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}
    assert 0.5 <= report["overall"]["recall@10"] <= 1.0
    assert report["overall"]["p95_ms"] >= report["overall"]["p50_ms"] > 0
    assert 0.5 <= report["overall"]["served"] <= 1.0
    assert report["random_halves"]["all but adversarial"]["mean"] > 0.5
    assert report["yardstick"]["overall"]["questions"] == 5
    with pytest.raises(CommandError, match="below 1"):
        call_command("evaluate_recall", str(SAMPLE), min_recall10=1.5)


def test_the_command_imports_into_the_only_workspace(committing_db: str, tmp_path: Path) -> None:
    workspace = create_workspace(slug="main", name="Main")
    path = tmp_path / "report.json"
    call_command("import_conversations", str(SAMPLE), json=str(path))
    call_command("import_conversations", str(SAMPLE), json=str(path))
    assert json.loads(path.read_text("utf-8"))["owners"] == [
        {"owner": "sample-1", "recorded": 0, "known": 12, "refused": []}
    ]
    assert events_of(workspace) == 12
    assert Workspace.objects.filter(is_scratch=True).count() == 0


@pytest.mark.parametrize("name", ["missing.json", "missing.jsonl"])
def test_a_missing_file_is_one_clear_sentence(committing_db: str, tmp_path: Path, name: str) -> None:
    create_workspace(slug="main", name="Main")
    with pytest.raises(CommandError, match="missing"):
        call_command("import_conversations", str(tmp_path / name))
