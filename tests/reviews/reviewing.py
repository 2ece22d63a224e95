"""Reviews as the write path makes them, for the desk's tests: real events, real proposals, real people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone

from memoryhub.changes.deciding import Decider
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.models import Change, Owner, Review
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from reviews.access import enrol
from tests.builders import make_owner, make_source, put_policy
from tests.reviews.conftest import Desk

JOKE = "哈哈，再喝咖啡我就要变成咖啡豆了，以后别推荐咖啡了"
QUOTE = "以后别推荐咖啡了"


class Reviewing:
    """An agent and its owner, and short ways to propose and to look."""

    def __init__(
        self,
        desk: Desk,
        *,
        ref: str = "user-1",
        trust_tier: int = 3,
        responsible: User | None = None,
        **owner: str,
    ) -> None:
        self.desk = desk
        self.source: Source = replace(
            make_source(desk.workspace, trust_tier=trust_tier),
            responsible_user_id=responsible.pk if responsible else None,
        )
        self.owner: Owner = Owner.objects.select_related("workspace").get(
            id=make_owner(self.source, ref, **owner).id
        )
        # Which applied changes are sampled hangs on their ids: tests count the samples they made themselves.
        put_policy(workspace_id=desk.workspace.id, patrol_share=0.0, patrol_share_important=0.0)

    def say(self, *contents: str, session: str = "s-1") -> list[UUID]:
        events = [
            NewEvent(content=text, session_ref=session, occurred_at=timezone.now()) for text in contents
        ]
        batch = record_events(owner_id=self.owner.id, events=events, source=self.source)
        return [result.event_id for result in batch.results if result.event_id]

    def allergy(self, value: str = "坚果", **given: Any) -> Review:
        """A high-importance value without words as evidence: it waits."""
        return self.review_of(
            write_field(
                owner_id=self.owner.id,
                form_type="user_profile",
                field="allergies",
                value=value,
                source=self.source,
                **given,
            )
        )

    def rule(self, value: str = "任何推荐都不能包含坚果成分") -> Review:
        """The highest class: two people."""
        return self.review_of(
            write_field(
                owner_id=self.owner.id,
                form_type="business_rule",
                subject="nuts",
                field="rule",
                value=value,
                source=self.source,
            )
        )

    def live(self, content: str = "The office is in Lisbon") -> Change:
        """A sentence that is live at once."""
        verdict = write_memory(
            owner_id=self.owner.id, content=content, item_kind="semantic", source=self.source
        )
        assert verdict.change_id is not None
        return Change.objects.of(self.owner.id).get(id=verdict.change_id)

    def sample(self, change: Change, kind: str = "patrol") -> Review:
        """A review of something that is live, as the sampling and the feedback make it."""
        return Review.objects.create(
            owner_id=change.owner_id,
            workspace_id=change.workspace_id,
            change_id=change.id,
            kind=kind,
            risk=0.3,
            risk_parts=[["importance", 0.3]],
            due_at=timezone.now(),
        )

    def review_of(self, verdict: Verdict) -> Review:
        assert verdict.change_id is not None, verdict
        return Review.objects.of(self.owner.id).get(change_id=verdict.change_id)


def reviewer(desk: Desk, name: str = "rita") -> User:
    """One more reviewer of the workspace."""
    user = User.objects.create_user(name)
    user.groups.set(Group.objects.filter(name="reviewer"))
    enrol(user=user, workspace=desk.workspace)
    return user


def page_of(review: Review, name: str = "review_item") -> str:
    return reverse(f"reviews:{name}", args=[review.owner_id, review.id])


def shown(review: Review) -> dict[str, Any]:
    """Version and token as the page of the review carries them now."""
    review.refresh_from_db()
    change = Change.objects.of(review.owner_id).get(id=review.change_id)
    return {"version": review.version, "token": approval_token(review, change, standing_of(change))}


def decider(user: User, review: Review, **values: Any) -> Decider:
    return Decider(
        workspace_id=review.workspace_id,
        owner_id=review.owner_id,
        review_id=review.id,
        user_id=user.pk,
        **shown(review),
        **values,
    )
