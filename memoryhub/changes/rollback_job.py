"""A rollback of many changes, in pieces: each piece is one transaction that also counts the progress.

A worker that dies loses at most the piece it was in; the next one goes on behind the last piece that was committed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from memoryhub.changes.reverting_plan import Draft, decide, read_material
from memoryhub.changes.reverting_writing import Author, clock, take_turns, write_draft
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.rollback_skipped import kept_for_others
from memoryhub.database.scope import scope as database_scope
from memoryhub.jobs.ledger import enqueue
from memoryhub.models import Job

KIND = "rollback"
PIECE = 500


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int


def queue_rollback(
    draft: Draft,
    *,
    workspace_id: UUID,
    change_sets: dict[UUID, UUID],
    author: Author,
    ticked: Collection[str],
) -> UUID:
    """Queue the job in the caller's transaction. Its payload holds ids and numbers only.

    A job about one owner is his, so that an agent that reaches him can ask how it stands.
    """
    pieces = _pieces(draft)
    return enqueue(
        kind=KIND,
        workspace_id=workspace_id,
        owner_id=next(iter(change_sets)) if len(change_sets) == 1 else None,
        payload={
            "pieces": pieces,
            "sets": {str(owner): str(change_set) for owner, change_set in change_sets.items()},
            "user": author.user_id,
            "agent": str(author.agent_id) if author.agent_id else None,
            "ticked": list(ticked),
            "next": 0,
            "done": 0,
            "total": draft.size,
        },
    )


def _pieces(draft: Draft) -> list[list[str]]:
    """The changes and inverses to roll back, about PIECE at a time; one slot is never cut apart, a derived item follows."""
    inverse_of = {(i.candidate or {})["of"]: str(i.id) for i in draft.inverses}
    groups = [
        [inverse_of.get(str(change), str(change)) for change in turn.flips if change not in turn.overruled]
        for turn in draft.turns
        if not turn.is_derived
    ]
    groups += [[inverse_of.get(str(c.id), str(c.id))] for c in [*draft.withdrawn, *draft.reproposed]]
    pieces: list[list[str]] = [[]]
    for group in groups:
        if pieces[-1] and len(pieces[-1]) + len(group) > PIECE:
            pieces.append([])
        pieces[-1] += group
    return pieces


def run_rollback(job: Job, *, still_working: Callable[[], None] = lambda: None) -> None:
    """Do the pieces that are left. Raises the owner errors when an owner was frozen or erased meanwhile."""
    assert job.workspace_id is not None
    sets = {UUID(owner): UUID(change_set) for owner, change_set in job.payload["sets"].items()}
    while (at := job.payload["next"]) < len(job.payload["pieces"]):
        _run_piece(job, at, sets)
        still_working()


def _run_piece(job: Job, at: int, sets: dict[UUID, UUID]) -> None:
    assert job.workspace_id is not None
    owners = sorted(sets)
    scope = RollbackScope(change_ids=tuple(UUID(change) for change in job.payload["pieces"][at]))
    with database_scope(workspace_id=job.workspace_id, owners=owners, purpose="rollback", write=True):
        take_turns(owners, workspace_id=job.workspace_id)
        now = clock()
        material = read_material(scope, workspace_id=job.workspace_id, now=now)
        draft = decide(material, ticked=frozenset(job.payload["ticked"]))

        agent = job.payload.get("agent")
        author = Author(user_id=job.payload["user"], agent_id=UUID(agent) if agent else None, transport="job")
        write_draft(draft, workspace_id=job.workspace_id, change_sets=sets, author=author, moment=now)
        # What the memory has made impossible since the plan; the rest stands with the change sets.
        skipped = job.payload.get("skipped", []) + kept_for_others([], draft.skipped)
        job.payload = {
            **job.payload,
            "next": at + 1,
            "done": job.payload["done"] + draft.size,
            "skipped": skipped,
        }
        Job.objects.filter(id=job.id).update(payload=job.payload)


def progress_of(job: Job) -> Progress:
    """How many changes are undone, of how many."""
    return Progress(done=job.payload["done"], total=job.payload["total"])
