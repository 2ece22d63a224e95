"""Memories: sentences worth recalling. Written, edited by superseding, never overwritten."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.access import find_or_make_owner, find_owner, reading
from api.authentication import AgentRequest
from api.errors import as_item_error
from api.idempotency import given_key, run_once
from api.pagination import take_page
from api.parsing import MAX_BATCH_BODY_BYTES, refuse_unstorable_text
from api.queries.memories import NEWEST_FIRST, history_of, memories_of, steps_of, with_beginning
from api.reading import read_body, read_query, required_version
from api.schema import (
    ABOUT_OWNER,
    CONDITIONAL,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    WITH_BODY,
    WITH_KEY,
    operation,
    page_example,
    page_of,
)
from api.serializers.events import ForOwner
from api.serializers.fields import Strict
from api.serializers.memories import (
    MEMORY_EXAMPLE,
    MEMORY_HISTORY_EXAMPLE,
    MEMORY_VERDICT,
    MemoryAnswer,
    MemoryBatchAnswer,
    MemoryBatchEnvelope,
    MemoryBatchWrite,
    MemoryContent,
    MemoryEdit,
    MemoryHistoryAnswer,
    MemoryQuery,
    MemoryResultAnswer,
    MemoryWrite,
    as_new_memory,
)
from api.serializers.procedures import PROCEDURE_EXAMPLE, as_procedure
from api.serializers.verdicts import REFUSED_EXAMPLE, REVIEW_EXAMPLE, VerdictAnswer, status_of_verdict
from api.views.base import AgentView, with_version
from memoryhub.exceptions import InvalidInput, MemoryhubError, NotFound, QuotaExceeded
from memoryhub.models import MemoryItem
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.structured import write_memory
from memoryhub.writing.verdicts import as_json

TAG = "memories"
WRITE_ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY, 429)
VERDICTS = {
    200: {**REFUSED_EXAMPLE, "kind": "item", "code": "low_confidence"},
    201: MEMORY_VERDICT,
    202: REVIEW_EXAMPLE,
}


class MemoryList(AgentView):
    scopes = {"GET": "memory:read", "POST": "memories:write"}

    @operation(
        "memories_list",
        tag=TAG,
        summary="An owner's memories, newest first",
        description="What holds now, or held at `valid_at` as believed at `known_at`; or everything of one `status`.",
        query=MemoryQuery,
        paged=True,
        answers={200: page_of("MemoryPage", MemoryAnswer)},
        examples={200: page_example(MEMORY_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, MemoryQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, with_beginning(memories_of(owner.id, asked)), order=NEWEST_FIRST)
            results = MemoryAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))

    @operation(
        "memories_write",
        tag=TAG,
        summary="Write one memory",
        description=(
            "201 stored, 202 a person decides, 200 nothing new was made; `code` says why. A procedure (`kind` procedural with "
            "`procedure`) always waits for a person; recall then tells it whole when its trigger is asked about."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=MemoryWrite,
        request_examples={
            "A habit": {"owner": "customer-4711", "content": "Prefers answers with a short example."},
            "A procedure": {"owner": "support", "kind": "procedural", "procedure": PROCEDURE_EXAMPLE},
        },
        answers=dict.fromkeys((200, 201, 202), VerdictAnswer),
        examples=VERDICTS,
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        sent = read_body(request, MemoryWrite)
        owner = find_or_make_owner(request.user, sent["owner"])
        values = as_new_memory(sent)

        def work() -> Any:
            return as_json([write_memory(owner_id=owner.id, source=request.user.as_source(), **values)])[0]

        answer = run_once(
            request, owner_id=owner.id, route="memories", work=work, status_of=status_of_verdict
        )
        return Response(VerdictAnswer(answer.content).data, status=answer.status)


class MemoryBatch(AgentView):
    scopes = {"POST": "memories:write"}
    max_body_bytes = MAX_BATCH_BODY_BYTES

    @operation(
        "memories_write_batch",
        tag=TAG,
        summary="Write up to 100 memories of one owner",
        description="Each has its own verdict, in the order sent. When every one is malformed the answer is 400.",
        parameters=[IDEMPOTENCY_KEY],
        request=MemoryBatchWrite,
        request_examples={
            "Two": {
                "owner": "customer-4711",
                "memories": [{"content": "Works in Berlin."}, {"content": "Has a dog."}],
            }
        },
        answers={200: MemoryBatchAnswer},
        examples={200: {"memories": [{**MEMORY_VERDICT, "index": 0, "message": ""}]}},
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        given_key(request)
        envelope = read_envelope(request.data)
        read = [read_memory(index, item) for index, item in enumerate(envelope["memories"])]
        if not any("values" in item for item in read):
            raise InvalidInput(
                "every memory is malformed",
                field="memories",
                code="nothing_to_write",
                details={"memories": read[:50]},
            )
        owner = find_or_make_owner(request.user, envelope["owner"])
        results = [_settled(request, owner.id, item) if "values" in item else item for item in read]
        return Response({"memories": MemoryResultAnswer(results, many=True).data})


class MemoryDetail(AgentView):
    scopes = {"GET": "memory:read", "PATCH": "memories:write"}

    @operation(
        "memories_get",
        tag=TAG,
        summary="One memory as it stands",
        description="By its id, or by the `id` under which a recall served one of its wordings.",
        query=ForOwner,
        answers={200: MemoryAnswer},
        examples={200: MEMORY_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, item_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            item = with_beginning(MemoryItem.objects.of(owner.id)).current_wording(item_id)
            if item is None:
                raise NotFound
            body = MemoryAnswer(item).data
        return with_version(Response(body), item.seq)

    @operation(
        "memories_edit",
        tag=TAG,
        summary="Edit a memory",
        description=(
            "A changed text is a new wording under the same id, with a `seq` of its own; the earlier one stays in the history. "
            "What is not named stays: evidence, times, labels. If-Match must name the version you saw."
        ),
        parameters=[IF_MATCH],
        request=MemoryEdit,
        request_examples={
            "Correct the words": {"owner": "customer-4711", "content": "Prefers answers with a long example."}
        },
        answers=dict.fromkeys((200, 201, 202), VerdictAnswer),
        examples=VERDICTS,
        errors=(*ABOUT_OWNER, *WITH_BODY, *CONDITIONAL, 429),
    )
    def patch(self, request: AgentRequest, item_id: UUID) -> Response:
        read_query(request, Strict)
        changes = read_body(request, MemoryEdit)
        if "procedure" in changes:
            changes["procedure"] = as_procedure(changes["procedure"])
        version = required_version(request)
        owner = find_owner(request.user, changes.pop("owner"))
        verdict = edit_memory(
            owner_id=owner.id,
            item_id=item_id,
            expected_seq=version,
            changes=changes,
            source=request.user.as_source(),
        )
        kept = as_json([verdict])[0]
        return Response(VerdictAnswer(kept).data, status=status_of_verdict(kept))


class MemoryHistory(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "memories_history",
        tag=TAG,
        summary="Every wording of a memory and every step, oldest first",
        description=(
            "`results`: its wordings, what it superseded and what superseded it. `steps`: what was said before and after each "
            "change, when and by whom, the taking back included."
        ),
        query=ForOwner,
        answers={200: MemoryHistoryAnswer},
        examples={200: MEMORY_HISTORY_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, item_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            items = history_of(owner.id, item_id)
            if not items:
                raise NotFound
            told = {"results": items, "steps": steps_of(items), "next": None, "previous": None}
            body = MemoryHistoryAnswer(told, context={"agent_id": request.user.agent.id}).data
        return Response(body)


def read_envelope(body: Any) -> dict[str, Any]:
    """Owner and number of memories; what is in them is looked at one by one."""
    if isinstance(body, dict):
        refuse_unstorable_text({name: value for name, value in body.items() if name != "memories"})
    reader = MemoryBatchEnvelope(data=body)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = reader.validated_data
    return values


def read_memory(index: int, item: Any) -> dict[str, Any]:
    """The checked `values` of one memory with the `sent` item, or its fault as a refused result."""
    reader = MemoryContent(data=item)
    try:
        refuse_unstorable_text(item)
        reader.is_valid(raise_exception=True)
    except (ValidationError, InvalidInput) as error:
        return {"index": index, "outcome": "refused", "kind": "item", **as_item_error(error)}
    return {"index": index, "sent": item, "values": as_new_memory(reader.validated_data)}


def _settled(request: AgentRequest, owner_id: UUID, item: dict[str, Any]) -> dict[str, Any]:
    """Each memory is its own transaction with its own claim, so that a batch sent again goes on where it stopped."""

    def work() -> Any:
        return as_json([write_memory(owner_id=owner_id, source=request.user.as_source(), **item["values"])])[
            0
        ]

    index = item["index"]
    try:
        answer = run_once(
            request,
            owner_id=owner_id,
            route="memories/batch",
            work=work,
            status_of=status_of_verdict,
            body=item["sent"],
            part=f"#{index}",
        )
    except (InvalidInput, NotFound, QuotaExceeded) as error:
        return {"index": index, "outcome": "refused", "kind": "item", **_fault(error)}
    return {**answer.content, "index": index}


def _fault(error: MemoryhubError) -> dict[str, str]:
    return {"code": error.code, "field": error.field, "message": str(error)}
