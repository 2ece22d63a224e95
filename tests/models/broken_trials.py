"""What the constraints of policies on trial and of repeated questions refuse."""

from __future__ import annotations

from typing import Any

from memoryhub.models import PolicyMeasurement, PolicyTrial, RepeatedQuestion
from tests.models.breaks import CHECK, UNIQUE, Break, shares
from tests.models.sound_rows import NOON, Model

ONE, OTHER = 77, 78
VERSION_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e88"


def started(**columns: Any) -> dict[str, Any]:
    """A trial that one person proposed and another started."""
    people = {"proposed_by_id": ONE, "decided_by_id": OTHER}
    return {"state": "running", "decided_at": NOON, "started_at": NOON, **people, **columns}


def ended(**columns: Any) -> dict[str, Any]:
    return started(state="ended", ended_at=NOON, ended_for="decided", halted_by_id=ONE, **columns)


BROKEN_TRIALS: list[Break] = [
    Break(PolicyTrial, "policytrial_state_is_known", CHECK, started(state="odd")),
    Break(PolicyTrial, "a_trial_takes_at_most_half_the_owners", CHECK, {"share": 51}),
    Break(PolicyTrial, "a_trial_takes_at_most_half_the_owners", CHECK, {"share": 0}, "-0"),
    Break(PolicyTrial, "a_trial_is_decided_by_somebody", CHECK, started(decided_at=None)),
    Break(PolicyTrial, "nobody_starts_his_own_trial", CHECK, started(decided_by_id=ONE)),
    Break(PolicyTrial, "nobody_ends_a_trial_alone", CHECK, ended(ended_by_id=ONE)),
    Break(PolicyTrial, "nobody_ends_a_trial_alone", CHECK, ended(), "-nobody"),
    Break(PolicyTrial, "a_trial_is_halted_by_somebody", CHECK, started(state="halted")),
    Break(
        PolicyTrial,
        "a_trial_compares_two_versions",
        CHECK,
        {"version_id": VERSION_ID, "control_id": VERSION_ID},
    ),
    Break(PolicyTrial, "a_trial_that_ran_has_a_start", CHECK, {"started_at": NOON}),
    Break(PolicyTrial, "an_ended_trial_has_an_end", CHECK, {"ended_for": "decided"}),
    Break(PolicyMeasurement, "parts_are_no_more_than_the_whole", CHECK, {"polluted": 3}),
    Break(PolicyMeasurement, "parts_are_no_more_than_the_whole", CHECK, {"missing": 2}, "-missing"),
    Break(RepeatedQuestion, "one_repeat_per_pair", UNIQUE),
    Break(RepeatedQuestion, "repeatedquestion_sign_is_known", CHECK, {"sign": "odd"}),
    Break(RepeatedQuestion, "a_repeat_comes_later", CHECK, {"earlier_at": NOON}),
    *shares(RepeatedQuestion, "likeness"),
]

TRIALS_TWICE: dict[str, tuple[Model, dict[str, Any]]] = {
    "one_trial_per_number": (PolicyTrial, {"state": "withdrawn"}),
    "one_proposed_trial_per_version": (PolicyTrial, {}),
    "one_running_trial_per_workspace": (PolicyTrial, started()),
}
