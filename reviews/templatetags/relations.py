"""How entities are named on the pages."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from memoryhub.models import Entity

register = template.Library()


@register.filter
def entity_name(entity: Entity) -> str:
    """Its name; the owner himself has none."""
    return entity.name or _("the owner")
