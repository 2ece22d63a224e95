"""An event that another act brings along, an answer or a report: recorded and settled in the act's own transaction.

No job reads it again: what it says is what the act does with it.
"""

from __future__ import annotations

from memoryhub import audit
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Event
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, event_entry, event_fault, event_row
from memoryhub.writing.verdicts import as_json


def note_event(event: NewEvent, *, act: Act) -> Event:
    """Record the event now; it is searchable when the act is finished. Raises InvalidInput naming the field, NotFound for an unknown cause."""
    if fault := event_fault(0, event):
        raise InvalidInput(fault.message, field=fault.field, code=fault.code)
    owner_id = act.owner.id
    if event.caused_by_id and not Event.objects.of(owner_id).filter(id=event.caused_by_id).exists():
        raise NotFound("no such event of this owner", field="event")
    row = event_row(act.owner, event, b"", act.source, act.now)
    row.state, row.processed_at = Event.State.PROCESSED, act.now
    row.save(force_insert=True)
    act.index(event_entry(row))
    audit.record(
        audit.entry(
            action="events.recorded",
            workspace_id=act.owner.workspace_id,
            owner_id=owner_id,
            object_kind="event",
            object_id=row.id,
            content=row.content.encode("utf-8", "surrogatepass"),
            details={"count": 1, "act": act.name},
        )
    )
    return row


def settle_noted(event: Event, verdicts: list[Verdict]) -> None:
    """Keep on a noted event what became of what it says."""
    Event.objects.of(event.owner_id).filter(id=event.id).update(outcome=as_json(verdicts))
