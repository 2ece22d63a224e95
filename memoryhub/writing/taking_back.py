"""'Just kidding' in the next turn: what the turn before it stated is undone, visibly and so that it can be brought back."""

from __future__ import annotations

from django.db.models import Q

from memoryhub.changes.reverting_plan import decide, read_material
from memoryhub.changes.reverting_writing import (
    Author,
    clock,
    open_change_sets,
    owners_of,
    take_turns,
    write_draft,
)
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Event
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import Verdict

REASONS = {
    "joke": "taken back in the next turn: it was a joke",
    "taken_back": "taken back in the next turn",
}


def take_back(*, act: Act, code: str) -> Verdict | None:
    """Undo what the owner's turn just before this one, in the same session, changed; None when that changed nothing.

    Called in the owner's turn, inside his write scope. A value that something later rests on stays, as in any rollback. What was
    written at a higher trust than this turn's is not touched.
    """
    before = _turn_before(act)
    if before is None or before.trust_tier > act.source.trust_tier:
        return None
    workspace_id = act.owner.workspace_id
    take_turns([act.owner.id], workspace_id=workspace_id)
    now = clock()
    scope = RollbackScope(event_ids=(before.id,), owner_ids=(act.owner.id,))
    draft = decide(read_material(scope, workspace_id=workspace_id, now=now), ticked=())
    if not draft.size:
        return None
    author = Author(agent_id=act.source.agent_id, transport=act.source.transport, reason=REASONS[code])
    change_sets = open_change_sets(
        owners_of(draft), workspace_id=workspace_id, author=author, skipped=draft.skipped
    )
    write_draft(draft, workspace_id=workspace_id, change_sets=change_sets, author=author, moment=now)
    undone = {"event": str(before.id), "change_set": str(change_sets[act.owner.id])}
    return Verdict(outcome="refused", kind="event", code="last_turn_undone", details=undone)


def _turn_before(act: Act) -> Event | None:
    """The owner's last turn of the session before the act's event; None outside a session."""
    event = act.event
    if event is None or not event.session_ref:
        return None
    turns = Event.objects.of(event.owner_id).filter(session_ref=event.session_ref, role=Event.Role.USER)
    earlier = Q(recorded_at__lt=event.recorded_at) | Q(recorded_at=event.recorded_at, id__lt=event.id)
    return turns.filter(earlier).order_by("-recorded_at", "-id").first()
