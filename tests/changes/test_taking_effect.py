"""An approval of the highest class is written a minute later; what moved meanwhile needs a fresh decision."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from memoryhub.changes.coming_due import run_due
from memoryhub.changes.deciding import approve
from memoryhub.models import Review, ReviewStep
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace
from tests.changes.test_deciding import active_values, proposed_rule, review_of, shown_to

pytestmark = pytest.mark.django_db
FIRST, SECOND = "任何推荐都不能包含坚果成分", "推荐里不能有花生"


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def approved_by_two(review: Review, *people: User) -> None:
    for person in people:
        approve(decider=shown_to(person, review))


def after_the_undo_time(source: Source) -> int:
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        return run_due(workspace_id=source.workspace_id, now=timezone.now())


def other_rule(owner: UUID, source: Source, **given: Any) -> Review:
    verdict = write_field(
        owner_id=owner,
        form_type="business_rule",
        subject="nuts",
        field="rule",
        value=SECOND,
        source=source,
        **given,
    )
    return review_of(owner, verdict)


def test_of_two_approved_rules_for_one_place_only_the_first_is_written(owner: UUID, source: Source) -> None:
    anna, ben = User.objects.create_user("anna"), User.objects.create_user("ben")
    first, second = proposed_rule(owner, source), other_rule(owner, source)
    approved_by_two(first, anna, ben)
    approved_by_two(second, anna, ben)
    after_the_undo_time(source)
    assert active_values(owner) == [FIRST]
    second.refresh_from_db()
    assert (second.state, second.outcome, second.first_user_id) == ("open", "", None)
    last = ReviewStep.objects.of(owner).filter(review_id=second.id).order_by("-at", "-id")[0]
    assert (last.action, last.user_id) == ("wait_afresh", None)
    assert after_the_undo_time(source) == 0
    approved_by_two(second, anna, ben)
    assert after_the_undo_time(source) == 1
    assert active_values(owner) == [SECOND]


def test_a_decision_after_the_value_moved_takes_effect(owner: UUID, source: Source) -> None:
    anna, ben = User.objects.create_user("anna"), User.objects.create_user("ben")
    approved_by_two(proposed_rule(owner, source), anna, ben)
    assert after_the_undo_time(source) == 1
    approved_by_two(other_rule(owner, source), anna, ben)
    assert after_the_undo_time(source) == 1
    assert active_values(owner) == [SECOND]
