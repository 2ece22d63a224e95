"""Many memories at once: which they are, and which of them are left to a single decision."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from memoryhub.changes.makers import makers_of
from memoryhub.changes.queueing import is_top_class
from memoryhub.models import FieldVersion, MemoryItem, Owner, Workspace
from reviews.queries.derivation import Memory
from reviews.queries.memories import MemoryFilter, matching_memories
from reviews.queries.scopes import across

CAP = 250
SAMPLE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class MemorySelection:
    """`picked` stand and may be acted on together."""

    picked: Sequence[Memory] = ()
    top_class: Sequence[Memory] = ()
    """Left out: such a value took two people, and is taken back by itself."""
    not_standing: Sequence[Memory] = ()
    """Left out: it does not stand now."""
    is_over_cap: bool = False

    @property
    def sample(self) -> Sequence[Memory]:
        return self.picked[:SAMPLE]


def select_ticked(*, workspace: Workspace, ids: Collection[UUID]) -> MemorySelection:
    """The memories of these ids; what is not of the workspace is not there."""
    with across(workspace):
        found: list[Memory] = []
        for model, more in ((MemoryItem, ()), (FieldVersion, ("form__form_type", "field"))):
            rows = model.objects.filter(workspace_id=workspace.id, id__in=ids)
            rows = rows.exclude(owner__state=Owner.State.ERASING)
            found += rows.select_related("owner__workspace", *more).order_by("-known_from", "-id")[: CAP + 1]
        return _selection(found)


def select_matching(
    *, workspace: Workspace, chosen: MemoryFilter, excluded: Collection[UUID]
) -> MemorySelection:
    """Everything under the filter except the ticked; one more than the cap is read to know that it is passed."""
    with across(workspace):
        rows = matching_memories(workspace=workspace, chosen=chosen).exclude(id__in=excluded)
        return _selection(list(rows.order_by("-known_from", "-id")[: CAP + 1]))


def _selection(found: Sequence[Memory]) -> MemorySelection:
    if len(found) > CAP:
        return MemorySelection(is_over_cap=True)
    standing = [memory for memory in found if memory.status == "active"]
    made = makers_of([m.id for m in standing], owner_ids={m.owner_id for m in standing})
    top = {memory_id for memory_id, change in made.items() if is_top_class(change)}
    return MemorySelection(
        picked=[memory for memory in standing if memory.id not in top],
        top_class=[memory for memory in standing if memory.id in top],
        not_standing=[memory for memory in found if memory.status != "active"],
    )
