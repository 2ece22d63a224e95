"""What a text would yield, without storing anything."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.response import Response

from api.authentication import AgentRequest
from api.reading import read_body
from api.schema import WITH_BODY, operation
from api.serializers.extractions import EXTRACTION_EXAMPLE, ExtractionAnswer, ExtractionTry, extraction_body
from api.views.base import AgentView
from memoryhub.models import Workspace
from memoryhub.writing.dry_run import try_extraction


class ExtractionList(AgentView):
    scopes = {"POST": "events:write"}

    @operation(
        "extractions_try",
        tag="extractions",
        summary="Try what a text would yield",
        description=(
            "Screening, candidates, refusals and whether each would be let in, as if this key had recorded the text. Nothing is "
            "stored, and what an owner's memory already holds plays no part. 503 when the model does not answer, 422 when none is set."
        ),
        request=ExtractionTry,
        request_examples={
            "What a user says": {"text": "我对坚果过敏"},
            "By the model": {
                "text": "Let's go with plan B, the budget is too small",
                "extractor": "model",
            },
        },
        answers={200: ExtractionAnswer},
        examples={200: EXTRACTION_EXAMPLE},
        errors=(*WITH_BODY, 422),
    )
    def post(self, request: AgentRequest) -> Response:
        sent = read_body(request, ExtractionTry)
        source = request.user.as_source()
        zone = sent.get("time_zone") or Workspace.objects.get(id=source.workspace_id).time_zone
        run = try_extraction(
            text=sent["text"],
            role=sent["role"],
            occurred_at=sent.get("occurred_at") or timezone.now(),
            zone=zone,
            earlier=tuple(sent["earlier"]),
            extractor=sent.get("extractor"),
            source=source,
        )
        return Response(extraction_body(run))
