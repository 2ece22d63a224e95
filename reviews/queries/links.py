"""The links of an owner, both ways."""

from __future__ import annotations

from dataclasses import dataclass

from memoryhub.models import FormType, Owner, OwnerLink
from memoryhub.sharing.linking import links_of
from reviews.queries.scopes import across, of

MOST_SHOWN = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Links:
    """`outgoing` lead to what the owner shares in, `incoming` come from those who share in him; at most 200 of each are shown.

    `n_incoming` counts all that come. `form_types` are those of the workspace.
    """

    outgoing: list[OwnerLink]
    incoming: list[OwnerLink]
    n_incoming: int
    form_types: list[FormType]


def show_links(owner: Owner) -> Links:
    """What stands, oldest first."""
    with of(owner):
        outgoing = links_of(owner.id)
        form_types = list(FormType.objects.filter(workspace_id=owner.workspace_id).order_by("name"))
    with across(owner.workspace):
        coming = OwnerLink.objects.filter(
            workspace_id=owner.workspace_id, linked_owner_id=owner.id, ended_at=None
        )
        incoming = list(coming.select_related("owner").order_by("created_at", "id")[:MOST_SHOWN])
        n_incoming = coming.count()
    return Links(
        outgoing=outgoing[:MOST_SHOWN], incoming=incoming, n_incoming=n_incoming, form_types=form_types
    )
