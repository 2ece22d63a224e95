"""Values whose day has come begin to stand, also when nobody writes to their form. Recall does not wait for it.

Recall asks the as-of predicate, so a value is served from its day on whether this ran or not; the mark, and what search finds,
follow here.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.models import FieldVersion, Form, MemoryItem, Owner
from memoryhub.writing.acts import Act
from memoryhub.writing.applying import open_due_versions
from memoryhub.writing.applying_items import lock_items, open_due_items
from memoryhub.writing.source import Source

MOST_OWNERS = 200


def open_due_values(*, workspace_id: UUID, now: datetime) -> int:
    """Open what is due in the workspace; answers for how many owners. Safe to run at any time and more than once."""
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        due = {"workspace_id": workspace_id, "valid_from__lte": now, "owner__state": Owner.State.ACTIVE}
        fields = FieldVersion.objects.filter(**due, status=FieldVersion.Status.SCHEDULED, known_until=None)
        items = MemoryItem.objects.filter(**due, status=MemoryItem.Status.SCHEDULED, known_until=None)
        owners = {
            owner_id
            for rows in (fields, items)
            for owner_id in rows.order_by().values_list("owner_id", flat=True).distinct()[:MOST_OWNERS]
        }
    for owner_id in owners:
        _open(workspace_id, owner_id, now)
    return len(owners)


@run_again_when_busy
def _open(workspace_id: UUID, owner_id: UUID, now: datetime) -> None:
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="open", write=True):
        owner = Owner.objects.select_related("workspace").get(id=owner_id)
        act = Act(owner=owner, source=Source(workspace_id=workspace_id, trust_tier=1), name="open", now=now)
        lock_items(act=act)
        due = FieldVersion.objects.of(owner_id).filter(
            status=FieldVersion.Status.SCHEDULED, valid_from__lte=now, known_until=None
        )
        forms = Form.objects.of(owner_id).filter(id__in=due.values("form_id")).order_by("id")
        for form in forms.select_for_update(no_key=True):
            open_due_versions(act=act, form=form)
        open_due_items(act=act)
        act.finish()
