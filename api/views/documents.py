"""Documents of domains, teams and projects: imported as drafts, published, verified, archived; every version is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.response import Response

from api.access import find_owner, reading
from api.authentication import AgentRequest
from api.idempotency import given_key, run_once
from api.pagination import take_page
from api.parsing import MAX_BATCH_BODY_BYTES
from api.queries.documents import NEWEST_FIRST, documents_of, find_document, find_version
from api.reading import read_body, read_query
from api.schema import (
    ABOUT_OWNER,
    IDEMPOTENCY_KEY,
    WITH_BODY,
    WITH_KEY,
    operation,
    page_example,
    page_of,
)
from api.serializers.documents import (
    DOCUMENT_EXAMPLE,
    IMPORT_EXAMPLE,
    LONG_IMPORT_EXAMPLE,
    VERSION_EXAMPLE,
    VERSION_SUMMARY_EXAMPLE,
    DocumentAnswer,
    DocumentImport,
    DocumentQuery,
    DocumentVersionAnswer,
    DocumentVersionSummaryAnswer,
    ImportAnswer,
    PublishAct,
    VersionAct,
    VersionImport,
    as_new_file,
    document_body,
    version_body,
    whole_version_body,
)
from api.serializers.events import ForOwner
from api.serializers.fields import Strict
from api.views.base import AgentView
from memoryhub.knowledge.importing import NewFile, import_file
from memoryhub.knowledge.keeping import archive_document, verify_version
from memoryhub.knowledge.publishing import publish_version
from memoryhub.knowledge.standing import progress_of, versions_of
from memoryhub.models import Document
from memoryhub.policies import current_policy

TAG = "documents"
WRITE_ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY, 429)
ACT_ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY)
IMPORTED = {201: ImportAnswer, 202: ImportAnswer}
IMPORTED_EXAMPLES = {201: IMPORT_EXAMPLE, 202: LONG_IMPORT_EXAMPLE}
REACH = "An agent does this up to authority 2; above that a person does it at the desk (403)."
FILE: dict[str, Any] = {
    "owner": "returns-domain",
    "media": "markdown",
    "content": "# 跨境退货\n\n七天内免收手续费。",
}


class DocumentList(AgentView):
    scopes = {"GET": "memory:read", "POST": "documents:write"}
    max_body_bytes = MAX_BATCH_BODY_BYTES

    @operation(
        "documents_list",
        tag=TAG,
        summary="An owner's documents, newest first",
        query=DocumentQuery,
        paged=True,
        answers={200: page_of("DocumentPage", DocumentAnswer)},
        examples={200: page_example(DOCUMENT_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, DocumentQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, documents_of(owner.id, asked), order=NEWEST_FIRST)
            versions = versions_of(owner.id, [document.id for document in page.rows])
            told = _told(request)
            results = [document_body(row, versions[row.id], **told) for row in page.rows]
        return Response(page.answered(request, results))

    @operation(
        "documents_import",
        tag=TAG,
        summary="Import a file as a new document",
        description=(
            "Markdown, plain text, HTML or PDF; 201 a draft, 202 a long one that is still being indexed. Nothing is served "
            "before it is published. Its authority is 1 until a person sets another."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=DocumentImport,
        request_examples={"Markdown": {**FILE, "title": "退货政策"}},
        answers=IMPORTED,
        examples=IMPORTED_EXAMPLES,
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        given_key(request)
        sent = read_body(request, DocumentImport)
        return _imported(request, sent["owner"], as_new_file(sent), route="documents")


class DocumentDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "documents_get",
        tag=TAG,
        summary="One document, with the version in force",
        query=ForOwner,
        answers={200: DocumentAnswer},
        examples={200: DOCUMENT_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, document_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            document = find_document(owner.id, document_id)
            versions = versions_of(owner.id, [document.id])[document.id]
            body = document_body(document, versions, **_told(request))
        return Response(body)


class DocumentVersionList(AgentView):
    scopes = {"GET": "memory:read", "POST": "documents:write"}
    max_body_bytes = MAX_BATCH_BODY_BYTES

    @operation(
        "documents_versions",
        tag=TAG,
        summary="Every version of a document, newest first",
        query=ForOwner,
        answers={200: page_of("DocumentVersionPage", DocumentVersionSummaryAnswer)},
        examples={200: page_example(VERSION_SUMMARY_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, document_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            document = find_document(owner.id, document_id)
            told = _told(request)
            versions = versions_of(owner.id, [document.id])[document.id]
            results = [version_body(version, document, **told) for version in versions]
        return Response({"results": results, "next": None, "previous": None})

    @operation(
        "documents_add_version",
        tag=TAG,
        summary="Import a file as the next version of a document",
        description="As a draft; the version in force stays in force until this one is published.",
        parameters=[IDEMPOTENCY_KEY],
        request=VersionImport,
        request_examples={"Markdown": FILE},
        answers=IMPORTED,
        examples=IMPORTED_EXAMPLES,
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest, document_id: UUID) -> Response:
        read_query(request, Strict)
        given_key(request)
        sent = read_body(request, VersionImport)
        file = as_new_file(sent, document_id=document_id)
        return _imported(request, sent["owner"], file, route=f"documents/{document_id}/versions")


class DocumentVersionDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "documents_version",
        tag=TAG,
        summary="One version with its text, and how far it is indexed",
        query=ForOwner,
        answers={200: DocumentVersionAnswer},
        examples={200: VERSION_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, document_id: UUID, number: int) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            body = _version(request, find_document(owner.id, document_id), number)
        return Response(body)


class DocumentPublication(AgentView):
    scopes = {"POST": "documents:write"}

    @operation(
        "documents_publish",
        tag=TAG,
        summary="Put a draft in force",
        description=f"The version before ends on the day this one begins, and stays in the history. {REACH}",
        parameters=[IDEMPOTENCY_KEY],
        request=PublishAct,
        request_examples={"Now": {"owner": "returns-domain", "version": 1}},
        answers={200: DocumentVersionAnswer},
        examples={200: VERSION_EXAMPLE},
        errors=ACT_ERRORS,
    )
    def post(self, request: AgentRequest, document_id: UUID) -> Response:
        sent = _read_act(request, PublishAct)
        return _acted(
            request,
            document_id,
            sent,
            route="publish",
            act=lambda owner_id: publish_version(
                owner_id=owner_id,
                document_id=document_id,
                number=sent["version"],
                source=request.user.as_source(),
                effective_from=sent["effective_from"],
                effective_to=sent["effective_to"],
            ),
        )


class DocumentVerification(AgentView):
    scopes = {"POST": "documents:write"}

    @operation(
        "documents_verify",
        tag=TAG,
        summary="Say that a published version is still right",
        description=f"After 90 days without that it is served with a notice. {REACH}",
        parameters=[IDEMPOTENCY_KEY],
        request=VersionAct,
        request_examples={"Version 1": {"owner": "returns-domain", "version": 1}},
        answers={200: DocumentVersionAnswer},
        examples={200: VERSION_EXAMPLE},
        errors=ACT_ERRORS,
    )
    def post(self, request: AgentRequest, document_id: UUID) -> Response:
        sent = _read_act(request, VersionAct)
        return _acted(
            request,
            document_id,
            sent,
            route="verify",
            act=lambda owner_id: verify_version(
                owner_id=owner_id,
                document_id=document_id,
                number=sent["version"],
                source=request.user.as_source(),
            ),
        )


class DocumentArchiving(AgentView):
    scopes = {"POST": "documents:write"}

    @operation(
        "documents_archive",
        tag=TAG,
        summary="Serve a document no longer",
        description=f"It and its versions are kept. {REACH}",
        parameters=[IDEMPOTENCY_KEY],
        request=ForOwner,
        request_examples={"Archive": {"owner": "returns-domain"}},
        answers={200: DocumentAnswer},
        examples={200: {**DOCUMENT_EXAMPLE, "in_force": None, "archived_at": "2026-03-09T09:00:00.000000Z"}},
        errors=ACT_ERRORS,
    )
    def post(self, request: AgentRequest, document_id: UUID) -> Response:
        sent = _read_act(request, ForOwner)
        owner = find_owner(request.user, sent["owner"])
        run_once(
            request,
            owner_id=owner.id,
            route=f"documents/{document_id}/archive",
            work=lambda: archive_document(
                owner_id=owner.id, document_id=document_id, source=request.user.as_source()
            ),
            status_of=lambda kept: 200,
        )
        with reading(request.user, sent["owner"]):
            document = find_document(owner.id, document_id)
            versions = versions_of(owner.id, [document.id])[document.id]
            body = document_body(document, versions, **_told(request))
        return Response(body)


def _read_act(request: AgentRequest, expected: type[Strict]) -> dict[str, Any]:
    read_query(request, Strict)
    given_key(request)
    return read_body(request, expected)


def _imported(request: AgentRequest, ref: str, file: NewFile, *, route: str) -> Response:
    owner = find_owner(request.user, ref)
    answer = run_once(
        request,
        owner_id=owner.id,
        route=route,
        work=lambda: import_file(owner_id=owner.id, file=file, source=request.user.as_source()).as_json(),
        status_of=lambda kept: 202 if kept["operation"] else 201,
    )
    return Response(answer.content, status=answer.status)


def _acted(
    request: AgentRequest,
    document_id: UUID,
    sent: dict[str, Any],
    *,
    route: str,
    act: Callable[[UUID], Any],
) -> Response:
    owner = find_owner(request.user, sent["owner"])
    run_once(
        request,
        owner_id=owner.id,
        route=f"documents/{document_id}/{route}",
        work=lambda: act(owner.id),
        status_of=lambda kept: 200,
    )
    with reading(request.user, sent["owner"]):
        body = _version(request, find_document(owner.id, document_id), sent["version"])
    return Response(body)


def _version(request: AgentRequest, document: Document, number: int) -> dict[str, Any]:
    version = find_version(document, number)
    return whole_version_body(version, document, progress_of(version), **_told(request))


def _told(request: AgentRequest) -> dict[str, Any]:
    """What standing and staleness are judged by."""
    policy = current_policy(workspace_id=request.user.workspace_id).policy
    return {"now": timezone.now(), "stale_days": policy.stale_document_days}
