"""Writing procedures: by agents (always put before a person), by staff, and by routines that were noticed."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memoryhub.procedures import Procedure
from memoryhub.writing.candidates import Basis, Verdict
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory

IMPORTANCE = 0.8


def write_procedure(
    *,
    owner_id: UUID,
    procedure: Procedure,
    source: Source,
    evidence_event_id: UUID | None = None,
    quote: str = "",
    basis: Basis = "stated",
    waits: bool = False,
    reason: str = "",
) -> Verdict:
    """Write a procedure. From staff it stands at once, or with `waits` after another person's yes (gate `desk_edit`); from anybody
    else it always waits for a person (gate `procedure`).

    Raises InvalidInput naming the place in it, NotFound for an unknown evidence event, and the errors of `write_memory`.
    """
    return write_memory(
        owner_id=owner_id,
        content="",
        item_kind="procedural",
        procedure=procedure,
        source=source,
        evidence_event_id=evidence_event_id,
        quote=quote,
        basis="staff" if source.user_id is not None else basis,
        importance=IMPORTANCE,
        confidence=1.0 if source.user_id is not None else None,
        waits=waits,
        reason=reason,
    )


def propose_procedure(
    *, owner_id: UUID, procedure: Procedure, event_ids: Sequence[UUID], source: Source
) -> Verdict:
    """Propose a routine that was noticed in these events (oldest first); `source` is that of the service, never a person's.

    The newest event is the evidence; all of them stand in the metadata. It always waits for a person.
    """
    return write_memory(
        owner_id=owner_id,
        content="",
        item_kind="procedural",
        procedure=procedure,
        source=source,
        evidence_event_id=event_ids[-1] if event_ids else None,
        basis="observed",
        importance=IMPORTANCE,
        metadata={"routine_events": [str(event_id) for event_id in event_ids]},
    )


def edit_procedure(
    *,
    owner_id: UUID,
    item_id: UUID,
    expected_seq: int,
    procedure: Procedure,
    source: Source,
    waits: bool = False,
    reason: str = "",
) -> Verdict:
    """Put the procedure in other words, steps or triggers: a new version under the same id, as `edit_memory`."""
    return edit_memory(
        owner_id=owner_id,
        item_id=item_id,
        expected_seq=expected_seq,
        changes={"procedure": procedure},
        source=source,
        waits=waits,
        reason=reason,
    )
