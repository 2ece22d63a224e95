"""The scripted conversations, how they are judged, and a few of them told to a real memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from memoryhub.evaluation.decision_baseline import CHUNK_TOKENS, chunks_of, judge_statements
from memoryhub.evaluation.decision_judging import fits
from memoryhub.evaluation.decision_quality import evaluate_conversations
from memoryhub.evaluation.decision_report import report_decisions
from memoryhub.evaluation.decisions import (
    Turn,
    UnreadableDecisions,
    read_conversation_file,
    read_conversations,
    small_talk_of,
)
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.language.embedders import build_embedder
from tests.repeats import FULL

SHORT = {"dz01", "dz07", "dz12", "dz13", "de02", "de04", "de09", "de12"}


def test_the_suite_is_as_large_and_as_long_as_it_should_be() -> None:
    conversations = read_conversations("develop")
    assert len({conversation.id for conversation in conversations}) == len(conversations) >= 60
    languages = [conversation.language for conversation in conversations]
    assert languages.count("zh") == languages.count("en")
    assert sum(conversation.is_long for conversation in conversations) >= 10
    assert any(
        point.turns >= 87 and point.check.shows for each in conversations for point in each.checkpoints
    )
    assert all(len(set(small_talk_of(language))) >= 80 for language in ("zh", "en"))


def test_small_talk_is_the_same_every_time_and_keeps_question_and_answer_together() -> None:
    one, again = (next(each for each in read_conversations("develop") if each.is_long) for _ in range(2))
    assert one.turns == again.turns
    answers = [place for place, turn in enumerate(one.turns) if turn.role == "assistant"]
    assert all(one.turns[place - 1].role == "user" for place in answers[:-1])


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 1"),
        ('{"id": "x", "language": "zh", "kind": "plan", "turns": [{"check": {"topic": "plan", "now": ["A"]}}]}', "fields"),
        ('{"id": "x", "language": "zh", "kind": "plan", "turns": [{"check": {"topic": "plan", "shows": ["A"]}}]}', "states plan"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_conversation_is_named(tmp_path: Path, line: str, fault: str) -> None:
    (tmp_path / "lines.jsonl").write_text(line + "\n", "utf-8")
    with pytest.raises(UnreadableDecisions, match=fault):
        read_conversation_file(tmp_path / "lines.jsonl")


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDecisions, match=r"decisions_none\.jsonl cannot be read"):
        read_conversation_file(tmp_path / "decisions_none.jsonl")


def test_spellings_compare_by_type() -> None:
    assert fits("方案 B", ["方案b"], "text")
    assert fits("3 Rose Court, Leeds", ["3 Rose Court"], "text")
    assert not fits("plan B", ["A"], "text")
    assert fits("15000 USD", ["15000"], "money")
    assert not fits(150000, ["15000"], "money")
    assert not fits("dislikes", ["likes"], "choice")


def test_the_baseline_shows_what_is_read_first_and_a_perfect_reader_sees_more() -> None:
    told = judge_statements([0, 4, 9], [0, 4, 9], with_path=True)
    assert (told.current, told.path, told.stale, told.read_well) == (False, True, True, True)
    newest_first = judge_statements([4, 0], [0, 4], with_path=True)
    assert (newest_first.current, newest_first.path, newest_first.read_well) == (True, False, True)
    lost = judge_statements([0], [0, 4], with_path=True)
    assert (lost.current, lost.stale, lost.read_well) == (False, True, False)
    nothing = judge_statements([], [0], with_path=False)
    assert (nothing.current, nothing.path, nothing.stale, nothing.read_well) == (False, None, False, False)
    once = judge_statements([3], [3], with_path=False)
    assert (once.current, once.stale) == (True, False)


def test_chunks_hold_whole_turns() -> None:
    turns = [Turn(role="user", text="word " * 200, day=0) for _ in range(5)]
    assert chunks_of(turns) == [(0, 2), (2, 4), (4, 5)]
    assert chunks_of([Turn(role="user", text="word " * (CHUNK_TOKENS + 1), day=0)]) == [(0, 1)]
    assert chunks_of([]) == []


def test_a_few_conversations_told_to_a_real_memory(committing_db: str) -> None:
    few = [each for each in read_conversations("develop") if each.id in SHORT]
    with scratch_workspace(keep=False) as workspace:
        checked = evaluate_conversations(few, workspace=workspace, embedder=build_embedder("hashed"))
    report = report_decisions(checked, half="develop")
    assert report.failures == []
    assert report.shortfalls() == []
    assert (report.whole.conversations, report.whole.current, report.whole.stale) == (len(SHORT), 1.0, 0.0)
    assert report.whole.baseline_current < report.whole.baseline_read_well
    assert {"zh", "en", "kind: plan", "shorter", "all"} <= set(report.as_json()["groups"])


@pytest.mark.deep
@pytest.mark.skipif(not FULL, reason="the whole suite takes minutes; `make test-deep` runs it")
def test_the_whole_suite_reaches_its_targets(committing_db: str) -> None:
    call_command("evaluate_decisions", half="develop")
