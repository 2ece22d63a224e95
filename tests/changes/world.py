"""A workspace with two agents and an owner, and short ways to write, look and roll back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memoryhub.changes.reverting import RollbackResult, execute_rollback, plan_rollback
from memoryhub.changes.rollback_preview import RollbackPlan
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import FieldVersion, MemoryItem
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PERSON = 7


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


class World:
    """`good` and `bad` are two agents; `owner` is whose memory they write."""

    def __init__(self) -> None:
        self.workspace = make_workspace()
        self.good = make_source(self.workspace)
        self.bad = make_source(self.workspace)
        self.owner = make_owner(self.good).id

    def field(self, value: Any, *, by: Source, at: float = 0, field: str = "budget", **given: Any) -> Verdict:
        return write_field(
            owner_id=given.pop("owner", self.owner),
            form_type="user_profile",
            field=field,
            value=value,
            source=by,
            valid_from=day(at),
            **given,
        )

    def say(self, content: str, *, by: Source, at: float = 0, **given: Any) -> Verdict:
        return write_memory(
            owner_id=given.pop("owner", self.owner),
            content=content,
            item_kind="semantic",
            source=by,
            valid_from=day(at),
            **given,
        )

    def event(self, content: str, *, by: Source, at: float = 0, **given: Any) -> UUID:
        recorded = record_event(
            owner_id=given.pop("owner", self.owner),
            event=NewEvent(content=content, occurred_at=day(at), **given),
            source=by,
        )
        event_id = recorded.results[0].event_id
        assert event_id is not None
        return event_id

    def plan(self, **scope: Any) -> RollbackPlan:
        return plan_rollback(workspace_id=self.workspace.id, scope=RollbackScope(**scope))

    def roll_back(self, *, ticked: tuple[str, ...] = (), **scope: Any) -> RollbackResult:
        plan = self.plan(**scope)
        return execute_rollback(
            workspace_id=self.workspace.id,
            scope=plan.scope,
            digest=plan.digest,
            ticked=ticked,
            user_id=PERSON,
            reason=plan.reason,
        )

    def undo(self, result: RollbackResult) -> RollbackResult:
        return self.roll_back(change_set_ids=result.undo_scope.change_set_ids)

    def versions(self, owner: UUID | None = None) -> list[tuple[Any, str, int | None]]:
        rows = FieldVersion.objects.of(owner or self.owner).order_by("version")
        return [(row.value, row.status, row.superseded_by_version) for row in rows]

    def values(self, owner: UUID | None = None) -> list[Any]:
        rows = FieldVersion.objects.of(owner or self.owner).filter(status="active")
        return sorted(rows.values_list("value", flat=True), key=str)

    def sentences(self, owner: UUID | None = None) -> list[str]:
        rows = MemoryItem.objects.of(owner or self.owner).filter(status="active")
        return sorted(rows.values_list("content", flat=True))
