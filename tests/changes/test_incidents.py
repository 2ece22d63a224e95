"""An incident: its scope, its rollback, its conclusion."""

from __future__ import annotations

import pytest

from memoryhub.changes.incidents import attach_rollback, change_scope, close_incident, open_incident, scope_of
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import AuditEntry, new_id
from tests.changes.world import PERSON, World, day


def test_an_incident_gathers_scope_rollback_and_conclusion(world: World) -> None:
    world.field(666, by=world.bad)
    scope = RollbackScope(agent_id=world.bad.agent_id, since=day(-1))
    incident = open_incident(
        workspace_id=world.workspace.id, title="A bad agent", scope=scope, user_id=PERSON
    )
    assert scope_of(incident) == scope
    narrower = RollbackScope(agent_id=world.bad.agent_id)
    change_scope(workspace_id=world.workspace.id, incident_id=incident.id, scope=narrower)
    result = world.roll_back(agent_id=world.bad.agent_id)
    sets = tuple(result.change_set_ids.values())
    for _ in range(2):
        attach_rollback(workspace_id=world.workspace.id, incident_id=incident.id, change_set_ids=sets)
    closed = close_incident(
        workspace_id=world.workspace.id, incident_id=incident.id, conclusion="A test key.", user_id=PERSON
    )
    assert (closed.state, closed.change_set_ids, closed.closed_by_id) == ("closed", list(sets), PERSON)
    with pytest.raises(WrongMove):
        close_incident(
            workspace_id=world.workspace.id, incident_id=incident.id, conclusion="Again.", user_id=PERSON
        )
    actions = AuditEntry.objects.filter(object_id=incident.id).order_by("id").values_list("action", flat=True)
    assert list(actions) == [
        "incident.opened",
        "incident.scope_changed",
        "incident.rolled_back",
        "incident.rolled_back",
        "incident.closed",
    ]


def test_an_incident_needs_a_title_a_scope_and_a_conclusion(world: World) -> None:
    scope = RollbackScope(owner_ids=(world.owner,))
    with pytest.raises(InvalidInput):
        open_incident(workspace_id=world.workspace.id, title=" ", scope=scope, user_id=PERSON)
    with pytest.raises(InvalidInput):
        open_incident(workspace_id=world.workspace.id, title="x", scope=RollbackScope(), user_id=PERSON)
    incident = open_incident(workspace_id=world.workspace.id, title="x", scope=scope, user_id=PERSON)
    with pytest.raises(InvalidInput):
        close_incident(
            workspace_id=world.workspace.id, incident_id=incident.id, conclusion="", user_id=PERSON
        )
    with pytest.raises(NotFound):
        close_incident(workspace_id=new_id(), incident_id=incident.id, conclusion="x", user_id=PERSON)
