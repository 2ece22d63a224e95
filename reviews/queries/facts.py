"""What is held true of an owner now, field by field, with where each value came from; and the chain behind one field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from uuid import UUID

from django.core.exceptions import BadRequest
from django.db.models import Count, QuerySet

from memoryhub.models import Agent, Change, FieldDefinition, FieldVersion, Form, FormType, Owner
from reviews.as_of import AsOf
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.scopes import of

SHOWN = ("active", "scheduled")
MOST_PROPOSALS = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One value that holds (or is scheduled to), its evidence, and how many versions its field has had."""

    version: FieldVersion
    versions: int
    agent: str

    @property
    def place(self) -> Key:
        return (str(self.version.version),)


@dataclass(frozen=True, kw_only=True, slots=True)
class FormFacts:
    form: Form
    facts: Sequence[Fact]


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnerFacts:
    forms: Sequence[FormFacts] = field(default_factory=list)
    proposals: Sequence[Change] = field(default_factory=list)


def current_facts(*, owner: Owner, as_of: AsOf | None = None) -> OwnerFacts:
    """All current values of the owner by form, and the proposed changes that wait for a person (newest 50).

    As of another time: the values that held then; what waits now is no part of that past.
    """
    past = as_of if as_of is not None and as_of.is_past else None
    with of(owner):
        found = list(
            _shown(owner, past)
            .select_related("form__form_type", "field", "event")
            .order_by("form__form_type__name", "form__subject", "form_id", "field__name", "-version")
        )
        counted = (
            FieldVersion.objects.of(owner.id)
            .order_by()
            .values_list("form_id", "field_id")
            .annotate(n=Count("id"))
        )
        versions = {(form_id, field_id): n for form_id, field_id, n in counted}
        waiting = Change.objects.of(owner.id).filter(state="proposed").select_related("event")
        proposals = [] if past else list(waiting.order_by("-created_at", "-id")[:MOST_PROPOSALS])
        agents = agent_names(owner.workspace_id)
    facts = [
        Fact(version=row, versions=versions[row.form_id, row.field_id], agent=agents.get(row.agent_id, ""))
        for row in found
    ]
    forms = [
        FormFacts(form=form, facts=list(rows))
        for form, rows in groupby(facts, key=lambda fact: fact.version.form)
    ]
    return OwnerFacts(forms=forms, proposals=proposals)


def _shown(owner: Owner, past: AsOf | None) -> QuerySet[FieldVersion]:
    rows = FieldVersion.objects.of(owner.id)
    if past is None:
        return rows.filter(status__in=SHOWN)
    valid_at, known_at = past.moments()
    return rows.holding(valid_at=valid_at, known_at=known_at)


def agent_names(workspace_id: UUID) -> dict[UUID | None, str]:
    return dict(Agent.objects.filter(workspace_id=workspace_id).values_list("id", "name"))


def field_definitions(workspace_id: UUID) -> dict[str, FieldDefinition]:
    """The whitelist by code (`contact.address`), with form types: what turns stored codes into words."""
    rows = FieldDefinition.objects.filter(form_type__workspace_id=workspace_id).select_related("form_type")
    return {f"{row.form_type.name}.{row.name}": row for row in rows}


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    form: Form
    form_type: FormType
    field: FieldDefinition
    page: Page[Fact]
    total: int


def version_chain(*, owner: Owner, form_id: UUID, field_name: str, cursor: Cursor | None) -> Chain | None:
    """Every version one field of one form has had, newest first; None when the owner has no such form or field."""
    with of(owner):
        form = Form.objects.of(owner.id).filter(id=form_id).select_related("form_type").first()
        if form is None:
            return None
        definition = FieldDefinition.objects.filter(form_type=form.form_type, name=field_name).first()
        if definition is None:
            return None
        rows = FieldVersion.objects.of(owner.id).filter(form_id=form.id, field=definition)
        total = rows.count()
        if cursor is None:
            rows = rows.order_by("-version")
        else:
            number = _version_of(cursor)
            older = cursor.direction == "older"
            rows = (
                rows.filter(version__lt=number).order_by("-version")
                if older
                else rows.filter(version__gt=number).order_by("version")
            )
        found = list(rows.select_related("event")[: PAGE_SIZE + 1])
        agents = agent_names(owner.workspace_id)
    facts = [Fact(version=row, versions=total, agent=agents.get(row.agent_id, "")) for row in found]
    return Chain(
        form=form, form_type=form.form_type, field=definition, page=page_of(facts, cursor=cursor), total=total
    )


def _version_of(cursor: Cursor) -> int:
    (text,) = cursor.place
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRequest("cursor")
    return int(text)
