"""Links between owners: who may be linked to whom, on which terms, and that a link ends once and for all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from memoryhub.exceptions import Forbidden, InvalidInput, MemoryhubError, NotFound
from memoryhub.models import AuditEntry, Owner, OwnerLink, new_id
from memoryhub.owners import change_owner
from memoryhub.sharing.linking import Linked, Terms, link_owner, links_of, unlink_owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


def made(source: Source, owner: Owner, linked: Owner, **terms: Any) -> Linked:
    return link_owner(
        owner_id=owner.id,
        linked_owner_id=linked.id,
        terms=Terms(**terms),
        source=source,
    )


def test_a_link_stands_until_it_is_ended_and_every_step_is_audited(source: Source) -> None:
    user, team = make_owner(source), make_owner(source, kind="team")
    first = made(source, user, team, kinds=("rule", "form", "rule"))
    again = made(source, user, team, kinds=("form", "rule"))
    assert (first.was_made, again.was_made, again.link.id) == (True, False, first.link.id)
    other = made(source, user, team, direction="both", form_types=("business_rule",))
    assert other.was_made
    assert other.link.id != first.link.id
    assert [(link.id, link.direction, link.linked_kind) for link in links_of(user.id)] == [
        (other.link.id, "both", "team")
    ]
    assert links_of(team.id) == []
    for _ in range(2):
        ended = unlink_owner(owner_id=user.id, link_id=other.link.id, source=source)
        assert ended.ended_at is not None
    assert links_of(user.id) == []
    acts = AuditEntry.objects.filter(owner_id=user.id, object_kind="owner_link").order_by("at", "id")
    assert [act.action for act in acts] == ["link.made", "link.ended", "link.made", "link.ended"]
    assert acts[2].details["linked_owner"] == str(team.id)


@pytest.mark.parametrize(
    ("terms", "field", "code"),
    [
        ({"direction": "sideways"}, "direction", "unknown_direction"),
        ({"kinds": ("event",)}, "kinds", "unknown_kind"),
        ({"form_types": ("no_such_type",)}, "form_types", "unknown_form_type"),
    ],
)
def test_terms_are_ours(source: Source, terms: dict[str, object], field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        made(source, make_owner(source), make_owner(source, kind="team"), **terms)
    assert (caught.value.field, caught.value.code) == (field, code)


def refusal(source: Source, owner_id: UUID, linked_id: UUID) -> str:
    with pytest.raises(MemoryhubError) as caught:
        link_owner(owner_id=owner_id, linked_owner_id=linked_id, terms=Terms(), source=source)
    return caught.value.code


def test_only_shared_active_owners_of_the_workspace_are_linked(source: Source) -> None:
    user, other, team = make_owner(source), make_owner(source), make_owner(source, kind="team")
    foreign = make_owner(make_source(make_workspace()), kind="team")
    assert refusal(source, user.id, other.id) == "not_shared"
    assert refusal(source, team.id, other.id) == "not_shared"
    assert refusal(source, team.id, team.id) == "linked_to_itself"
    assert refusal(source, user.id, foreign.id) == refusal(source, user.id, new_id()) == "not_found"
    assert refusal(source, foreign.id, team.id) == "not_found"
    assert refusal(replace(source, trust_tier=2), user.id, team.id) == "forbidden"
    Owner.objects.filter(id=team.id).update(state="frozen")
    assert refusal(source, user.id, team.id) == "owner_frozen"
    Owner.objects.filter(id=team.id).update(state="erasing")
    assert refusal(source, user.id, team.id) == "owner_erased"
    assert not OwnerLink.objects.of(user.id).exists()


def test_a_link_of_somebody_else_is_no_link(source: Source) -> None:
    user, team = make_owner(source), make_owner(source, kind="team")
    link = made(source, user, team).link
    for owner_id in (team.id, make_owner(source).id):
        with pytest.raises(NotFound):
            unlink_owner(owner_id=owner_id, link_id=link.id, source=source)
    with pytest.raises(Forbidden):
        unlink_owner(owner_id=user.id, link_id=link.id, source=replace(source, trust_tier=1))
    assert len(links_of(user.id)) == 1


def test_the_database_itself_lets_no_private_or_foreign_memory_be_linked(source: Source) -> None:
    user, other, team = make_owner(source), make_owner(source), make_owner(source, kind="team")
    foreign = make_owner(make_source(make_workspace()), kind="team")
    for linked, kind, rule in (
        (other, "user", "only_what_is_shared_is_linked"),
        (other, "team", "ownerlink_linked_owner_of_kind"),
        (foreign, "team", "ownerlink_linked_owner_in_workspace"),
    ):
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            OwnerLink.objects.create(
                owner=user, workspace_id=user.workspace_id, linked_owner=linked, linked_kind=kind
            )
    assert made(source, user, team).was_made


def test_a_linked_team_may_become_a_domain_and_never_a_person(source: Source) -> None:
    user, team = make_owner(source), make_owner(source, kind="team")
    link = made(source, user, team).link
    change_owner(workspace_id=source.workspace_id, owner_id=team.id, changes={"kind": "domain"})
    link.refresh_from_db()
    assert link.linked_kind == "domain"
    with pytest.raises(InvalidInput) as caught:
        change_owner(workspace_id=source.workspace_id, owner_id=team.id, changes={"kind": "user"})
    assert (caught.value.field, caught.value.code) == ("kind", "is_linked")
    unlink_owner(owner_id=user.id, link_id=link.id, source=source)
    change_owner(workspace_id=source.workspace_id, owner_id=team.id, changes={"kind": "user"})
