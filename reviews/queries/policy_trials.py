"""Trials of policies as the desk shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryhub.models import PolicyTrial, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.names import staff_names


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialRow:
    """A trial with the names of who proposed, decided, halted and ended it."""

    trial: PolicyTrial
    proposed_by: str
    decided_by: str
    halted_by: str
    ended_by: str

    @property
    def place(self) -> Key:
        return (str(self.trial.number),)


def list_trials(*, workspace: Workspace, cursor: Cursor | None) -> Page[TrialRow]:
    """A page of trials, the newest first: two statements with the names."""
    trials = PolicyTrial.objects.filter(workspace=workspace).select_related("version", "control")
    backwards = cursor is not None and cursor.direction == "newer"
    if cursor is not None and cursor.place[0].isdigit() and len(cursor.place[0]) < 9:
        trials = trials.filter(**{"number__gt" if backwards else "number__lt": int(cursor.place[0])})
    found = list(trials.order_by("number" if backwards else "-number")[: PAGE_SIZE + 1])
    return page_of(_rows(found), cursor=cursor)


def trial_row(trial: PolicyTrial) -> TrialRow:
    return _rows([trial])[0]


def _rows(trials: Sequence[PolicyTrial]) -> list[TrialRow]:
    names = staff_names(
        i for t in trials for i in (t.proposed_by_id, t.decided_by_id, t.halted_by_id, t.ended_by_id)
    )
    return [
        TrialRow(
            trial=trial,
            proposed_by=names.get(trial.proposed_by_id, ""),
            decided_by=names.get(trial.decided_by_id, ""),
            halted_by=names.get(trial.halted_by_id, ""),
            ended_by=names.get(trial.ended_by_id, ""),
        )
        for trial in trials
    ]
