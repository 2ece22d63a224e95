"""How much is remembered under the explorer's filter, by kind and by who wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count

from memoryhub.models import Workspace
from reviews.queries.facts import agent_names
from reviews.queries.memories import MemoryFilter, matching_memories
from reviews.queries.scopes import across

FIELD = "field"


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryCount:
    """`kind` is that of a sentence, or 'field' for form values; `agent` is '' where no agent wrote it."""

    kind: str
    agent: str
    number: int


def count_memories(*, workspace: Workspace, chosen: MemoryFilter) -> list[MemoryCount]:
    """The most first. Without a kind in the filter sentences and form values both. None of owners being erased."""
    with across(workspace):
        found = [*_sentences(workspace, chosen), *_fields(workspace, chosen)]
        agents = agent_names(workspace.id)
    counts = [
        MemoryCount(kind=kind, agent=agents.get(agent_id, ""), number=number)
        for kind, agent_id, number in found
    ]
    return sorted(counts, key=lambda count: (-count.number, count.kind, count.agent))


def _sentences(workspace: Workspace, chosen: MemoryFilter) -> Iterator[tuple[str, UUID | None, int]]:
    if chosen.kind != FIELD:
        rows = matching_memories(workspace=workspace, chosen=chosen).select_related(None).order_by()
        yield from rows.values_list("kind", "agent_id").annotate(n=Count("id"))


def _fields(workspace: Workspace, chosen: MemoryFilter) -> Iterator[tuple[str, UUID | None, int]]:
    if chosen.kind in ("", FIELD):
        wanted = replace(chosen, kind=FIELD)
        rows = matching_memories(workspace=workspace, chosen=wanted).select_related(None).order_by()
        for agent_id, number in rows.values_list("agent_id").annotate(n=Count("id")):
            yield FIELD, agent_id, number
