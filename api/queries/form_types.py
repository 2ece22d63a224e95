"""Form types with their fields in order."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from api.pagination import Order
from memoryhub.models import FieldDefinition, FormType

BY_NAME = Order(fields=("name",), kinds=(str,), falling=False)


def form_types_of(workspace_id: UUID, asked: dict[str, Any]) -> QuerySet[FormType]:
    """The workspace's form types, each with `in_order`: its fields by name. Two statements for a page."""
    fields = Prefetch("fields", FieldDefinition.objects.order_by("name"), to_attr="in_order")
    return FormType.objects.filter(workspace_id=workspace_id, **asked).prefetch_related(fields)
