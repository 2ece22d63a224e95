"""From a source of pollution to every answer it reached, and the live values that deserve a look."""

from __future__ import annotations

import csv
import io

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.response import Response

from api.access import find_owner, reading
from api.authentication import AgentRequest
from api.queries.blast_radius import traced_scope
from api.reading import read_query
from api.schema import ABOUT_OWNER, operation
from api.serializers.blast_radius import (
    BLAST_EXAMPLE,
    CSV_EXAMPLE,
    SUSPECT_EXAMPLE,
    BlastQuery,
    BlastRadiusAnswer,
    SuspectAnswer,
    SuspectQuery,
    SuspectsAnswer,
    radius_body,
)
from api.views.base import AgentView
from memoryhub.changes.blast_export import csv_rows
from memoryhub.changes.blast_radius import BlastRadius, blast_radius
from memoryhub.changes.suspects import suspects

CSV = (200, "text/csv")


class BlastRadiusView(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "blast_radius_get",
        tag="blast-radius",
        summary="Every recall that a source of memory reached",
        description=(
            "From a memory, a version, an event, a session, the caller's own writes or a time range: the values written, what "
            "was derived from them, and the recalls that told any of it, with rank and tokens. What was rolled back is traced "
            "all the same. `format=csv` answers the lines as CSV whose cells no spreadsheet runs."
        ),
        query=BlastQuery,
        answers={200: BlastRadiusAnswer, CSV: OpenApiTypes.STR},
        examples={200: BLAST_EXAMPLE, CSV: CSV_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response | HttpResponse:
        asked = read_query(request, BlastQuery)
        with reading(request.user, asked["owner"]) as owner:
            source = traced_scope(owner.id, asked, agent_id=request.user.agent.id)
        radius = blast_radius(workspace_id=request.user.workspace_id, scope=source)
        return _as_csv(radius) if asked["format"] == "csv" else Response(radius_body(radius))


class SuspectList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "suspects_list",
        tag="blast-radius",
        summary="An owner's live values that deserve a look, worst first",
        description="Ranked by stated signals, each shown with its weight. The signals only point; nothing is decided by them.",
        query=SuspectQuery,
        answers={200: SuspectsAnswer},
        examples={200: {"results": [SUSPECT_EXAMPLE]}},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, SuspectQuery)
        owner = find_owner(request.user, asked["owner"])
        found = suspects(workspace_id=request.user.workspace_id, owner_ids=[owner.id], limit=asked["limit"])
        return Response({"results": SuspectAnswer(found, many=True).data})


def _as_csv(radius: BlastRadius) -> HttpResponse:
    text = io.StringIO()
    csv.writer(text).writerows(csv_rows(radius))
    headers = {"Content-Disposition": 'attachment; filename="blast-radius.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)
