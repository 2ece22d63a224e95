"""A person decides: what an approval writes, what a rejection leaves behind, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from memoryhub.changes.coming_due import run_due
from memoryhub.changes.deciding import Decider, approve, reject
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.changes.postponing import ask_owner, defer, escalate
from memoryhub.exceptions import DecisionVersionMissing, InvalidInput, OwnProposal, ReviewMoved
from memoryhub.models import (
    Change,
    ChangeTransition,
    Event,
    FieldVersion,
    MemoryItem,
    Review,
    ReviewStep,
    Tombstone,
)
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace, put_policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    source = make_source(make_workspace())
    # Which applied changes are sampled hangs on their ids: a test that samples by hand must not meet one.
    put_policy(workspace_id=source.workspace_id, patrol_share=0.0, patrol_share_important=0.0)
    return source


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


def review_of(owner: UUID, verdict: Verdict) -> Review:
    """The review that was opened for a proposal."""
    assert verdict.change_id is not None
    return Review.objects.of(owner).get(change_id=verdict.change_id)


def proposed_allergy(owner: UUID, source: Source, value: str = "坚果") -> Review:
    """A high-importance value without evidence: it waits."""
    verdict = write_field(
        owner_id=owner, form_type="user_profile", field="allergies", value=value, source=source
    )
    assert verdict.outcome == "in_review"
    return review_of(owner, verdict)


def proposed_rule(owner: UUID, source: Source) -> Review:
    """A gated value of the highest importance: two people."""
    verdict = write_field(
        owner_id=owner,
        form_type="business_rule",
        subject="nuts",
        field="rule",
        value="任何推荐都不能包含坚果成分",
        source=source,
    )
    return review_of(owner, verdict)


def shown_to(user: User, review: Review, **values: Any) -> Decider:
    """The person with the version and token that the page of the review would carry now."""
    review.refresh_from_db()
    change = Change.objects.of(review.owner_id).get(id=review.change_id)
    return Decider(
        workspace_id=review.workspace_id,
        owner_id=review.owner_id,
        review_id=review.id,
        user_id=user.id,
        version=values.pop("version", review.version),
        token=values.pop("token", approval_token(review, change, standing_of(change))),
        **values,
    )


def active_values(owner: UUID) -> list[object]:
    return list(
        FieldVersion.objects.of(owner)
        .filter(status="active")
        .order_by("version")
        .values_list("value", flat=True)
    )


def test_an_approval_writes_the_value_and_the_proposal_becomes_the_change(
    owner: UUID, source: Source, anna: User
) -> None:
    review = proposed_allergy(owner, source)
    decision = approve(decider=shown_to(anna, review))
    assert decision.verdict is not None
    assert active_values(owner) == ["坚果"]
    change = Change.objects.of(owner).get(id=review.change_id)
    assert (change.state, change.target_id) == ("applied", decision.verdict.target_id)
    moves = ChangeTransition.objects.of(owner).filter(change_id=change.id).order_by("at", "id")
    assert [(move.from_state, move.to_state, move.user_id) for move in moves] == [
        ("", "proposed", None),
        ("proposed", "applied", anna.id),
    ]
    review.refresh_from_db()
    assert (review.state, review.outcome, review.decided_by_id) == ("decided", "approved", anna.id)


def test_approving_twice_applies_once(owner: UUID, source: Source, anna: User, ben: User) -> None:
    review = proposed_allergy(owner, source)
    seen_by_ben = shown_to(ben, review)
    approve(decider=shown_to(anna, review))
    with pytest.raises(ReviewMoved) as caught:
        approve(decider=seen_by_ben)
    assert caught.value.details["by"] == "anna"
    assert caught.value.details["did"] == "approve"
    assert len(active_values(owner)) == 1


@pytest.mark.parametrize("missing", [{"version": None}, {"token": None}, {"token": ""}])
def test_a_decision_without_what_was_shown_is_refused(
    owner: UUID, source: Source, anna: User, missing: dict[str, Any]
) -> None:
    review = proposed_allergy(owner, source)
    with pytest.raises(DecisionVersionMissing):
        approve(decider=shown_to(anna, review, **missing))
    assert active_values(owner) == []


def test_b42_a_value_that_moved_under_the_proposal_needs_a_fresh_decision(
    owner: UUID, source: Source, anna: User
) -> None:
    write_memory(
        owner_id=owner,
        content="The office is in Lisbon",
        item_kind="semantic",
        subject_entity="office",
        attribute="city",
        value="Lisbon",
        source=source,
    )
    low = make_source(workspace_id=source.workspace_id, trust_tier=2)
    proposals = [
        write_memory(
            owner_id=owner,
            content=f"The office is in {city}",
            item_kind="semantic",
            subject_entity="office",
            attribute="city",
            value=city,
            source=low,
        )
        for city in ("Porto", "Faro")
    ]
    first, second = (review_of(owner, verdict) for verdict in proposals)
    stale = shown_to(anna, second)
    approve(decider=shown_to(anna, first))
    with pytest.raises(ReviewMoved):
        approve(decider=stale)
    active = MemoryItem.objects.of(owner).filter(status="active")
    assert [item.content for item in active] == ["The office is in Porto"]
    approve(decider=shown_to(anna, second))
    assert [item.content for item in active.all()] == ["The office is in Faro"]


def test_an_edit_is_a_change_of_the_persons_own(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_allergy(owner, source)
    approve(decider=shown_to(anna, review), edited="花生")
    assert active_values(owner) == ["花生"]
    proposal, edit = Change.objects.of(owner).order_by("created_at", "id")
    assert (proposal.state, edit.state) == ("merged", "applied")
    assert edit.responsible_user_id == anna.id
    assert ReviewStep.objects.of(owner).get(action="approve_with_edit").edited == "花生"


def test_an_edit_must_fit_the_field(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_allergy(owner, source)
    with pytest.raises(InvalidInput) as caught:
        approve(decider=shown_to(anna, review), edited="")
    assert caught.value.code == "blank_value"
    review.refresh_from_db()
    assert review.state == "open"


def test_a_rejection_gives_its_reason_and_the_value_stays_away(
    owner: UUID, source: Source, anna: User
) -> None:
    review = proposed_allergy(owner, source)
    reject(decider=shown_to(anna, review), reason_code="joke_or_sarcasm")
    change = Change.objects.of(owner).get()
    assert change.state == "rejected"
    assert ChangeTransition.objects.of(owner).get(to_state="rejected").reason_code == "joke_or_sarcasm"
    assert Tombstone.objects.of(owner).count() == 1
    again = write_field(
        owner_id=owner, form_type="user_profile", field="allergies", value=" 坚果。", source=source
    )
    assert (again.outcome, again.code) == ("refused", "rejected_before")
    event = record_event(owner_id=owner, event=NewEvent(content="我对坚果过敏"), source=source)
    afresh = write_field(
        owner_id=owner,
        form_type="user_profile",
        field="allergies",
        value="坚果",
        evidence_event_id=event.results[0].event_id,
        quote="我对坚果过敏",
        source=source,
    )
    assert (afresh.outcome, afresh.code) == ("in_review", "regressed")
    assert review_of(owner, afresh).is_regressed
    assert active_values(owner) == []


def test_other_needs_a_note(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_allergy(owner, source)
    with pytest.raises(InvalidInput):
        reject(decider=shown_to(anna, review), reason_code="other")
    reject(decider=shown_to(anna, review, note="not about him"), reason_code="other")


def test_whoever_answers_for_a_change_does_not_decide_it(owner: UUID, source: Source, anna: User) -> None:
    mine = Source(
        workspace_id=source.workspace_id, trust_tier=3, agent_id=source.agent_id, responsible_user_id=anna.id
    )
    review = proposed_allergy(owner, mine)
    with pytest.raises(OwnProposal):
        approve(decider=shown_to(anna, review))
    assert active_values(owner) == []


def test_raw_sql_cannot_decide_ones_own_change_either(owner: UUID, source: Source, anna: User) -> None:
    mine = Source(
        workspace_id=source.workspace_id, trust_tier=3, agent_id=source.agent_id, responsible_user_id=anna.id
    )
    review = proposed_allergy(owner, mine)
    with pytest.raises(IntegrityError, match="nobody_decides_his_own_change"), transaction.atomic():
        Review.objects.of(owner).filter(id=review.id).update(
            state="decided", outcome="approved", decided_by_id=anna.id, decided_at=timezone.now()
        )


def test_the_highest_class_takes_two_people_and_the_undo_time(
    owner: UUID, source: Source, anna: User, ben: User
) -> None:
    review = proposed_rule(owner, source)
    assert review.is_top_class
    first = approve(decider=shown_to(anna, review))
    assert first.needs_second
    assert active_values(owner) == []
    with pytest.raises(OwnProposal):
        approve(decider=shown_to(anna, review))
    second = approve(decider=shown_to(ben, review))
    assert second.takes_effect_at is not None
    assert active_values(owner) == []
    run_due(workspace_id=source.workspace_id, now=timezone.now())
    assert active_values(owner) == []
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert run_due(workspace_id=source.workspace_id, now=timezone.now()) == 1
        assert run_due(workspace_id=source.workspace_id, now=timezone.now()) == 0
    assert active_values(owner) == ["任何推荐都不能包含坚果成分"]


def test_raw_sql_cannot_approve_the_highest_class_alone(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_rule(owner, source)
    with pytest.raises(IntegrityError, match="the_highest_class_takes_two_people"), transaction.atomic():
        Review.objects.of(owner).filter(id=review.id).update(
            state="decided",
            outcome="approved",
            first_user_id=anna.id,
            decided_by_id=anna.id,
            decided_at=timezone.now(),
        )


def test_an_approved_value_can_still_be_corrected_by_the_owner(
    owner: UUID, source: Source, anna: User
) -> None:
    review = proposed_allergy(owner, source)
    approve(decider=shown_to(anna, review))
    event = record_event(owner_id=owner, event=NewEvent(content="我对坚果不过敏了"), source=source)
    verdict = write_field(
        owner_id=owner,
        form_type="user_profile",
        field="allergies",
        value="坚果",
        operation="remove",
        evidence_event_id=event.results[0].event_id,
        quote="我对坚果不过敏了",
        explicit_correction=True,
        source=source,
    )
    assert verdict.outcome == "superseded"
    assert active_values(owner) == []


def test_evidence_that_moved_disables_approval(owner: UUID, source: Source, anna: User) -> None:
    event = record_event(owner_id=owner, event=NewEvent(content="我对坚果过敏"), source=source)
    verdict = write_field(
        owner_id=owner,
        form_type="user_profile",
        field="allergies",
        value="花生",
        evidence_event_id=event.results[0].event_id,
        quote="我对花生过敏",
        source=source,
    )
    assert verdict.code == "quote_not_in_event"
    review = review_of(owner, verdict)
    with pytest.raises(Exception, match="quote") as caught:
        approve(decider=shown_to(anna, review))
    assert type(caught.value).__name__ == "EvidenceMismatch"
    assert Event.objects.of(owner).count() == 1


def test_the_second_person_agrees_to_the_text_the_first_one_left(
    owner: UUID, source: Source, anna: User, ben: User
) -> None:
    review = proposed_rule(owner, source)
    approve(decider=shown_to(anna, review), edited="推荐里不能有花生")
    approve(decider=shown_to(ben, review))
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        run_due(workspace_id=source.workspace_id, now=timezone.now())
    assert active_values(owner) == ["推荐里不能有花生"]


def test_an_edit_by_the_second_person_needs_another_yes(
    owner: UUID, source: Source, anna: User, ben: User
) -> None:
    review = proposed_rule(owner, source)
    approve(decider=shown_to(anna, review))
    assert approve(decider=shown_to(ben, review), edited="推荐里不能有花生").needs_second
    with pytest.raises(OwnProposal):
        approve(decider=shown_to(ben, review))
    assert approve(decider=shown_to(anna, review)).takes_effect_at is not None


def test_whoever_escalates_does_not_decide(owner: UUID, source: Source, anna: User, ben: User) -> None:
    review = proposed_allergy(owner, source)
    escalate(decider=shown_to(anna, review, note="is it his own allergy?"))
    with pytest.raises(OwnProposal):
        approve(decider=shown_to(anna, review))
    with pytest.raises(OwnProposal):
        reject(decider=shown_to(anna, review), reason_code="wrong_owner")
    approve(decider=shown_to(ben, review))
    assert active_values(owner) == ["坚果"]


def test_what_waits_can_be_put_off_handed_on_or_decided(
    owner: UUID, source: Source, anna: User, ben: User
) -> None:
    review = proposed_allergy(owner, source)
    tomorrow = timezone.now() + timedelta(days=1)
    defer(decider=shown_to(anna, review), until=tomorrow)
    defer(decider=shown_to(anna, review), until=tomorrow)
    ask_owner(decider=shown_to(anna, review))
    escalate(decider=shown_to(anna, review, note="please look"))
    ask_owner(decider=shown_to(ben, review))
    approve(decider=shown_to(ben, review))
    assert active_values(owner) == ["坚果"]
