"""The cast of the rollback drill, what the honest agent writes, and the poison. All through the real services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from memoryhub.changes.derivations import derive_item
from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.models import MemoryItem, Workspace
from memoryhub.workspaces import create_agent
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory

MARK = "mooncheese"
"""Stands in every poisoned text, so that a served one is recognised by its words as well as by its id."""

NEW, EDITED, REPLACED, VALUES = 35, 10, 5, 20
DERIVED, WAITING = 5, 5
SESSIONS = ("morning", "afternoon")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cast:
    """Who is in the drill: three agents and two owners."""

    workspace: Workspace
    good: Source
    bad: Source
    low: Source
    victim: UUID
    bystander: UUID


def make_cast(workspace: Workspace) -> Cast:
    def source(name: str, tier: int) -> Source:
        agent = create_agent(workspace=workspace, name=name)
        return Source(workspace_id=workspace.id, trust_tier=tier, agent_id=agent.id, transport="command")

    victim, bystander = (
        resolve_owner(workspace_id=workspace.id, ref=ref, create=True).id for ref in ("victim", "bystander")
    )
    return Cast(
        workspace=workspace,
        good=source("honest", 3),
        bad=source("poisoner", 3),
        low=source("untrusted", 1),
        victim=victim,
        bystander=bystander,
    )


def write_honestly(cast: Cast) -> None:
    for owner in (cast.victim, cast.bystander):
        for number in range(VALUES // 2):
            _field(cast.good, owner, number, 1_000 + number)
        for number in range(EDITED):
            _say(cast.good, owner, f"Shelf {number} holds the blue folders", "")
        for number in range(REPLACED):
            _say(cast.good, owner, f"Room {number} is painted white", "", room=number, colour="white")


def poison(cast: Cast) -> None:
    """50 items and 20 form values over two sessions, 5 conclusions from them, and proposals of a key nobody trusts."""
    events = {session: _event(cast, session) for session in SESSIONS}
    for number in range(VALUES):
        _field(cast.bad, cast.victim, number, 666_000 + number, event=events[SESSIONS[number % 2]])
    said = [
        _say(cast.bad, cast.victim, f"Cellar {number} is full of {MARK}", SESSIONS[number % 2])
        for number in range(NEW)
    ]
    for number in range(REPLACED):
        _say(
            cast.bad,
            cast.victim,
            f"Room {number} is painted with {MARK}",
            SESSIONS[number % 2],
            room=number,
            colour=MARK,
        )
    _edit_all(cast)
    for number in range(DERIVED):
        derive_item(
            workspace_id=cast.workspace.id,
            owner_id=cast.victim,
            content=f"The {MARK} of the cellars from {number * 7} on is a habit",
            source_item_ids=said[number * 7 : number * 7 + 7],
        )
    for number in range(WAITING):
        write_field(
            owner_id=cast.victim,
            form_type="user_profile",
            field="budget",
            subject=f"shelf {number}",
            value=1,
            importance=0.9,
            source=cast.low,
        )


def say_again(cast: Cast) -> list[str]:
    """The poisoner repeats a sentence and a value that were rolled back, written a little otherwise."""
    sentence = write_memory(
        owner_id=cast.victim,
        content=f"cellar ０ is FULL of {MARK}!",
        item_kind="semantic",
        source=cast.bad,
    )
    value = write_field(
        owner_id=cast.victim,
        form_type="user_profile",
        field="budget",
        subject="project 0",
        value="６６６，０００",
        source=cast.bad,
    )
    return [sentence.code, value.code]


def _edit_all(cast: Cast) -> None:
    with scope(workspace_id=cast.workspace.id, owners=[cast.victim], purpose="evaluation"):
        shelves = list(
            MemoryItem.objects.of(cast.victim).filter(content__startswith="Shelf", status="active")
        )
    for item in shelves:
        edit_memory(
            owner_id=cast.victim,
            item_id=item.id,
            expected_seq=item.seq,
            changes={"content": item.content.replace("blue folders", MARK)},
            source=cast.bad,
        )


def _event(cast: Cast, session: str) -> UUID:
    recorded = record_event(
        owner_id=cast.victim,
        event=NewEvent(content=f"read from the {session} feed", role="tool", session_ref=session),
        source=cast.bad,
    )
    event_id = recorded.results[0].event_id
    assert event_id is not None
    return event_id


def _field(source: Source, owner_id: UUID, number: int, value: int, event: UUID | None = None) -> None:
    write_field(
        owner_id=owner_id,
        form_type="user_profile",
        field="budget",
        subject=f"project {number}",
        value=value,
        source=source,
        evidence_event_id=event,
        valid_from=timezone.now() - timedelta(days=1 if event else 30),
    )


def _say(
    source: Source, owner_id: UUID, content: str, session: str, room: int | None = None, colour: str = ""
) -> UUID:
    verdict = write_memory(
        owner_id=owner_id,
        content=content,
        item_kind="semantic",
        session_ref=session,
        subject_entity="" if room is None else f"room {room}",
        attribute="" if room is None else "colour",
        value=colour,
        source=source,
    )
    assert verdict.target_id is not None, verdict
    return verdict.target_id
