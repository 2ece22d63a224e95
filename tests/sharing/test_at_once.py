"""Two agents and one shared owner in the same moment: values are arbitrated and versioned, links are made once."""

from __future__ import annotations

from memoryhub.models import Change, FieldVersion, OwnerLink, Review
from memoryhub.sharing.linking import Linked, Terms, link_owner
from memoryhub.sharing.promoting import Promoted, propose_to_shared
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.structured import write_field
from tests.builders import make_link, make_owner, make_source
from tests.recall.stories import begin
from tests.threads import at_once


def test_two_agents_at_one_shared_owner_at_once(committing_db: str) -> None:
    ann = begin()
    team = begin(source=ann.source, kind="team")
    agents = [ann.source, make_source(workspace_id=ann.source.workspace_id)]

    def write(number: int) -> Verdict:
        return write_field(
            owner_id=team.owner.id,
            form_type="user_profile",
            field="budget",
            value=1_000 * (number + 1),
            source=agents[number],
        )

    written = at_once(2, write)
    assert [answer for answer in written if isinstance(answer, Exception)] == []
    versions = FieldVersion.objects.of(team.owner.id)
    stored = [verdict for verdict in written if isinstance(verdict, Verdict) and verdict.target_id]
    assert versions.filter(status="active").count() == 1
    assert sorted(versions.values_list("version", flat=True)) == list(range(1, len(stored) + 1))
    assert Change.objects.of(team.owner.id).count() == 2

    def link(number: int) -> Linked:
        terms = Terms(direction="both") if number % 2 else Terms()
        return link_owner(
            owner_id=ann.owner.id, linked_owner_id=team.owner.id, terms=terms, source=agents[number % 2]
        )

    linked = at_once(4, link)
    assert [answer for answer in linked if isinstance(answer, Exception)] == []
    assert OwnerLink.objects.of(ann.owner.id).filter(ended_at=None).count() == 1

    bob = make_owner(ann.source)
    make_link(bob, team.owner, direction="both")
    bobs = begin(source=ann.source)
    bobs.owner = bob
    fact = bobs.item("The pager rota lives in the third board").target_id
    assert fact is not None

    def propose(number: int) -> Verdict:
        promoted = Promoted(owner_id=bob.id, kind="item", memory_id=fact, shared_owner_id=team.owner.id)
        return propose_to_shared(promoted=promoted, source=agents[number])

    proposed = at_once(2, propose)
    assert {answer.outcome for answer in proposed if isinstance(answer, Verdict)} == {"in_review"}
    assert len(proposed) == 2
    assert Review.objects.of(team.owner.id).filter(kind="proposal", change__target_kind="item").count() == 1
