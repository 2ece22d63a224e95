"""What happens to reviews and questions by the clock alone. Safe to run at any time and more than once."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memoryhub.changes.deciding import apply_due_approvals
from memoryhub.changes.postponing import wake_deferred
from memoryhub.changes.questions import expire_questions
from memoryhub.database.scope import scope
from memoryhub.models import Change, Owner, Question, Review

MOST_OWNERS = 200


def run_due(*, workspace_id: UUID, now: datetime) -> int:
    """Wake deferred reviews, write approvals whose undo time is over, end unanswered questions; answers how many moved."""
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        moved = wake_deferred(workspace_id=workspace_id, now=now)
        active = {"workspace_id": workspace_id, "owner__state": Owner.State.ACTIVE}
        approvals = Review.objects.filter(
            **active,
            state=Review.State.DECIDED,
            takes_effect_at__lte=now,
            change__state=Change.State.PROPOSED,
            outcome__in=[Review.Outcome.APPROVED, Review.Outcome.EDITED],
        )
        questions = Question.objects.filter(**active, state=Question.State.OPEN, expires_at__lte=now)
        approving = list(approvals.order_by().values_list("owner_id", flat=True).distinct()[:MOST_OWNERS])
        expiring = list(questions.order_by().values_list("owner_id", flat=True).distinct()[:MOST_OWNERS])
    for owner_id in approving:
        moved += apply_due_approvals(workspace_id=workspace_id, owner_id=owner_id, now=now)
    for owner_id in expiring:
        moved += expire_questions(workspace_id=workspace_id, owner_id=owner_id, now=now)
    return moved
