"""The way up: a member's memory becomes a team's only when a person says so, and goes with him when he does."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from memoryhub.changes.deciding import Decider, approve, reject
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.database.purge import purge
from memoryhub.exceptions import EvidenceMismatch, MemoryhubError, OwnProposal, UnknownOwner
from memoryhub.models import Change, FieldVersion, MemoryItem, Owner, Promotion, Question, Review, ReviewStep
from memoryhub.recall.answers import Caller
from memoryhub.recall.context import context
from memoryhub.sharing.following import follow_promotions
from memoryhub.sharing.promoting import Promoted, propose_to_shared
from memoryhub.writing.candidates import Verdict
from tests.builders import make_link
from tests.knowledge.library import as_person
from tests.recall.stories import Story, begin

pytestmark = pytest.mark.django_db

FACT = "客服部反馈需24h内同步给技术部"


@dataclass
class Company:
    """Ann may propose to the support team and hears of it; Bob only hears of it."""

    team: Story
    ann: Story
    bob: Story
    anna: User

    def propose(self, memory_id: UUID | None, *, kind: str = "item", by: Story | None = None) -> Verdict:
        assert memory_id is not None
        story = by or self.ann
        promoted = Promoted(
            owner_id=story.owner.id, kind=kind, memory_id=memory_id, shared_owner_id=self.team.owner.id
        )
        return propose_to_shared(promoted=promoted, source=story.source)

    def fact(self) -> UUID:
        verdict = self.ann.item(FACT)
        self.ann.index()
        assert verdict.target_id is not None
        return verdict.target_id

    def change(self, verdict: Verdict) -> Change:
        assert verdict.change_id is not None
        return Change.objects.of(self.team.owner.id).get(id=verdict.change_id)

    def decider(self, verdict: Verdict, user: User | None = None) -> Decider:
        owner_id = self.team.owner.id
        change = self.change(verdict)
        review = Review.objects.of(owner_id).get(change_id=change.id)
        return Decider(
            workspace_id=self.team.source.workspace_id,
            owner_id=owner_id,
            review_id=review.id,
            user_id=(user or self.anna).id,
            version=review.version,
            token=approval_token(review, change, standing_of(change)),
        )

    def follow(self) -> int:
        return follow_promotions(workspace_id=self.team.source.workspace_id)

    def told(self, story: Story, query: str = FACT) -> list[str]:
        self.team.index()
        return [entry.layer for entry in story.recall(query).served if FACT in entry.text]


@pytest.fixture
def company() -> Company:
    ann = begin(ref="ann", locale="zh-hans")
    team = begin(source=ann.source, kind="team", display_name="客服部", locale="zh-hans")
    bob = begin(source=ann.source, ref="bob", locale="en")
    make_link(ann.owner, team.owner, direction="both")
    make_link(bob.owner, team.owner)
    return Company(team, ann, bob, User.objects.create_user("anna"))


def test_a_proposal_reaches_nobody_before_a_person_says_yes_and_every_member_after(company: Company) -> None:
    verdict = company.propose(company.fact())
    assert (verdict.outcome, verdict.code) == ("in_review", "promotion")
    assert company.told(company.bob) == company.told(company.team) == []
    seen = context(
        workspace_id=company.team.source.workspace_id, owner_id=company.team.owner.id, caller=Caller()
    )
    assert [proposal.after for proposal in seen.proposals] == [None]
    assert FACT not in seen.text
    again = company.propose(company.fact())
    assert (again.code, again.change_id) == ("already_proposed", verdict.change_id)
    approve(decider=company.decider(verdict))
    assert company.told(company.bob) == ["team"]
    assert company.told(company.team) == ["user"]
    promotion = Promotion.objects.of(company.team.owner.id).get()
    assert (promotion.change_id, promotion.source_owner_id) == (verdict.change_id, company.ann.owner.id)
    assert company.propose(company.fact()).code == "already_shared"


def test_a_value_is_proposed_beside_the_one_that_stands_and_can_be_rejected(company: Company) -> None:
    company.team.field("user_profile.budget", 100)
    mine = company.ann.field("user_profile.budget", 300)
    verdict = company.propose(mine.target_id, kind="field_version")
    change = company.change(verdict)
    assert (change.before, change.after and change.after["value"]) == ({"value": 100, "version": 1}, 300)
    assert "promotion" in change.gates
    assert change.quote == ""
    reject(decider=company.decider(verdict), reason_code="wrong_owner")
    [standing] = FieldVersion.objects.of(company.team.owner.id).filter(status="active")
    assert standing.value == 100
    refused = company.propose(mine.target_id, kind="field_version")
    assert (refused.outcome, refused.code) == ("refused", "rejected_before")


def test_staff_who_proposed_it_do_not_decide_it(company: Company) -> None:
    fact = company.fact()
    company.ann.source = as_person(company.ann.source, company.anna.id)
    verdict = company.propose(fact)
    with pytest.raises(OwnProposal):
        approve(decider=company.decider(verdict))
    approve(decider=company.decider(verdict, User.objects.create_user("ben")))


def code_of(company: Company, memory_id: UUID, by: Story) -> str:
    with pytest.raises(MemoryhubError) as caught:
        company.propose(memory_id, by=by)
    return caught.value.code


def test_only_over_a_link_that_proposes_and_only_what_it_names(company: Company) -> None:
    fact, other = company.fact(), company.bob.item("Bob knows a shortcut")
    assert other.target_id is not None
    assert code_of(company, other.target_id, company.bob) == "not_linked"
    assert code_of(company, fact, company.bob) == "not_found"
    assert code_of(company, company.team.item("Of the team").target_id or fact, company.ann) == "not_found"
    dan = begin(source=company.ann.source)
    make_link(dan.owner, company.team.owner, direction="proposes", kinds=["rule"])
    assert code_of(company, dan.item("Dan knows more").target_id or fact, dan) == "not_linked"
    foreign = begin(kind="team")
    with pytest.raises(UnknownOwner):
        propose_to_shared(
            promoted=Promoted(
                owner_id=company.ann.owner.id,
                kind="item",
                memory_id=fact,
                shared_owner_id=foreign.owner.id,
            ),
            source=company.ann.source,
        )
    for state in ("frozen", "erasing"):
        Owner.objects.filter(id=company.team.owner.id).update(state=state)
        assert code_of(company, fact, company.ann) in ("owner_frozen", "owner_erased")
    assert not Promotion.objects.of(company.team.owner.id).exists()


def test_an_open_proposal_is_withdrawn_when_its_source_is_taken_back(company: Company) -> None:
    fact = company.fact()
    verdict = company.propose(fact)
    assert company.follow() == 0
    retract(company, fact)
    with pytest.raises(EvidenceMismatch):
        approve(decider=company.decider(verdict))
    assert company.follow() == 1
    assert company.follow() == 0
    team = company.team.owner.id
    assert company.change(verdict).state == "withdrawn"
    assert Review.objects.of(team).get().outcome == "withdrawn"
    assert company.told(company.bob) == []


def test_what_was_approved_is_looked_at_again_when_its_source_is_taken_back(company: Company) -> None:
    fact = company.fact()
    approve(decider=company.decider(company.propose(fact)))
    retract(company, fact)
    assert company.follow() == 1
    kinds = Review.objects.of(company.team.owner.id).exclude(state="decided").values_list("kind", flat=True)
    assert list(kinds) == ["recheck"]
    assert company.told(company.bob) == ["team"]


def test_with_an_erased_member_goes_what_nobody_approved(company: Company) -> None:
    other = company.ann.item("Ann's own words about a customer")
    open_one = company.change(company.propose(other.target_id))
    kept = company.propose(company.fact())
    approve(decider=company.decider(kept))
    team = company.team.owner.id
    purge(owner_id=company.ann.owner.id, reason="erasure")
    assert not Change.objects.of(team).filter(id=open_one.id).exists()
    assert not Review.objects.of(team).filter(change_id=open_one.id).exists()
    assert not Question.objects.of(team).exists()
    assert "Ann's own words" not in str(list(Change.objects.of(team).values_list()))
    [promotion] = Promotion.objects.of(team)
    assert (promotion.change_id, promotion.source_owner_id, promotion.source_id) == (
        kept.change_id,
        None,
        None,
    )
    assert company.follow() == 1
    assert Review.objects.of(team).filter(kind="recheck").exclude(state="decided").count() == 1
    assert ReviewStep.objects.of(team).count() == 1
    assert MemoryItem.objects.of(team).get().content == FACT


def retract(company: Company, item_id: UUID) -> None:
    """Take the sentence back as the desk's rollback leaves it."""
    MemoryItem.objects.of(company.ann.owner.id).filter(id=item_id).update(status="retracted")
