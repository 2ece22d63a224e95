"""A rollback of more than 500 changes is a job in pieces that can be taken up again."""

from __future__ import annotations

import pytest

from memoryhub.changes import reverting, rollback_job
from memoryhub.changes.rollback_job import progress_of, run_rollback
from memoryhub.models import Job
from tests.changes.world import World


class WorkerDied(Exception):
    pass


def test_many_changes_are_undone_piece_by_piece_and_a_dead_worker_is_no_harm(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reverting, "MOST_AT_ONCE", 5)
    monkeypatch.setattr(rollback_job, "PIECE", 4)
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    for number in range(9):
        world.say(f"Nonsense number {number}", by=world.bad)
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.job_id is not None
    assert world.values() == [666]
    job = Job.objects.get(id=result.job_id)

    def die() -> None:
        raise WorkerDied

    with pytest.raises(WorkerDied):
        run_rollback(job, still_working=die)
    job = Job.objects.get(id=result.job_id)
    progress = progress_of(job)
    assert (progress.done, progress.total) == (4, 10)
    run_rollback(job)
    assert progress_of(Job.objects.get(id=job.id)).done == 10
    assert (world.values(), world.sentences()) == ([1], [])
    run_rollback(job)
    assert world.values() == [1]
