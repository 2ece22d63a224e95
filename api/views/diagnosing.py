"""'Why did it not know?', and how something unwanted got in."""

from __future__ import annotations

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.idempotency import given_key
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, operation
from api.serializers.diagnosing import (
    DIAGNOSE_EXAMPLE,
    DIAGNOSE_RECALL_EXAMPLE,
    DIAGNOSIS_EXAMPLE,
    UNWANTED_EXAMPLE,
    DiagnoseAsk,
    DiagnosisAnswer,
    as_expected,
    as_question,
    diagnosis_body,
    let_in_body,
)
from api.serializers.fields import Strict
from api.views.base import AgentView
from memoryhub.diagnosing.diagnosing import diagnose
from memoryhub.diagnosing.letting_in import how_it_got_in
from memoryhub.recall.answers import Caller


class RecallDiagnosis(AgentView):
    scopes = {"POST": "memory:read"}

    @operation(
        "recalls_diagnose",
        tag="recall",
        summary="The first step that lost what a recall should have known",
        description=(
            "Follows what was expected from the turn that said it to the line that was not served: never_recorded, screened, "
            "not_extracted, not_admitted, waiting_for_review, superseded, expired_or_cold, filtered, outranked, cut_by_budget, "
            "or served. With `unwanted` instead: the event, the rules and the verdict that let a memory in. Looks at this "
            "owner alone, leaves no trace and changes nothing; Idempotency-Key is accepted and makes no difference."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=DiagnoseAsk,
        request_examples={
            "A question": DIAGNOSE_EXAMPLE,
            "A recall of the log": DIAGNOSE_RECALL_EXAMPLE,
            "An unwanted memory": UNWANTED_EXAMPLE,
        },
        answers={200: DiagnosisAnswer},
        examples={200: DIAGNOSIS_EXAMPLE},
        errors=(*ABOUT_OWNER, 413, 415),
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        given_key(request)
        asked = read_body(request, DiagnoseAsk)
        owner = find_owner(request.user, asked["owner"])
        workspace_id = request.user.workspace_id
        if asked.get("unwanted"):
            let_in = how_it_got_in(
                workspace_id=workspace_id,
                owner_id=owner.id,
                target_id=asked["unwanted"],
                recall_id=asked["recall"],
            )
            return Response(let_in_body(let_in, ref=asked["owner"], recall_id=asked["recall"]))
        found = diagnose(
            workspace_id=workspace_id,
            owner_id=owner.id,
            expected=as_expected(asked),
            caller=Caller(agent_id=request.user.agent.id, api_key_id=request.user.key.id),
            request=as_question(asked),
            recall_id=asked["recall"],
        )
        return Response(diagnosis_body(found, ref=asked["owner"], agent_id=request.user.agent.id))
