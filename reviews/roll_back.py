"""The Roll back button: its label says what it will do, and pressing it does exactly that.

The label and the digest come from one look, made with the page. Somebody who may not roll back gets no button.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.changes.reverting import OneClick, one_click
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import InvalidInput
from memoryhub.models import FieldDefinition
from reviews.access import StaffRequest, may
from reviews.labels import word_for
from reviews.scope_query import as_query
from reviews.values import told

LONGEST_VALUE = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class RollBackButton:
    """What the template needs: the words, the scope and digest to execute with, and where the preview is."""

    label: str
    consequences: str
    scope: str
    digest: str
    reason: str
    needs_preview: bool
    query: str

    @property
    def whole_label(self) -> str:
        """Everything in one line."""
        return _("; ").join(filter(None, (self.label, self.consequences)))


def roll_back_button(
    request: StaffRequest,
    scope: RollbackScope,
    *,
    field: FieldDefinition | None = None,
    incident_id: UUID | None = None,
) -> RollBackButton | None:
    """The button for everything under the scope; None for who may not, and where there is nothing to undo.

    `field` tells the value in the words of its field. A fixed number of statements.
    """
    if not may(request.roles, "operator"):
        return None
    try:
        click = one_click(workspace_id=request.workspace.id, scope=scope)
    except InvalidInput:
        return None
    if click.effect == "nothing":
        return None
    more = {"incident": str(incident_id)} if incident_id else {}
    return RollBackButton(
        label=_deed(click, field),
        consequences=consequences(derived=click.derived, served=click.served),
        scope=json.dumps(click.scope.as_json()),
        digest=click.digest,
        reason=_reason(click.items),
        needs_preview=click.needs_preview,
        query=as_query(scope, **more),
    )


def _deed(click: OneClick, field: FieldDefinition | None) -> str:
    value = Truncator(told(click.back_to, field, "UTC")).chars(LONGEST_VALUE)
    match click.effect:
        case "several":
            number = click.items - click.derived
            return ngettext("Roll %(n)s value back", "Roll %(n)s values back", number) % {"n": number}
        case "restore":
            return _("Back to “%(value)s”") % {"value": value}
        case "reapply":
            return _("Bring “%(value)s” back") % {"value": value}
        case "retract":
            return _("Take it back")
        case "withdraw":
            return _("Withdraw the proposal")
        case "repropose":
            return _("Propose it again")
    return _("Roll back (%(effect)s)") % {"effect": word_for(click.effect, "effect")}


def _reason(items: int) -> str:
    """What is noted with the rollback; holds no memory, in the language of the person who pressed."""
    return ngettext("Rolled back %(n)s value", "Rolled back %(n)s values", items) % {"n": items}


def consequences(*, derived: int, served: int) -> str:
    """'3 derived, served 7 times'; '' when there are none."""
    parts = []
    if derived:
        parts.append(ngettext("%(n)s derived", "%(n)s derived", derived) % {"n": derived})
    if served:
        parts.append(ngettext("served once", "served %(n)s times", served) % {"n": served})
    return _(", ").join(parts)
