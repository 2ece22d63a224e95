"""Whatever is done, in whatever order: one active version per slot, chains that point forward, and changes that tell the state.

`make test-deep` runs 200 × 50; a short run keeps `make test` quick.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memoryhub.changes.deciding import Decider, approve, reject
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.changes.postponing import merge
from memoryhub.changes.rebuilding import rebuild_state, state_hash, stored_state
from memoryhub.changes.undoing import undo
from memoryhub.exceptions import InvalidInput, TooLateToUndo
from memoryhub.models import Change, ChangeSet, FieldVersion, MemoryItem, Review, as_of
from memoryhub.writing.editing import edit_memory
from tests.changes.world import World
from tests.repeats import FULL

REVIEWER = 11
VALUES = st.sampled_from([100, 200, 300, 400])
WORDS = st.sampled_from(["Lisbon", "Porto", "Faro", "Braga"])
TEAS = st.sampled_from(["oolong", "jasmine", "mint"])
DAYS = st.integers(0, 9)


class MemoryMachine(RuleBasedStateMachine):
    """One owner, two agents, one person who decides and rolls back."""

    @initialize()
    def begin(self) -> None:
        # Every example is undone, so that they do not see each other's rows.
        self.undone = transaction.atomic()
        self.undone._from_testcase = True  # type: ignore[attr-defined]  # durable scopes may open inside
        self.undone.__enter__()
        self.world = World()

    def teardown(self) -> None:
        if hasattr(self, "undone"):
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    def source(self, is_good: bool) -> Any:
        return self.world.good if is_good else self.world.bad

    @rule(value=VALUES, is_good=st.booleans(), at=DAYS)
    def write_value(self, value: int, is_good: bool, at: int) -> None:
        self.world.field(value, by=self.source(is_good), at=at)

    @rule(value=st.sampled_from(["猫", "狗", "鱼"]), is_good=st.booleans(), at=DAYS)
    def write_member(self, value: str, is_good: bool, at: int) -> None:
        self.world.field(value, by=self.source(is_good), at=at, field="pet")

    @rule(is_good=st.booleans(), at=DAYS)
    def remove_value(self, is_good: bool, at: int) -> None:
        self.world.field(None, by=self.source(is_good), at=at, operation="remove")

    @rule(word=WORDS, is_good=st.booleans(), at=DAYS)
    def write_sentence(self, word: str, is_good: bool, at: int) -> None:
        self.world.say(f"The office is in {word}", by=self.source(is_good), at=at)

    @rule(tea=TEAS, is_good=st.booleans(), at=DAYS)
    def write_attribute(self, tea: str, is_good: bool, at: int) -> None:
        self.world.say(
            f"The favourite tea is {tea}",
            by=self.source(is_good),
            at=at,
            subject_entity="owner",
            attribute="favourite tea",
            value=tea,
        )

    @rule(word=WORDS, is_good=st.booleans(), pick=st.integers(0, 9))
    def edit_sentence(self, word: str, is_good: bool, pick: int) -> None:
        items = MemoryItem.objects.of(self.world.owner).filter(status="active", attribute="").order_by("seq")
        taken = MemoryItem.objects.of(self.world.owner).filter(status="active", content=f"We meet in {word}")
        if not items or taken:
            return
        item = items[pick % len(items)]
        edit_memory(
            owner_id=self.world.owner,
            item_id=item.id,
            expected_seq=item.seq,
            changes={"content": f"We meet in {word}"},
            source=self.source(is_good),
        )

    @rule(word=WORDS, is_good=st.booleans(), pick=st.integers(0, 9))
    def label_sentence(self, word: str, is_good: bool, pick: int) -> None:
        items = MemoryItem.objects.of(self.world.owner).filter(status="active").order_by("seq")
        if items:
            item = items[pick % len(items)]
            edit_memory(
                owner_id=self.world.owner,
                item_id=item.id,
                expected_seq=item.seq,
                changes={"entities": [word]},
                source=self.source(is_good),
            )

    @rule(value=VALUES, at=DAYS)
    def propose_value(self, value: int, at: int) -> None:
        """Of so high an importance that it waits for want of evidence."""
        self.world.field(value, by=self.world.bad, at=at, importance=0.9)

    @precondition(lambda self: self.open_reviews())
    @rule(act=st.sampled_from(["approve", "reject", "merge"]), pick=st.integers(0, 9))
    def decide(self, act: str, pick: int) -> None:
        reviews = self.open_reviews()
        review = reviews[pick % len(reviews)]
        decider = self.decider(review)
        if act == "reject":
            reject(decider=decider, reason_code="joke_or_sarcasm")
        elif act == "approve":
            with suppress(InvalidInput):  # another sentence says by now what the proposed edit would
                approve(decider=decider)
        else:
            others = Change.objects.of(self.world.owner).exclude(id=review.change_id).order_by("id")
            if others:
                merge(decider=decider, into_change_id=others[pick % len(others)].id)

    @rule(pick=st.integers(0, 9))
    def take_a_decision_back(self, pick: int) -> None:
        decided = Review.objects.of(self.world.owner).filter(decided_by_id=REVIEWER).order_by("id")
        if decided:
            review = decided[pick % len(decided)]
            with suppress(TooLateToUndo):  # something was built on it, or it is undone already
                undo(decider=self.decider(review))

    def decider(self, review: Review) -> Decider:
        return Decider(
            workspace_id=self.world.workspace.id,
            owner_id=self.world.owner,
            review_id=review.id,
            user_id=REVIEWER,
            version=review.version,
            token=approval_token(review, review.change, standing_of(review.change)),
        )

    def open_reviews(self) -> list[Review]:
        if not hasattr(self, "world"):
            return []
        rows = Review.objects.of(self.world.owner).filter(kind="proposal", change__state="proposed")
        return list(rows.exclude(state="decided").select_related("change").order_by("id"))

    @rule(is_good=st.booleans(), is_ticked=st.booleans())
    def roll_back_agent(self, is_good: bool, is_ticked: bool) -> None:
        self.roll_back(is_ticked, agent_id=self.source(is_good).agent_id)

    @precondition(lambda self: self.change_sets())
    @rule(pick=st.integers(0, 99), is_ticked=st.booleans())
    def roll_back_change_set(self, pick: int, is_ticked: bool) -> None:
        sets = self.change_sets()
        self.roll_back(is_ticked, change_set_ids=(sets[pick % len(sets)],))

    def change_sets(self) -> list[Any]:
        if not hasattr(self, "world"):
            return []
        return list(ChangeSet.objects.of(self.world.owner).order_by("id").values_list("id", flat=True))

    def roll_back(self, is_ticked: bool, **scope: Any) -> None:
        plan = self.world.plan(**scope)
        ticked = tuple(item.key for item in plan.conflicts) if is_ticked else ()
        before = state_hash(owner_id=self.world.owner)
        result = self.world.roll_back(ticked=ticked, **scope)
        assert {entry.code for entry in plan.skipped} <= {"nothing_to_undo"}
        after = {item.key: item.after for item in result.items}
        shown = {
            item.key: item.before if item.key in ticked else item.after
            for item in plan.items
            if not item.is_derived
        }
        assert {key: after[key] for key in shown if key in after} == {
            k: v for k, v in shown.items() if k in after
        }
        if result.change_set_ids:
            again = self.world.undo(result)
            assert state_hash(owner_id=self.world.owner) == before
            if again.change_set_ids:
                self.world.undo(again)

    @invariant()
    def the_changes_alone_tell_the_state(self) -> None:
        if hasattr(self, "world"):
            owner = self.world.owner
            assert rebuild_state(owner_id=owner, now=timezone.now()) == stored_state(owner_id=owner)

    @invariant()
    def one_value_stands_in_a_slot_and_chains_point_forward(self) -> None:
        if not hasattr(self, "world"):
            return
        versions = list(FieldVersion.objects.of(self.world.owner))
        active = Counter((v.form_id, v.field_id, v.value_key) for v in versions if v.status == "active")
        assert all(count == 1 for count in active.values())
        for row in versions:
            if row.superseded_by_version is not None:
                assert row.superseded_by_version > row.version
        for item in MemoryItem.objects.of(self.world.owner):
            assert item.superseded_by_seq is None or item.superseded_by_seq > item.seq

    @invariant()
    def what_stands_is_what_is_believed_now(self) -> None:
        if not hasattr(self, "world"):
            return
        now = timezone.now()
        for rows in (FieldVersion.objects.of(self.world.owner), MemoryItem.objects.of(self.world.owner)):
            active = set(rows.filter(status="active").values_list("id", flat=True))
            believed = set(rows.filter(as_of(valid_at=now, known_at=now)).values_list("id", flat=True))
            assert active == believed

    @invariant()
    def every_proposal_has_one_open_review(self) -> None:
        if hasattr(self, "world"):
            waiting = Change.objects.of(self.world.owner).filter(state="proposed").count()
            assert len(self.open_reviews()) == waiting


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.deep
def test_every_history_keeps_its_promises() -> None:
    run_state_machine_as_test(
        MemoryMachine,
        settings=settings(
            max_examples=200 if FULL else 8,
            stateful_step_count=50 if FULL else 20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
        ),
    )
