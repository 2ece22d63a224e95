"""Events: what happened. Appended one by one or in batches, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.access import find_or_make_owner, reading
from api.authentication import AgentRequest
from api.errors import as_item_error
from api.idempotency import given_key, run_once
from api.pagination import take_page
from api.parsing import MAX_BATCH_BODY_BYTES, refuse_unstorable_text
from api.queries.events import NEWEST_FIRST, events_of, outcomes_of
from api.queries.operations import wait_for_jobs
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, WITH_BODY, WITH_KEY, operation, page_example, page_of
from api.serializers.events import (
    EVENT_EXAMPLE,
    OUTCOME_EXAMPLE,
    RECORDED_EXAMPLE,
    REFUSED_ITEM,
    EventAnswer,
    EventBatchEnvelope,
    EventBatchWrite,
    EventContent,
    EventQuery,
    EventResultAnswer,
    EventWrite,
    ForOwner,
    OutcomeAnswer,
    RecordedAnswer,
    WaitQuery,
    as_new_event,
)
from api.views.base import AgentView
from memoryhub.database.scope import scope
from memoryhub.exceptions import IdempotencyConflict, InvalidInput, NotFound, QuotaExceeded
from memoryhub.models import Event
from memoryhub.writing.recording import NewEvent, as_answer, record_events

TAG = "events"
WRITE_ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY, 429)


def accepted(content: Any) -> int:
    return 429 if "overdraft" in content else 202


class EventList(AgentView):
    scopes = {"GET": "memory:read", "POST": "events:write"}

    @operation(
        "events_list",
        tag=TAG,
        summary="An owner's events, newest first",
        query=EventQuery,
        paged=True,
        answers={200: page_of("EventPage", EventAnswer)},
        examples={200: page_example(EVENT_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, EventQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, events_of(owner.id, asked), order=NEWEST_FIRST)
            results = EventAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))

    @operation(
        "events_record",
        tag=TAG,
        summary="Record one event",
        description=(
            "Appends the event and queues the work on it. An unknown owner is made when the key may make owners. The same "
            "`idempotency_key` (of the event, for good) or `Idempotency-Key` (of the request) has one effect."
        ),
        query=WaitQuery,
        parameters=[IDEMPOTENCY_KEY],
        request=EventWrite,
        request_examples={
            "What a user said": {"owner": "customer-4711", "content": "我对坚果过敏", "session": "chat-17"},
            "What a tool saw": {
                "owner": "customer-4711",
                "role": "tool",
                "action": "change",
                "form": {"type": "order", "subject": "A-1", "field": "status"},
                "before": "packed",
                "after": "shipped",
            },
        },
        answers={202: RecordedAnswer},
        examples={202: {**RECORDED_EXAMPLE, "outcomes": [OUTCOME_EXAMPLE]}},
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        waits = read_query(request, WaitQuery)["wait"] == "1"
        sent = read_body(request, EventWrite)
        owner = find_or_make_owner(request.user, sent["owner"])
        event = as_new_event(sent)

        def work() -> Any:
            return as_answer(
                record_events(owner_id=owner.id, events=[event], source=request.user.as_source())
            )

        answer = run_once(request, owner_id=owner.id, route="events", work=work, status_of=accepted)
        refuse_fault(answer.content["events"][0])
        return _recorded(request, owner.id, answer.content, waits=waits)


class EventBatch(AgentView):
    scopes = {"POST": "events:write"}
    max_body_bytes = MAX_BATCH_BODY_BYTES

    @operation(
        "events_record_batch",
        tag=TAG,
        summary="Record up to 500 events of one owner",
        description="Answers per event, in the order sent. When every event is faulty nothing is stored and the answer is 400.",
        query=WaitQuery,
        parameters=[IDEMPOTENCY_KEY],
        request=EventBatchWrite,
        request_examples={
            "Two turns": {
                "owner": "customer-4711",
                "events": [{"content": "改用方案B，预算不够"}, {"content": "好的", "role": "assistant"}],
            }
        },
        answers={202: RecordedAnswer},
        examples={202: {**RECORDED_EXAMPLE, "events": [*RECORDED_EXAMPLE["events"], REFUSED_ITEM]}},
        errors=WRITE_ERRORS,
    )
    def post(self, request: AgentRequest) -> Response:
        waits = read_query(request, WaitQuery)["wait"] == "1"
        given_key(request)
        envelope = read_envelope(request.data)
        sound, faults = sort_events(envelope["events"])
        if not sound:
            raise InvalidInput(
                "every event is faulty",
                field="events",
                code="nothing_to_record",
                details={"events": list(faults.values())[:50]},
            )
        owner = find_or_make_owner(request.user, envelope["owner"])

        def work() -> Any:
            events = list(sound.values())
            return as_answer(record_events(owner_id=owner.id, events=events, source=request.user.as_source()))

        answer = run_once(request, owner_id=owner.id, route="events/batch", work=work, status_of=accepted)
        content = {**answer.content, "events": merged(answer.content["events"], list(sound), faults)}
        return _recorded(request, owner.id, content, waits=waits)


class EventDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "events_get",
        tag=TAG,
        summary="One event with its outcome",
        query=ForOwner,
        answers={200: EventAnswer},
        examples={200: EVENT_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, event_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            event = Event.objects.of(owner.id).filter(id=event_id).first()
            if event is None:
                raise NotFound
            body = EventAnswer(event).data
        return Response(body)


def refuse_fault(result: dict[str, Any]) -> None:
    """Raise what a batch would list, for the one event of a request."""
    if result["code"] == IdempotencyConflict.code:
        raise IdempotencyConflict(result["message"], field=result["field"])
    if result["status"] == "refused":
        raise InvalidInput(result["message"], field=result["field"], code=result["code"])


def read_envelope(body: Any) -> dict[str, Any]:
    """Owner and number of events; what is in the events is looked at one by one."""
    if isinstance(body, dict):
        refuse_unstorable_text({name: value for name, value in body.items() if name != "events"})
    reader = EventBatchEnvelope(data=body)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = reader.validated_data
    return values


def sort_events(items: Sequence[Any]) -> tuple[dict[int, NewEvent], dict[int, dict[str, Any]]]:
    """The sound events and the faults of the others, each by its place in the request."""
    sound: dict[int, NewEvent] = {}
    faults: dict[int, dict[str, Any]] = {}
    for index, item in enumerate(items):
        reader = EventContent(data=item)
        try:
            refuse_unstorable_text(item)
            reader.is_valid(raise_exception=True)
            sound[index] = as_new_event(reader.validated_data)
        except (ValidationError, InvalidInput) as error:
            faults[index] = {"index": index, "status": "refused", "id": None, **as_item_error(error)}
    return sound, faults


def merged(
    results: Sequence[dict[str, Any]], places: Sequence[int], faults: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """The service's results, back at their places in the request, between the faults."""
    found = {places[result["index"]]: {**result, "index": places[result["index"]]} for result in results}
    return [value for _, value in sorted({**found, **faults}.items())]


def refuse_over_quota(content: dict[str, Any]) -> None:
    """429 for events that are stored all the same: they wait to be read, and are not to be sent again."""
    over = content.get("overdraft")
    if not over:
        return
    raise QuotaExceeded(
        f"over the write quota of the {over['quota']}; the events are kept and wait, do not send them again",
        details={
            **over,
            "events": EventResultAnswer(content["events"], many=True).data,
            "operation": content["operation"],
        },
    )


def _recorded(request: AgentRequest, owner_id: UUID, content: dict[str, Any], *, waits: bool) -> Response:
    refuse_over_quota(content)
    # In one order of members, whether fresh or kept.
    body = {"events": EventResultAnswer(content["events"], many=True).data, "operation": content["operation"]}
    if waits:
        wait_for_jobs(content["jobs"])
        ids = [result["id"] for result in content["events"] if result["id"]]
        with scope(workspace_id=request.user.workspace_id, owners=[owner_id], purpose="api"):
            body["outcomes"] = OutcomeAnswer(outcomes_of(owner_id, ids), many=True).data
    return Response(body, status=202)
