"""Suspect values, and incidents with everything their source reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memoryhub.changes.blast_radius import BlastRadius, ServedLine, TracedValue, blast_radius
from memoryhub.changes.incidents import scope_of
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.suspects import Suspect, suspects
from memoryhub.models import Agent, ApiKey, Incident, Owner, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.names import owners_by_id, staff_names
from reviews.queries.rollbacks import RollbackRow, list_rollbacks, rollbacks_named

MOST_LISTED = 100
MOST_SUSPECTS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class SuspectRow:
    suspect: Suspect
    owner: Owner


def list_suspects(*, workspace: Workspace, agent: str = "", signal: str = "") -> list[SuspectRow]:
    """The most suspect live values, worst first; only those of an agent, or with a signal, if that is asked."""
    found = suspects(workspace_id=workspace.id, limit=MOST_SUSPECTS)
    owners = owners_by_id(workspace=workspace, ids={row.owner_id for row in found})
    return [
        SuspectRow(suspect=row, owner=owners[row.owner_id])
        for row in found
        if row.owner_id in owners
        and (not agent or str(row.agent_id) == agent)
        and (not signal or signal in {one.code for one in row.signals})
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentRow:
    incident: Incident
    opened_by: str

    @property
    def place(self) -> Key:
        return moment_place(self.incident.created_at, self.incident.id)


def list_incidents(
    *, workspace: Workspace, state: str = "", cursor: Cursor | None = None
) -> Page[IncidentRow]:
    rows = Incident.objects.filter(workspace_id=workspace.id)
    rows = rows.filter(state=state) if state else rows
    rows = rows.filter(beyond(cursor, column="created_at")).order_by(*order(cursor, column="created_at"))
    found = list(rows[: PAGE_SIZE + 1])
    names = staff_names(row.opened_by_id for row in found)
    return page_of(
        [IncidentRow(incident=row, opened_by=names.get(row.opened_by_id, "")) for row in found], cursor=cursor
    )


def all_incidents(*, workspace: Workspace, state: str, most: int) -> list[IncidentRow]:
    """The incidents of a state, '' for all, the newest first, at most `most`."""
    rows = Incident.objects.filter(workspace_id=workspace.id, **({"state": state} if state else {}))
    found = list(rows.order_by("-created_at", "-id")[:most])
    names = staff_names(row.opened_by_id for row in found)
    return [IncidentRow(incident=row, opened_by=names.get(row.opened_by_id, "")) for row in found]


def find_incident(*, workspace: Workspace, incident_id: UUID) -> Incident | None:
    return Incident.objects.filter(workspace_id=workspace.id, id=incident_id).first()


@dataclass(frozen=True, kw_only=True, slots=True)
class Traced:
    """What a source reached, with the owners it names and how the scope reads."""

    radius: BlastRadius
    owners: Mapping[UUID, Owner]
    agent: str
    key: str

    @property
    def values(self) -> Sequence[TracedValue]:
        return self.radius.values[:MOST_LISTED]

    @property
    def lines(self) -> Sequence[tuple[ServedLine, TracedValue]]:
        """The newest served lines with what they told."""
        by_id = {value.id: value for value in self.radius.values}
        newest = list(reversed(self.radius.lines))[:MOST_LISTED]
        return [(line, by_id[line.target_id]) for line in newest]

    @property
    def recalls(self) -> int:
        return len(self.radius.recall_ids)


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentDetail(Traced):
    incident: Incident
    rollbacks: Sequence[RollbackRow]
    attachable: Sequence[RollbackRow]
    names: Mapping[int | None, str]


def trace(*, workspace: Workspace, scope: RollbackScope) -> Traced:
    """What the source reached as of now, and whose memory it is; nothing of owners who are being erased.

    Raises InvalidInput for an empty scope or range.
    """
    found = blast_radius(workspace_id=workspace.id, scope=scope)
    ids = {value.owner_id for value in found.values} | {line.owner_id for line in found.lines}
    owners = owners_by_id(workspace=workspace, ids=ids | set(scope.owner_ids))
    values = tuple(value for value in found.values if value.owner_id in owners)
    known = {value.id for value in values}
    lines = tuple(line for line in found.lines if line.owner_id in owners and line.target_id in known)
    agent = Agent.objects.filter(workspace=workspace, id=scope.agent_id).first() if scope.agent_id else None
    key = (
        ApiKey.objects.filter(agent__workspace=workspace, id=scope.api_key_id).first()
        if scope.api_key_id
        else None
    )
    return Traced(
        radius=replace(found, values=values, lines=lines),
        owners=owners,
        agent=agent.name if agent else "",
        key=(key.label or key.key_id) if key else "",
    )


def incident_detail(*, workspace: Workspace, incident: Incident) -> IncidentDetail:
    """The incident, what its source reached as of now, and the rollbacks made for it."""
    found = trace(workspace=workspace, scope=scope_of(incident))
    attached = rollbacks_named(workspace=workspace, ids=incident.change_set_ids)
    recent = list_rollbacks(workspace=workspace).rows if incident.state == "open" else []
    return IncidentDetail(
        incident=incident,
        radius=found.radius,
        owners=found.owners,
        agent=found.agent,
        key=found.key,
        rollbacks=attached,
        attachable=[row for row in recent if row.change_set.id not in incident.change_set_ids],
        names=staff_names([incident.opened_by_id, incident.closed_by_id]),
    )
