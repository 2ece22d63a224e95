"""Operations: how the work on what was recorded stands."""

from __future__ import annotations

from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.queries.events import outcomes_of
from api.queries.operations import find_job, wait_for_jobs
from api.reading import read_query
from api.schema import ABOUT_OWNER, operation
from api.serializers.operations import OPERATION_EXAMPLE, OperationAnswer, OperationQuery
from api.views.base import AgentView
from memoryhub.database.scope import scope
from memoryhub.exceptions import NotFound


class OperationDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "operations_get",
        tag="operations",
        summary="The state of an operation, with the outcome of each of its events",
        query=OperationQuery,
        answers={200: OperationAnswer},
        examples={200: OPERATION_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, job_id: UUID) -> Response:
        asked = read_query(request, OperationQuery)
        owner = find_owner(request.user, asked["owner"])
        if asked["wait"] == "1" and find_job(owner.id, job_id):
            wait_for_jobs([job_id])
        with scope(workspace_id=request.user.workspace_id, owners=[owner.id], purpose="api"):
            job = find_job(owner.id, job_id)
            if job is None:
                raise NotFound
            outcomes = outcomes_of(owner.id, job.payload.get("event_ids", []))
            body = OperationAnswer(job, context={"outcomes": outcomes}).data
        return Response(body)
