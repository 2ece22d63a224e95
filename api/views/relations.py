"""Entities and relations: people and things, how they are related since when, and the words for it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import find_or_make_owner, reading
from api.authentication import AgentRequest
from api.idempotency import run_once
from api.pagination import MAX_LIMIT, take_page
from api.queries.relations import (
    LAST_MADE_FIRST,
    NEWEST_FIRST,
    entities_of,
    followed,
    names_of,
    relations_about,
    relations_of,
)
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, WITH_BODY, WITH_KEY, operation, page_example, page_of
from api.serializers.fields import Strict
from api.serializers.relations import (
    ENTITY_DETAIL_EXAMPLE,
    ENTITY_EXAMPLE,
    RELATION_EXAMPLE,
    RELATION_VERDICT,
    VOCABULARY_EXAMPLE,
    EntityAnswer,
    EntityDetailAnswer,
    EntityDetailQuery,
    EntityQuery,
    EntityWrite,
    NamedAnswer,
    RelationAnswer,
    RelationQuery,
    RelationWrite,
    VocabularyAnswer,
    as_candidate,
)
from api.serializers.verdicts import REFUSED_EXAMPLE, REVIEW_EXAMPLE, VerdictAnswer, status_of_verdict
from api.views.base import AgentView
from memoryhub.exceptions import NotFound
from memoryhub.models import EntityKind, RelationKind
from memoryhub.relating.things import find_thing, with_aliases
from memoryhub.writing.structured_relations import name_entity, write_relations
from memoryhub.writing.verdicts import as_json

TAG = "entities"
WRITE_ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY, 429)
VERDICTS = {
    200: {**REFUSED_EXAMPLE, "kind": "relation", "code": "relation_not_allowed"},
    201: RELATION_VERDICT,
    202: {**REVIEW_EXAMPLE, "kind": "relation"},
}


class EntityList(AgentView):
    scopes = {"GET": "memory:read", "POST": "memories:write"}

    @operation(
        "entities_list",
        tag=TAG,
        summary="The people and things an owner's memory speaks of",
        description="Each once, under the name it is known by, while something is believed about it; the newest first.",
        query=EntityQuery,
        paged=True,
        answers={200: page_of("EntityPage", EntityAnswer)},
        examples={200: page_example(ENTITY_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, EntityQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            names = names_of(owner.id, asked)
            page = take_page(request, entities_of(owner.id, asked, names=names), order=LAST_MADE_FIRST)
            things = with_aliases(page.rows, owner_id=owner.id, names=names)
            results = EntityAnswer(things, many=True).data
        return Response(page.answered(request, results))

    @operation(
        "entities_name",
        tag=TAG,
        summary="Say by which other names a thing is known",
        description=(
            "201 when anything new is stored, 202 when a person decides (names of people, or of two things that are both known), "
            "200 otherwise. Things themselves come with their relations: write those."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=EntityWrite,
        request_examples={
            "A product": {"owner": "customer-4711", "kind": "product", "name": "kettle", "aliases": ["水壶"]}
        },
        answers=dict.fromkeys((200, 201, 202), NamedAnswer),
        examples={status: {"aliases": [body]} for status, body in VERDICTS.items()},
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        sent = read_body(request, EntityWrite)
        owner = find_or_make_owner(request.user, sent["owner"])
        evidence = sent["evidence"] or {}

        def work() -> Any:
            return as_json(
                name_entity(
                    owner_id=owner.id,
                    kind=sent["kind"],
                    name=sent["name"],
                    aliases=sent["aliases"],
                    source=request.user.as_source(),
                    evidence_event_id=evidence.get("event"),
                    quote=evidence.get("quote", ""),
                    confidence=sent["confidence"],
                )
            )

        answer = run_once(
            request, owner_id=owner.id, route="entities", work=work, status_of=status_of_verdicts
        )
        return Response(NamedAnswer({"aliases": answer.content}).data, status=answer.status)


class EntityDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "entities_get",
        tag=TAG,
        summary="One thing under all its names, with its relations both ways",
        description="By the id of any of its names.",
        query=EntityDetailQuery,
        answers={200: EntityDetailAnswer},
        examples={200: ENTITY_DETAIL_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, entity_id: UUID) -> Response:
        asked = read_query(request, EntityDetailQuery)
        with reading(request.user, asked["owner"]) as owner:
            thing = find_thing(owner_id=owner.id, entity_id=entity_id, names=names_of(owner.id, asked))
            if thing is None:
                raise NotFound
            rows = list(relations_about(owner.id, thing, asked)[: MAX_LIMIT + 1])
            body = EntityDetailAnswer((thing, rows[:MAX_LIMIT], len(rows) > MAX_LIMIT)).data
        return Response(body)


class RelationList(AgentView):
    scopes = {"GET": "memory:read", "POST": "memories:write"}

    @operation(
        "relations_list",
        tag=TAG,
        summary="How people and things are related, newest first",
        description=(
            "What holds now, or held at `valid_at` as believed at `known_at`; or everything of one `status`. With `follow` each "
            "comes with what starts where it leads to: `kind=experienced&from_owner=true&to_kind=product&follow=belongs_to` "
            "answers which products the owner complained about, and their categories."
        ),
        query=RelationQuery,
        paged=True,
        answers={200: page_of("RelationPage", RelationAnswer)},
        examples={200: page_example(RELATION_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, RelationQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            names = names_of(owner.id, asked)
            page = take_page(request, relations_of(owner.id, asked, names=names), order=NEWEST_FIRST)
            told = followed(page.rows, owner.id, asked, names=names)
            results = RelationAnswer(told, many=True).data
        return Response(page.answered(request, results))

    @operation(
        "relations_write",
        tag=TAG,
        summary="Write one relation",
        description=(
            "What cannot be true beside it is closed: liking by disliking, a status by the next. "
            "201 stored, 202 a person decides, 200 nothing new was made; `code` says why."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=RelationWrite,
        request_examples={
            "A complaint": {
                "owner": "customer-4711",
                "kind": "experienced",
                "to": {"kind": "product", "name": "kettle"},
                "resolution": "open",
            }
        },
        answers=dict.fromkeys((200, 201, 202), VerdictAnswer),
        examples=VERDICTS,
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        sent = read_body(request, RelationWrite)
        owner = find_or_make_owner(request.user, sent["owner"])
        candidate, beside = as_candidate(sent)

        def work() -> Any:
            source = request.user.as_source()
            return as_json(write_relations(owner_id=owner.id, relations=[candidate], source=source, **beside))

        answer = run_once(
            request, owner_id=owner.id, route="relations", work=work, status_of=status_of_verdicts
        )
        return Response(VerdictAnswer(answer.content[0]).data, status=answer.status)


class VocabularyGet(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "vocabulary_get",
        tag=TAG,
        summary="The kinds of entities and relations there are",
        description="Anything else is refused. Staff keep it on the desk; an edit shows here at once.",
        answers={200: VocabularyAnswer},
        examples={200: VOCABULARY_EXAMPLE},
    )
    def get(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        kinds = {"workspace_id": request.user.workspace_id, "active": True}
        told = {
            "entity_kinds": EntityKind.objects.filter(**kinds).order_by("name"),
            "relation_kinds": RelationKind.objects.filter(**kinds, reserved=False).order_by("name"),
        }
        return Response(VocabularyAnswer(told).data)


def status_of_verdicts(verdicts: list[dict[str, Any]]) -> int:
    """201 when anything is new, 202 when anything waits for a person, else 200."""
    statuses = {status_of_verdict(verdict) for verdict in verdicts}
    return 201 if 201 in statuses else 202 if 202 in statuses else 200
