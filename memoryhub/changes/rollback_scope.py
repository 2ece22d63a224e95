"""What a rollback is about: who wrote it, when, in which session, from which event; and the changes that fall under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memoryhub.exceptions import InvalidInput
from memoryhub.models import Change

INVERSE = "inverse"
"""`candidate.kind` of a change that a rollback appended; `candidate.of` is the change it undid or redid."""

ROLLED_BACK = "rollback"
"""`ChangeSet.act` of a rollback."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackScope:
    """All that is given must hold together; at least one thing must be given.

    `since` and `until` bound when a change was made (aware; `until` exclusive). `text` is looked for in the value, the sentence
    and the quote, whatever its case. `restore_id` names a field version or item that is to be current again: everything that
    came after it in its place falls under the scope.
    """

    change_ids: tuple[UUID, ...] = ()
    change_set_ids: tuple[UUID, ...] = ()
    owner_ids: tuple[UUID, ...] = ()
    agent_id: UUID | None = None
    api_key_id: UUID | None = None
    session_ref: str = ""
    event_ids: tuple[UUID, ...] = ()
    target_ids: tuple[UUID, ...] = ()
    """Everything that made or changed these field versions or items."""
    restore_id: UUID | None = None
    text: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def check(self) -> None:
        """Raises InvalidInput for a scope that names nothing, or a time range that is empty."""
        if not any(getattr(self, column.name) for column in fields(self)):
            raise InvalidInput("a rollback needs a scope", field="scope", code="empty_scope")
        if self.since and self.until and self.since >= self.until:
            raise InvalidInput("the range ends before it begins", field="until", code="out_of_range")

    @property
    def names_changes(self) -> bool:
        """Whether changes are pointed at directly, so that a rollback's own changes count too."""
        narrows = (self.agent_id, self.api_key_id, self.session_ref, self.event_ids, self.text)
        return bool(self.change_ids or self.change_set_ids) or not any(narrows)

    def as_json(self) -> dict[str, Any]:
        """Only what is given; ids and times as text."""
        return {name: _plain(value) for name, value in asdict(self).items() if value not in (None, "", ())}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> RollbackScope:
        """The scope that `as_json` wrote. Raises InvalidInput for an unknown key or a value that cannot be read."""
        known = {column.name: column for column in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise InvalidInput("not part of a scope", field=name, code="unknown_field")
            try:
                values[name] = _read(name, value)
            except (TypeError, ValueError, AttributeError) as error:
                raise InvalidInput("cannot be read", field=name, code="invalid") from error
        return cls(**values)


def matching(scope: RollbackScope, *, workspace_id: UUID) -> QuerySet[Change]:
    """The changes under the scope that can be undone: applied, or still proposed; oldest first."""
    rows = Change.objects.filter(workspace_id=workspace_id, state__in=["applied", "proposed"]).filter(
        _condition(scope)
    )
    if not scope.names_changes:
        rows = rows.exclude(candidate__kind=INVERSE)
    return rows.order_by("created_at", "id")


def traced(scope: RollbackScope, *, workspace_id: UUID) -> QuerySet[Change]:
    """The changes under the scope that took effect, undone since or not; without those of rollbacks. Oldest first."""
    rows = Change.objects.filter(workspace_id=workspace_id, state__in=["applied", "reverted"])
    rows = rows.filter(_condition(scope)).exclude(candidate__kind=INVERSE)
    return rows.order_by("created_at", "id")


def _condition(scope: RollbackScope) -> Q:
    wanted = Q()
    for column, ids in (
        ("id__in", scope.change_ids),
        ("change_set_id__in", scope.change_set_ids),
        ("owner_id__in", scope.owner_ids),
        ("event_id__in", scope.event_ids),
    ):
        if ids:
            wanted &= Q(**{column: ids})
    if scope.target_ids:
        wanted &= Q(target_id__in=scope.target_ids)
    if scope.agent_id:
        wanted &= Q(agent_id=scope.agent_id)
    if scope.api_key_id:
        wanted &= Q(change_set__api_key_id=scope.api_key_id)
    if scope.session_ref:
        wanted &= Q(change_set__session_ref=scope.session_ref)
    if scope.since:
        wanted &= Q(created_at__gte=scope.since)
    if scope.until:
        wanted &= Q(created_at__lt=scope.until)
    if scope.text:
        wanted &= (
            Q(after__content__icontains=scope.text)
            | Q(after__value__icontains=scope.text)
            | Q(quote__icontains=scope.text)
        )
    return wanted


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(member) for member in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)


def _read(name: str, value: Any) -> Any:
    if name.endswith("_ids"):
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise TypeError(name)
        return tuple(UUID(str(member)) for member in value)
    if name.endswith("_id"):
        return UUID(str(value))
    if name in ("since", "until"):
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        if moment.tzinfo is None:
            raise ValueError(name)
        return moment
    return str(value)
