"""Questions as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from api.pagination import Order
from memoryhub.models import FieldVersion, MemoryItem, Question

NEWEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID))


def questions_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Question]:
    """The owner's questions that the filters of QuestionQuery let through; open ones only while they can be answered.

    Each with its change, and with `before_event` and `before_quote`: what the value rests on that stands, or stood.
    """
    named = {"state": "state", "form_type": "form_type", "field": "field_name", "change": "change_id"}
    exact = {column: asked[name] for name, column in named.items() if name in asked}
    before = {"owner_id": OuterRef("owner_id"), "id": OuterRef("change__before_id")}
    versions, items = FieldVersion.objects.filter(**before), MemoryItem.objects.filter(**before)
    standing = {
        f"before_{name.removesuffix('_id')}": Coalesce(
            Subquery(versions.values(name)[:1]), Subquery(items.values(name)[:1])
        )
        for name in ("event_id", "quote")
    }
    questions = Question.objects.of(owner_id).filter(**exact).select_related("change").annotate(**standing)
    # The sweep that expires them may be late.
    return questions.filter(expires_at__gt=Now()) if asked.get("state") == Question.State.OPEN else questions
