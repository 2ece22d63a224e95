"""Policies: the thresholds, weights and budgets that agents are answered by."""

from __future__ import annotations

from rest_framework.response import Response

from api.authentication import AgentRequest
from api.pagination import take_page
from api.queries.policies import NEWEST_FIRST, policies_of
from api.reading import read_query
from api.schema import operation, page_example, page_of
from api.serializers.policies import POLICY_EXAMPLE, PolicyAnswer, PolicyQuery
from api.views.base import AgentView


class PolicyList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "policies_list",
        tag="policies",
        summary="List the versions of the policy, the newest first",
        description=(
            "The version in force, those that were, and one that is tried on a share of the owners now. People propose and decide "
            "at the desk; which owners a trial draws is not told."
        ),
        query=PolicyQuery,
        paged=True,
        answers={200: page_of("PolicyPage", PolicyAnswer)},
        examples={200: page_example(POLICY_EXAMPLE)},
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, PolicyQuery, paged=True)
        page = take_page(request, policies_of(request.user.workspace_id, asked), order=NEWEST_FIRST)
        return Response(page.answered(request, PolicyAnswer(page.rows, many=True).data))
