"""Rollbacks by agents: look at the plan, then execute exactly that. An agent undoes its own changes only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.idempotency import given_key, run_once
from api.queries.rollbacks import scope_of_change_set, scope_of_field, scope_of_memory
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, WITH_BODY, WITH_KEY, operation
from api.serializers.fields import Strict
from api.serializers.rollbacks import (
    DIGEST,
    PLAN_EXAMPLE,
    QUEUED_EXAMPLE,
    FieldRollbackAsk,
    MemoryRollbackAsk,
    RollbackAnswer,
    RollbackAsk,
    plan_body,
    result_body,
)
from api.views.base import AgentView
from api.views.forms import PLACE
from memoryhub import idempotency
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.database.owners import ResolvedOwner
from memoryhub.database.scope import scope
from memoryhub.exceptions import DigestRequired, NotFound, OwnerFrozen
from memoryhub.models import Owner

TAG = "rollbacks"
DESCRIPTION = (
    "With `dry_run` the plan and its digest, and nothing is written. Executing needs that digest (422 without one) and does "
    "exactly what was shown: when the memory has moved since, 409 and nothing happens. Only what the calling agent wrote, and "
    "no person has decided on, can be undone (403). What is undone does not come back by another path. A rollback is a change "
    "set and can itself be rolled back."
)
ANSWERS = {200: RollbackAnswer, 202: RollbackAnswer}
EXAMPLES = {200: PLAN_EXAMPLE, 202: QUEUED_EXAMPLE}
ERRORS = (*ABOUT_OWNER, *WITH_BODY, *WITH_KEY)
LOOK: dict[str, Any] = {"owner": "customer-4711", "dry_run": True}
EXECUTE: dict[str, Any] = {"owner": "customer-4711", "digest": DIGEST, "reason": "A test run wrote nonsense."}


class ChangeSetRollback(AgentView):
    scopes = {"POST": "memory:rollback"}

    @operation(
        "changesets_rollback",
        tag=TAG,
        summary="Undo everything one act of yours did",
        description=DESCRIPTION,
        parameters=[IDEMPOTENCY_KEY],
        request=RollbackAsk,
        request_examples={"Look": LOOK, "Execute": EXECUTE},
        answers=ANSWERS,
        examples=EXAMPLES,
        errors=ERRORS,
    )
    def post(self, request: AgentRequest, change_set_id: UUID) -> Response:
        asked = _read(request, RollbackAsk)
        return _rolled_back(
            request,
            asked,
            lambda owner_id: scope_of_change_set(owner_id, change_set_id),
            route=f"changesets/{change_set_id}/rollback",
        )


class MemoryRollback(AgentView):
    scopes = {"POST": "memory:rollback"}

    @operation(
        "memories_rollback",
        tag=TAG,
        summary="Take a memory of yours back, or make an earlier one current again",
        description=DESCRIPTION,
        parameters=[IDEMPOTENCY_KEY],
        request=MemoryRollbackAsk,
        request_examples={"Look": LOOK, "Execute": EXECUTE},
        answers=ANSWERS,
        examples=EXAMPLES,
        errors=ERRORS,
    )
    def post(self, request: AgentRequest, item_id: UUID) -> Response:
        asked = _read(request, MemoryRollbackAsk)
        return _rolled_back(
            request,
            asked,
            lambda owner_id: scope_of_memory(owner_id, item_id, to=asked["to"], to_seq=asked["to_seq"]),
            route=f"memories/{item_id}/rollback",
        )


class FieldRollback(AgentView):
    scopes = {"POST": "memory:rollback"}

    @operation(
        "forms_rollback",
        tag=TAG,
        summary="Take a value of yours back, or make an earlier version current again",
        description=DESCRIPTION,
        parameters=[*PLACE, IDEMPOTENCY_KEY],
        request=FieldRollbackAsk,
        request_examples={"Look": {**LOOK, "version": 1}, "Execute": {**EXECUTE, "version": 1}},
        answers=ANSWERS,
        examples=EXAMPLES,
        errors=ERRORS,
    )
    def post(self, request: AgentRequest, form_type: str, field: str) -> Response:
        asked = _read(request, FieldRollbackAsk)
        return _rolled_back(
            request,
            asked,
            lambda owner_id: scope_of_field(owner_id, form_type, field, asked),
            # A route is kept short; the names of the slot go with the body.
            route="forms/rollback",
            body={"asked": request.data, "slot": [form_type, field]},
        )


def _read(request: AgentRequest, expected: type[RollbackAsk]) -> dict[str, Any]:
    read_query(request, Strict)
    given_key(request)
    asked = read_body(request, expected)
    if not asked["dry_run"] and not asked["digest"]:
        raise DigestRequired("look first: dry_run answers the digest to execute with", field="digest")
    return asked


def _rolled_back(
    request: AgentRequest,
    asked: dict[str, Any],
    scope_of: Callable[[UUID], RollbackScope],
    *,
    route: str,
    body: Any = None,
) -> Response:
    owner = find_owner(request.user, asked["owner"])
    if asked["dry_run"]:
        plan = plan_rollback(
            workspace_id=request.user.workspace_id,
            scope=_wanted(request, owner, scope_of),
            agent_id=request.user.agent.id,
        )
        return Response(plan_body(plan))
    answer = run_once(
        request,
        owner_id=owner.id,
        route=route,
        work=lambda: _execute(request, asked, owner, scope_of),
        status_of=lambda kept: 202 if kept["job"] else 200,
        body=body,
    )
    return Response(result_body(answer.content), status=answer.status)


def _wanted(
    request: AgentRequest, owner: ResolvedOwner, scope_of: Callable[[UUID], RollbackScope]
) -> RollbackScope:
    with scope(workspace_id=request.user.workspace_id, owners=[owner.id], purpose="api"):
        try:
            return scope_of(owner.id)
        except NotFound:
            # A twin of this request may have taken it back meanwhile: then its answer is ours.
            idempotency.take_claim()
            raise


def _execute(
    request: AgentRequest,
    asked: dict[str, Any],
    owner: ResolvedOwner,
    scope_of: Callable[[UUID], RollbackScope],
) -> dict[str, Any]:
    if owner.state == Owner.State.FROZEN:
        raise OwnerFrozen(owner.id)
    result = execute_rollback(
        workspace_id=request.user.workspace_id,
        scope=_wanted(request, owner, scope_of),
        digest=asked["digest"],
        user_id=None,
        ticked=[str(key) for key in asked["ticked"]],
        reason=asked["reason"],
        agent_id=request.user.agent.id,
        api_key_id=request.user.key.id,
        transport="http",
    )
    return result.as_json()
