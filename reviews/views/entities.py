"""`/owners/<id>/entities/`: who and what an owner's memory speaks of, as a list and as a picture; one of them; merge and split."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryhub.exceptions import OwnerFrozen
from memoryhub.models import Entity, Owner
from memoryhub.models.entity import OWNER_NAMED, SAME_AS
from memoryhub.relating.layout import spring_layout
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.structured_relations import write_relations
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.labels import word_for
from reviews.queries.entities import MOST_DRAWN, Graph, ThingDetail, graph_of, thing_detail
from reviews.views.document import staff_source

LONGEST_DRAWN = 24


@require_GET
@staff_page()
def entities(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    context = {"owner": owner, "tab": "entities", "graph": graph_of(owner=owner), "most_drawn": MOST_DRAWN}
    return render(request, "reviews/entities.html", context)


@require_GET
@staff_page()
def entities_chart(request: StaffRequest, owner_id: UUID) -> JsonResponse:
    """The best-connected things and their relations, as plotly.js reads it; the page says the same in a table."""
    return JsonResponse(_figure(graph_of(owner=owner_for(request, owner_id))))


def _figure(graph: Graph) -> dict[str, Any]:
    language = "zh" if (get_language() or "").startswith("zh") else "en"
    drawn = [row.thing for row in graph.things if row.n_relations][:MOST_DRAWN]
    place = {thing.id: number for number, thing in enumerate(drawn)}
    lines = [
        (place[start], place[stop], relation.told_in(language))
        for relation in graph.relations
        if relation.to_entity_id
        and (start := graph.names.root(relation.from_entity_id)) in place
        and (stop := graph.names.root(relation.to_entity_id)) in place
    ]
    at = spring_layout(len(drawn), [(one, other) for one, other, _told in lines])
    edges: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "meta": "quiet",
        "hoverinfo": "skip",
        "x": [],
        "y": [],
    }
    for one, other, _told in lines:
        edges["x"] += [at[one][0], at[other][0], None]
        edges["y"] += [at[one][1], at[other][1], None]
    middles = {
        "type": "scatter",
        "mode": "markers",
        "meta": "quiet",
        "x": [(at[one][0] + at[other][0]) / 2 for one, other, _told in lines],
        "y": [(at[one][1] + at[other][1]) / 2 for one, other, _told in lines],
        "text": [told for *_ends, told in lines],
        "hovertemplate": "%{text}<extra></extra>",
    }
    things = {
        "type": "scatter",
        "mode": "markers+text",
        "textposition": "top center",
        "cliponaxis": False,
        "x": [x for x, _y in at],
        "y": [y for _x, y in at],
        "text": [
            Truncator(thing.entity.name or OWNER_NAMED[language]).chars(LONGEST_DRAWN) for thing in drawn
        ],
        "customdata": [
            thing.entity.kind.label_zh if language == "zh" else thing.entity.kind.label_en for thing in drawn
        ],
        "hovertemplate": "%{text}<br>%{customdata}<extra></extra>",
    }
    bare = {"visible": False, "range": [-0.12, 1.12], "autorange": False}
    return {"data": [edges, middles, things], "layout": {"xaxis": bare, "yaxis": bare, "showlegend": False}}


@require_GET
@staff_page()
def entity(request: StaffRequest, owner_id: UUID, entity_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    detail = _detail(owner, entity_id)
    context = {
        "owner": owner,
        "tab": "entities",
        "detail": detail,
        "may_merge": may(request.roles, "operator") and not detail.thing.entity.is_owner,
    }
    return render(request, "reviews/entity.html", context)


@require_POST
@staff_page("operator")
def entity_merge(request: StaffRequest, owner_id: UUID, entity_id: UUID) -> HttpResponseBase:
    """Make two things one, under the name of the other; the change set undoes it."""
    owner = owner_for(request, owner_id)
    detail = _detail(owner, entity_id)
    chosen = request.POST.get("into", "")
    into = next((other.entity for other in detail.others if str(other.id) == chosen), None)
    if into is None:
        messages.error(request, _("Choose what it is the same as."))
        return redirect("reviews:entity", owner.id, entity_id)
    verdict = _write(request, owner, _same(detail.thing.entity, into), name="merge_entities")
    if verdict is not None and verdict.outcome in ("stored", "superseded", "reinforced"):
        messages.success(request, _("They are one thing now. Its change set takes that back."))
        return redirect("reviews:entity", owner.id, into.id)
    return _not_done(request, owner, entity_id, verdict)


@require_POST
@staff_page("operator")
def entity_split(request: StaffRequest, owner_id: UUID, entity_id: UUID) -> HttpResponseBase:
    """Say that a name was never one of this thing: what was said under it is its own again."""
    owner = owner_for(request, owner_id)
    detail = _detail(owner, entity_id)
    chosen = request.POST.get("alias", "")
    alias = next((row.entity for row in detail.aliases if str(row.entity.id) == chosen), None)
    if alias is None:
        raise Http404
    removal = RelationCandidate(
        relation=SAME_AS,
        operation="remove",
        from_kind=alias.kind.name,
        from_name=alias.name,
        basis="staff",
        explicit_correction=True,
        world_change=False,
    )
    verdict = _write(request, owner, removal, name="split_entity")
    if verdict is not None and verdict.outcome == "superseded":
        messages.success(request, _("The name is a thing of its own again. The change set takes that back."))
        return redirect("reviews:entity", owner.id, alias.id)
    return _not_done(request, owner, entity_id, verdict)


def _same(alias: Entity, known_as: Entity) -> RelationCandidate:
    return RelationCandidate(
        relation=SAME_AS,
        from_kind=alias.kind.name,
        from_name=alias.name,
        to_kind=known_as.kind.name,
        to_name=known_as.name,
        basis="staff",
        explicit_correction=True,
    )


def _write(request: StaffRequest, owner: Owner, candidate: RelationCandidate, *, name: str) -> Verdict | None:
    try:
        [verdict] = write_relations(
            owner_id=owner.id,
            relations=[candidate],
            source=staff_source(request),
            name=name,
            reason=request.POST.get("reason", "").strip()[:500],
        )
    except OwnerFrozen:
        return None
    return verdict


def _not_done(
    request: StaffRequest, owner: Owner, entity_id: UUID, verdict: Verdict | None
) -> HttpResponseBase:
    told = word_for(verdict.code, "reason") if verdict is not None and verdict.code else ""
    messages.error(request, told or _("That is not possible now; nothing was done."))
    return redirect("reviews:entity", owner.id, entity_id)


def _detail(owner: Owner, entity_id: UUID) -> ThingDetail:
    detail = thing_detail(owner=owner, entity_id=entity_id)
    if detail is None:
        raise Http404
    return detail
