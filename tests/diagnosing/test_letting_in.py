"""How something unwanted got in."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from memoryhub.changes.deciding import approve
from memoryhub.diagnosing.letting_in import LetIn, how_it_got_in, say_how
from memoryhub.exceptions import NotFound
from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Review
from tests.recall.stories import Story, begin
from tests.reviews.reviewing import decider


def asked(story: Story, target_id: UUID, recall_id: UUID | None = None) -> LetIn:
    return how_it_got_in(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        target_id=target_id,
        recall_id=recall_id,
    )


def test_it_names_the_event_the_reader_the_verdict_and_who_said_yes(committing_db: str) -> None:
    ann = begin()
    (said,) = ann.say("I live in Leeds.")
    ann.item("Pays all invoices by wire.", importance=0.95)
    direct = ann.item("Keeps a parrot.").target_id
    assert direct
    review = Review.objects.of(ann.owner.id).get()
    approve(decider=decider(User.objects.create_user("ines"), review))
    recall_id = ann.recall("Where does she live?").recall_id

    version = FieldVersion.objects.of(ann.owner.id).get()
    found = asked(ann, version.id, recall_id)
    event = Event.objects.of(ann.owner.id).get(id=said)
    assert (found.door, found.event_id, found.role, found.trust_tier) == ("at_once", said, "user", 3)
    assert found.read_by == event.learned["extractor"] and found.agent_id == ann.source.agent_id
    assert found.verdict and found.verdict["outcome"] == "stored"
    assert found.change_id == Change.objects.of(ann.owner.id).get(target_id=version.id).id
    assert found.section == "forms" and "forms" in found.legs
    assert found.read_by in say_how(found, "en").what and found.read_by in say_how(found, "zh").what

    approved = asked(ann, MemoryItem.objects.of(ann.owner.id).get(content__contains="wire").id, recall_id)
    assert (approved.door, approved.review_id, approved.section) == ("approved", review.id, "")
    assert [yes.action for yes in approved.approved] == ["approve"] and approved.gates
    assert asked(ann, direct).door == "direct"
    assert (asked(ann, said).door, asked(ann, said).kind) == ("event", "event")

    bob = begin(source=ann.source)
    for wanted, recall in ((version.id, None), (uuid4(), None)):
        with pytest.raises(NotFound):
            asked(bob, wanted, recall)
    with pytest.raises(NotFound):
        asked(bob, bob.say("I live in Hull.")[0], recall_id)
