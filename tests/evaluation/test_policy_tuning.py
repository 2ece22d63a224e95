"""Which way to move a policy: from the errors of a replayed set, decided on one part and confirmed by the other."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryhub.evaluation.policy_replay import Errors
from memoryhub.evaluation.policy_tuning import Setting, Tried, grid_around, judge, setting_of
from memoryhub.models import AuditEntry, PolicyMeasurement, Workspace
from memoryhub.policies import Policy
from tests.builders import make_workspace, put_policy
from tests.evaluation.test_policy_cases import case, written

AT = Setting(importance=0.6, decay=0.01, top_k=5, budget=800)


def tried(missing: int, irrelevant: int, *, held: tuple[int, int] = (50, 50), **moved: Any) -> Tried:
    """A setting with so many of a hundred missing and irrelevant in the tuning part, and in the part held back."""
    setting = Setting(
        **{name: moved.get(name, getattr(AT, name)) for name in ("importance", "decay", "top_k", "budget")}
    )
    parts = {"tuning": (missing, irrelevant), "held_back": held}
    errors = {
        part: Errors(questions=50, needed=100, missing=lost, lines=100, irrelevant=beside)
        for part, (lost, beside) in parts.items()
    }
    return Tried(setting=setting, errors=errors)  # type: ignore[arg-type]


def said(*settings: Tried) -> list[tuple[str, bool, bool]]:
    return [(one.move, one.helps, one.is_confirmed) for one in judge(settings, at=AT).advice]


def test_lacking_background_lowers_the_threshold() -> None:
    assert said(tried(30, 10), tried(5, 12, importance=0.5, held=(20, 50)), tried(40, 5, importance=0.7)) == [
        ("lower the importance threshold", True, True)
    ]


def test_old_matter_raises_the_decay_or_lowers_top_k_and_says_what_does_not_help() -> None:
    found = said(
        tried(2, 60),
        tried(2, 40, top_k=3, held=(50, 60)),
        tried(2, 60, decay=0.03),
        tried(9, 20, top_k=3, decay=0.03),  # moves two numbers: no advice
    )
    assert found == [("lower top_k", True, False), ("raise λ", False, False)]


def test_where_little_is_wrong_nothing_is_advised() -> None:
    tuning = judge([tried(2, 10), tried(1, 5, importance=0.5)], at=AT)
    assert tuning.advice == []
    assert tuning.best.setting.importance == 0.5
    assert set(tuning.as_json()) == {"in_force", "best", "advice", "settings"}


def test_a_setting_is_the_policy_it_was_taken_from() -> None:
    policy = Policy()
    at = setting_of(policy)
    assert at.decay == pytest.approx(-math.log(0.9) / 7)
    again = at.on(policy)
    assert again.recency_base == pytest.approx(policy.recency_base)
    assert (again.least_importance, again.top_k, again.budget_tokens) == (0.6, 5, 800)
    assert at in grid_around(policy).settings
    assert (
        len(grid_around(policy, importances=[0.5], decays=[0.02], top_ks=[3], budgets=[200]).settings) == 16
    )


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Two owners: what is needed has importance 0.5, and old matter is near the question."""
    memories = [
        {"id": "new", "text": "The parcel goes to the neighbour upstairs", "days": 3, "importance": 0.5},
        {"id": "old", "text": "The parcel used to go to the office", "days": 700, "importance": 0.7},
        {"id": "cat", "text": "The customer has a cat", "days": 30, "importance": 0.7},
    ]
    questions = [{"query": "Where does the parcel go?", "needed": ["new"], "fair": ["cat"]}]
    return written(
        tmp_path,
        case(part="tuning", memories=memories, questions=questions),
        case(id="c2", part="held_back", memories=memories, questions=questions),
    )


def test_the_commands_replay_the_set_and_note_a_measurement(
    committing_db: str, cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = setting_of(Policy())
    grid = {"importance": "0.5", "decay": repr(at.decay), "top_k": "5", "budget": "800"}
    given = [f"--{name.replace('_', '-')}={value}" for name, value in grid.items()]
    call_command("tune_policy", str(cases), *given, "--json", str(tmp_path / "out.json"))
    shown = capsys.readouterr().out
    assert "lacking background → lower the importance threshold to 0.5: missing 100.0% → 0.0%" in shown
    tuned = json.loads((tmp_path / "out.json").read_text())
    assert tuned["in_force"]["tuning"]["missing_context"] == 1.0
    assert tuned["in_force"]["tuning"]["older_than_needed"] == 1
    assert tuned["advice"][0]["held_back"]["missing"] == 0
    workspace = make_workspace(slug="shop")
    version = put_policy(workspace_id=workspace.id, least_importance=0.5, top_k=8)
    told = io.StringIO()
    call_command("measure_policy", str(cases), workspace="shop", number=version.number, stdout=told)
    noted = PolicyMeasurement.objects.get(version=version)
    assert (noted.labelled_set, noted.questions, noted.needed, noted.missing) == ("cases.jsonl", 2, 2, 0)
    assert AuditEntry.objects.get(action="policy.measured").details["polluted"] == 2
    assert "100 lines are needed" in told.getvalue() and noted.polluted == 2
    assert set(Workspace.objects.filter(is_scratch=False).values_list("slug", flat=True)) == {"shop"}
    for arguments, why in (
        ([str(cases), "--workspace", "shop", "--number", "9"], "no version 9"),
        ([str(cases), "--workspace", "none", "--number", "1"], "no workspace none"),
        (["/nowhere", "--workspace", "shop", "--number", "1"], "nowhere"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("measure_policy", *arguments)
