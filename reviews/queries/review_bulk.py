"""Many reviews at once: which they are, and what each looked like when the person said yes to all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memoryhub.changes.evidence import approval_token, standings_of
from memoryhub.models import Review, Workspace
from reviews.queries.review_queue import PENDING, QueueFilter, in_order, undecided
from reviews.queries.scopes import across

CAP = 250
SAMPLE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Picked:
    """A review with the version and token its decision has to name."""

    review: Review
    token: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    picked: Sequence[Picked]
    top_class: Sequence[Review]
    """Left out: they are decided one by one."""
    is_over_cap: bool

    @property
    def sample(self) -> Sequence[Picked]:
        return self.picked[:SAMPLE]


def select_ticked(*, workspace: Workspace, ids: Collection[UUID]) -> Selection:
    """The reviews of these ids that are not decided."""
    with across(workspace):
        return _selection(list(in_order(undecided(workspace).filter(id__in=ids)).select_related(*LOADED)))


def select_matching(
    *, workspace: Workspace, chosen: QueueFilter, excluded: Collection[UUID], user_id: int, now: datetime
) -> Selection:
    """Everything under tab and filter except the ticked; one more than the cap is read to know that it is passed."""
    with across(workspace):
        rows = undecided(workspace).filter(chosen.condition(user_id=user_id, now=now), state__in=PENDING)
        rows = in_order(rows.exclude(id__in=excluded)).select_related(*LOADED)
        return _selection(list(rows[: CAP + 1]))


LOADED = ("change", "owner__workspace")


def _selection(found: Sequence[Review]) -> Selection:
    if len(found) > CAP:
        return Selection(picked=[], top_class=[], is_over_cap=True)
    ordinary = [review for review in found if not review.is_top_class]
    standing = standings_of([review.change for review in ordinary])
    return Selection(
        picked=[
            Picked(review=review, token=approval_token(review, review.change, standing[review.change_id]))
            for review in ordinary
        ],
        top_class=[review for review in found if review.is_top_class],
        is_over_cap=False,
    )


def find_reviews(*, workspace: Workspace, ids: Collection[UUID]) -> dict[UUID, Review]:
    """Reviews by id; what is not of the workspace is not there."""
    with across(workspace):
        rows = Review.objects.filter(workspace_id=workspace.id, id__in=ids)
        return {row.id: row for row in rows}
