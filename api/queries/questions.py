"""Questions as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from api.pagination import Order
from memoryhub.models import Question

NEWEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID))


def questions_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Question]:
    """The owner's questions that the filters of QuestionQuery let through; open ones only while they can be answered."""
    named = {"state": "state", "form_type": "form_type", "field": "field_name", "change": "change_id"}
    exact = {column: asked[name] for name, column in named.items() if name in asked}
    questions = Question.objects.of(owner_id).filter(**exact)
    # The sweep that expires them may be late.
    return questions.filter(expires_at__gt=Now()) if asked.get("state") == Question.State.OPEN else questions
