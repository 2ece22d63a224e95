"""Links of an owner as agents see them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import Instant, OwnerRef, Strict, Text
from memoryhub.models import OwnerLink, Promotion
from memoryhub.sharing.linking import Terms

MOST_FORM_TYPES = 50
DIRECTION_HELP = (
    "`reads`: the owner's recall reads the linked owner. `proposes`: what the owner has may be proposed to it, for a person to "
    "decide. `both`."
)
KINDS_HELP = "What of it; empty: all. Safety facts count as rules."


class LinkWrite(Strict):
    linked_owner = OwnerRef(help_text="A team, project or domain, by your own id.")
    direction = serializers.ChoiceField(
        choices=OwnerLink.Direction.choices, default=OwnerLink.Direction.READS, help_text=DIRECTION_HELP
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=OwnerLink.Kind.choices),
        max_length=len(OwnerLink.Kind.values),
        default=list,
        help_text=KINDS_HELP,
    )
    form_types = serializers.ListField(
        child=Text(max_length=60),
        max_length=MOST_FORM_TYPES,
        default=list,
        help_text="Of these form types alone; empty: all.",
    )


def as_terms(sent: dict[str, Any]) -> Terms:
    return Terms(
        direction=sent["direction"], kinds=tuple(sent["kinds"]), form_types=tuple(sent["form_types"])
    )


class PromotionWrite(Strict):
    shared_owner = OwnerRef(help_text="The team, project or domain it is proposed to.")
    kind = serializers.ChoiceField(
        choices=Promotion.Source.choices, help_text="`field_version` a value of a form, `item` a memory."
    )
    id = serializers.UUIDField(help_text="The version or memory that stands.")


class LinkAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    linked_owner = serializers.CharField(source="linked_owner.ref")
    kind = serializers.ChoiceField(
        choices=["team", "project", "domain"],
        source="linked_owner.kind",
        help_text="The linked owner's.",
    )
    display_name = serializers.CharField(source="linked_owner.display_name", help_text="The linked owner's.")
    direction = serializers.ChoiceField(choices=OwnerLink.Direction.choices, help_text=DIRECTION_HELP)
    kinds = serializers.ListField(child=serializers.CharField(), help_text=KINDS_HELP)
    form_types = serializers.ListField(child=serializers.CharField())
    created_at = Instant()
    ended_at = Instant(allow_null=True)


LINK_EXAMPLE: dict[str, Any] = {
    "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e61",
    "linked_owner": "support-team",
    "kind": "team",
    "display_name": "客服部",
    "direction": "reads",
    "kinds": ["form", "rule"],
    "form_types": [],
    "created_at": "2026-03-01T08:00:00.000000Z",
    "ended_at": None,
}
