"""Link an owner to a team, project or domain, and end the link. What a link says never changes: other terms are a new link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from memoryhub import audit, idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import Forbidden, InvalidInput, NotFound, OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.models import FormType, Owner, OwnerLink
from memoryhub.writing.source import Source

LEAST_LINKING_TIER = 3
"""A link lets somebody's memory reach somebody else: keys of the open web do not make or end one."""
SHARED_KINDS = frozenset({Owner.Kind.TEAM, Owner.Kind.PROJECT, Owner.Kind.DOMAIN})


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """What a link lets through; empty `kinds` and `form_types` mean all of them."""

    direction: str = OwnerLink.Direction.READS
    kinds: tuple[str, ...] = ()
    form_types: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Linked:
    """The link that stands now. `was_made` is off when it stood before with the same terms."""

    link: OwnerLink
    was_made: bool


@run_again_when_busy
def link_owner(*, owner_id: UUID, linked_owner_id: UUID, terms: Terms, source: Source) -> Linked:
    """Link the owner to a shared one. The same terms again change nothing; other terms end the link and make a new one.

    Raises InvalidInput (`linked_to_itself`, `not_shared`, `unknown_direction`, `unknown_kind`, `unknown_form_type`), Forbidden
    for a key that is not trusted enough, and the errors of either owner.
    """
    _check_right(source)
    if owner_id == linked_owner_id:
        raise InvalidInput("an owner is not linked to itself", field="linked_owner", code="linked_to_itself")
    terms = _checked(terms)
    with scope(workspace_id=source.workspace_id, owners=[owner_id, linked_owner_id], purpose="share"):
        linked = _locked(source.workspace_id, owner_id, linked_owner_id)[linked_owner_id]
        if linked.kind not in SHARED_KINDS:
            raise InvalidInput(
                "a link leads to an owner of kind team, project or domain",
                field="linked_owner",
                code="not_shared",
            )
        _check_form_types(source.workspace_id, terms.form_types)
        idempotency.take_claim()
        done = _made(owner_id, linked, terms)
        idempotency.keep_answer({"link": str(done.link.id), "was_made": done.was_made})
    return done


@run_again_when_busy
def unlink_owner(*, owner_id: UUID, link_id: UUID, source: Source) -> OwnerLink:
    """End a link: from the next request on nothing passes over it. Ending it again changes nothing.

    Raises NotFound for an id that is no link of the owner, Forbidden as `link_owner`, and the errors of the owner.
    """
    _check_right(source)
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="share"):
        _locked(source.workspace_id, owner_id)
        link = OwnerLink.objects.of(owner_id).select_related("linked_owner").filter(id=link_id).first()
        if link is None:
            raise NotFound("no such link of this owner")
        if link.ended_at is None:
            _end(link)
    return link


def links_of(owner_id: UUID) -> list[OwnerLink]:
    """The links that stand, oldest first, with the owners they lead to. Call inside a scope of the owner."""
    standing = OwnerLink.objects.of(owner_id).filter(ended_at=None)
    return list(standing.select_related("linked_owner").order_by("created_at", "id"))


def _made(owner_id: UUID, linked: Owner, terms: Terms) -> Linked:
    standing = OwnerLink.objects.of(owner_id).filter(linked_owner=linked, ended_at=None).first()
    if standing is not None and terms_of(standing) == terms:
        standing.linked_owner = linked
        return Linked(link=standing, was_made=False)
    if standing is not None:
        _end(standing)
    link = OwnerLink.objects.create(
        owner_id=owner_id,
        workspace_id=linked.workspace_id,
        linked_owner=linked,
        linked_kind=linked.kind,
        direction=terms.direction,
        kinds=list(terms.kinds),
        form_types=list(terms.form_types),
    )
    _note("link.made", link, replaces=str(standing.id) if standing else "")
    return Linked(link=link, was_made=True)


def _end(link: OwnerLink) -> None:
    OwnerLink.objects.of(link.owner_id).filter(id=link.id).update(ended_at=Now())
    link.refresh_from_db(fields=["ended_at"])
    _note("link.ended", link)


def terms_of(link: OwnerLink) -> Terms:
    """What the link lets through, in the one order that terms have."""
    return _checked(
        Terms(direction=link.direction, kinds=tuple(link.kinds), form_types=tuple(link.form_types))
    )


def _checked(terms: Terms) -> Terms:
    """The same terms without repetitions and in order. Raises InvalidInput for a word that is none of ours."""
    if terms.direction not in OwnerLink.Direction.values:
        raise InvalidInput(
            f"one of {', '.join(OwnerLink.Direction.values)}", field="direction", code="unknown_direction"
        )
    if unknown := sorted(set(terms.kinds) - set(OwnerLink.Kind.values)):
        raise InvalidInput(f"unknown kind {unknown[0]}", field="kinds", code="unknown_kind")
    return Terms(
        direction=terms.direction,
        kinds=tuple(sorted(set(terms.kinds))),
        form_types=tuple(sorted(set(terms.form_types))),
    )


def _check_form_types(workspace_id: UUID, names: Sequence[str]) -> None:
    known = set(
        FormType.objects.filter(workspace_id=workspace_id, name__in=names).values_list("name", flat=True)
    )
    if unknown := sorted(set(names) - known):
        raise InvalidInput(f"unknown form type {unknown[0]}", field="form_types", code="unknown_form_type")


def _check_right(source: Source) -> None:
    if source.user_id is None and source.trust_tier < LEAST_LINKING_TIER:
        raise Forbidden(f"a key of tier {source.trust_tier} does not link owners")


def _locked(workspace_id: UUID, *owner_ids: UUID) -> dict[UUID, Owner]:
    """The owners under their row locks, taken in one order. Not a write scope: see `owners.change_owner`."""
    rows = Owner.objects.select_for_update(no_key=True).filter(workspace_id=workspace_id, id__in=owner_ids)
    found = {owner.id: owner for owner in rows.order_by("id")}
    for owner_id in owner_ids:
        if owner_id not in found:
            raise UnknownOwner(owner_id)
        if found[owner_id].state == Owner.State.FROZEN:
            raise OwnerFrozen(owner_id)
        if found[owner_id].state == Owner.State.ERASING:
            raise OwnerErasing(owner_id)
    return found


def _note(action: str, link: OwnerLink, **details: Any) -> None:
    audit.record(
        audit.entry(
            action=action,
            workspace_id=link.workspace_id,
            owner_id=link.owner_id,
            object_kind="owner_link",
            object_id=link.id,
            details={
                "linked_owner": str(link.linked_owner_id),
                "direction": link.direction,
                "kinds": list(link.kinds),
                "form_types": list(link.form_types),
                **{name: value for name, value in details.items() if value},
            },
        )
    )
