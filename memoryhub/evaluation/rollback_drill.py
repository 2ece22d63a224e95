"""The poison drill: one agent pollutes an owner's memory, recalls serve some of it, and one rollback takes all of it back.

Everything goes through the real services in a scratch workspace. Each expectation is checked against the database, the recalls
that served the poison are counted a second time without the blast radius, and the rollback is rolled back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.utils import timezone

from memoryhub.changes.blast_radius import blast_radius
from memoryhub.changes.rebuilding import rebuild_state, state_hash, stored_state
from memoryhub.changes.reverting import RollbackResult, execute_rollback, plan_rollback
from memoryhub.changes.reverting_writing import clock
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.database.scope import scope
from memoryhub.evaluation.checks import Checks
from memoryhub.evaluation.poison import (
    DERIVED,
    EDITED,
    MARK,
    NEW,
    REPLACED,
    VALUES,
    WAITING,
    Cast,
    make_cast,
    poison,
    say_again,
    write_honestly,
)
from memoryhub.models import Change, FieldVersion, MemoryItem, Recall, Workspace
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing

RECALLS = 100
MOST_SECONDS = 2.0
REFUSED = "rejected_before"


def run_rollback_drill(
    workspace: Workspace, *, progress: Callable[[str], None] = lambda step: None
) -> Checks:
    """Run the drill in an empty scratch workspace. The figure `seconds` is how long the rollback of the poison took."""
    cast, report = make_cast(workspace), Checks(title="rollback of the poison")
    progress("an honest memory")
    write_honestly(cast)
    clean = _states(cast)
    progress("poison")
    began = _clock(cast)
    poison(cast)
    wanted = RollbackScope(agent_id=cast.bad.agent_id, since=began, until=_clock(cast))
    poisoned = _states(cast)
    _embed(cast)
    progress("recalls")
    asked = [_ask(cast, number) for number in range(RECALLS)]
    report.expect("recalls that told the poison", True, any(MARK in text for text in asked))
    others = _others_hash(cast)
    progress("rollback")
    result = _roll_back(cast, wanted, report)
    report.expect(
        "every value is back to its exact earlier text, or gone", clean.content, _states(cast).content
    )
    report.expect("the state equals the one before the poison", clean.hash, _states(cast).hash)
    report.expect("rows of the other owner and of the other agents", others, _others_hash(cast))
    report.expect("poisoned values still believed", 0, _believed_poison(cast))
    report.expect("proposals of the tier-1 key that still wait", WAITING, _waiting(cast))
    progress("recalls after the rollback")
    reached = _recalls_that_told_poison(cast)
    again = [_ask(cast, number) for number in range(RECALLS)]
    report.expect("recalls that told the poison afterwards", 0, sum(MARK in text for text in again))
    report.expect("recalls with a poisoned id afterwards", reached, _recalls_that_told_poison(cast))
    report.expect(
        "restored sentences are recalled again", True, any("blue folders" in text for text in again)
    )
    report.expect("refused when the poisoner says it again", [REFUSED] * 2, say_again(cast))
    radius = blast_radius(workspace_id=workspace.id, scope=wanted)
    report.expect(
        "the blast radius names exactly the recalls", sorted(reached), sorted(map(str, radius.recall_ids))
    )
    progress("rolling the rollback back")
    undone = _execute(cast, result.undo_scope)
    report.expect("undone, the state equals the poisoned one", poisoned.hash, _states(cast).hash)
    _execute(cast, undone.undo_scope)
    report.expect("rolled back once more, the state equals the clean one", clean.hash, _states(cast).hash)
    report.expect("the state rebuilt from the changes alone", _states(cast).content, _rebuilt(cast))
    return report


def _embed(cast: Cast) -> None:
    for owner_id in (cast.victim, cast.bystander):
        while embed_missing(workspace_id=cast.workspace.id, owner_id=owner_id).stored:
            pass


def _ask(cast: Cast, number: int) -> str:
    """One recall; every second one asks for something that was poisoned."""
    questions = (
        f"what is in cellar {number % NEW}?",
        f"budget of project {number % VALUES}",
        f"what colour is room {number % REPLACED}",
        f"what holds shelf {number % EDITED}",
        "what is a habit about the cellars?",
    )
    owner_id = cast.bystander if number % 10 == 9 else cast.victim
    answer = recall(
        workspace_id=cast.workspace.id,
        owner_id=owner_id,
        request=RecallRequest(query=questions[number % len(questions)], session_ref=f"asking-{number % 4}"),
        caller=Caller(agent_id=cast.good.agent_id),
    )
    return answer.text


def _roll_back(cast: Cast, wanted: RollbackScope, report: Checks) -> RollbackResult:
    plan = plan_rollback(workspace_id=cast.workspace.id, scope=wanted)
    report.expect(
        "items and values in the preview", NEW + EDITED + REPLACED + VALUES + DERIVED, len(plan.items)
    )
    report.expect("derived items in the preview", DERIVED, sum(item.is_derived for item in plan.items))
    report.expect("conflicts in the preview", 0, len(plan.conflicts))
    report.expect("recalls in the preview", len(_recalls_that_told_poison(cast)), plan.recalls)
    began = time.monotonic()
    result = execute_rollback(
        workspace_id=cast.workspace.id,
        scope=plan.scope,
        digest=plan.digest,
        user_id=None,
        reason=plan.reason,
        transport="command",
    )
    seconds = report.figures["seconds"] = round(time.monotonic() - began, 3)
    report.expect("the preview's numbers equal the result", plan.counts, result.counts)
    report.expect(f"done within {MOST_SECONDS:g} s", True, seconds <= MOST_SECONDS)
    return result


def _execute(cast: Cast, wanted: RollbackScope) -> RollbackResult:
    plan = plan_rollback(workspace_id=cast.workspace.id, scope=wanted)
    return execute_rollback(
        workspace_id=cast.workspace.id,
        scope=plan.scope,
        digest=plan.digest,
        user_id=None,
        transport="command",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _State:
    content: list[tuple[str, ...]]
    hash: str


def _states(cast: Cast) -> _State:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        return _State(
            content=sorted(stored_state(owner_id=cast.victim)), hash=state_hash(owner_id=cast.victim)
        )


def _rebuilt(cast: Cast) -> list[tuple[str, ...]]:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        return sorted(rebuild_state(owner_id=cast.victim, now=timezone.now()))


def _others_hash(cast: Cast) -> str:
    """Over all that the other owner holds, and over the content of what the other agents wrote about the victim."""
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim, cast.bystander], purpose="evaluation"):
        own = state_hash(owner_id=cast.bystander)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT md5(string_agg(told, '|' ORDER BY told)) FROM ("
                " SELECT DISTINCT v.value::text AS told FROM memoryhub_fieldversion v"
                " WHERE v.owner_id = %(victim)s AND v.agent_id = %(good)s"
                " UNION SELECT DISTINCT i.content FROM memoryhub_memoryitem i"
                " WHERE i.owner_id = %(victim)s AND i.agent_id = %(good)s"
                " UNION SELECT c.id::text || c.state FROM memoryhub_change c"
                " WHERE c.owner_id = %(victim)s AND c.agent_id IN (%(good)s, %(low)s)) rows",
                {"victim": cast.victim, "good": cast.good.agent_id, "low": cast.low.agent_id},
            )
            return f"{own} {cursor.fetchone()[0]}"


def _poison_ids(cast: Cast) -> set[str]:
    """The ids of every row the poisoner wrote or that was concluded from it."""
    versions = FieldVersion.objects.of(cast.victim).filter(agent_id=cast.bad.agent_id)
    items = MemoryItem.objects.of(cast.victim).filter(content__contains=MARK)
    return {str(row) for rows in (versions, items) for row in rows.values_list("id", flat=True)}


def _believed_poison(cast: Cast) -> int:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        ids = _poison_ids(cast)
        versions = FieldVersion.objects.of(cast.victim).filter(id__in=ids, known_until=None)
        return (
            versions.count() + MemoryItem.objects.of(cast.victim).filter(id__in=ids, known_until=None).count()
        )


def _waiting(cast: Cast) -> int:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        return Change.objects.of(cast.victim).filter(agent_id=cast.low.agent_id, state="proposed").count()


def _recalls_that_told_poison(cast: Cast) -> list[str]:
    """Counted in Python from the traces, without the query of the blast radius."""
    with scope(workspace_id=cast.workspace.id, owners="workspace", purpose="evaluation"):
        ids = _poison_ids(cast)
        traces = Recall.objects.filter(workspace_id=cast.workspace.id).values_list("id", "served")
        return sorted(
            str(recall_id) for recall_id, served in traces if any(ids & set(line["ids"]) for line in served)
        )


def _clock(cast: Cast) -> datetime:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        return clock()
