"""An agent says that a stored value is outdated: a new value, or a question to the owner."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.idempotency import run_once
from api.queries.forms import standing_version
from api.reading import expected_version, read_body, read_query
from api.schema import (
    ABOUT_OWNER,
    CONDITIONAL,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    WITH_BODY,
    WITH_KEY,
    operation,
)
from api.serializers.fields import Strict
from api.serializers.outdated import (
    REPLACED_EXAMPLE,
    REPORTED_EXAMPLE,
    OutdatedAnswer,
    OutdatedReport,
    as_report,
)
from api.serializers.verdicts import status_of_verdict
from api.views.base import AgentView, with_version
from api.views.forms import PLACE
from memoryhub.changes.outdated import report_outdated
from memoryhub.database.scope import scope
from memoryhub.exceptions import VersionMoved, VersionRequired


class FieldOutdated(AgentView):
    scopes = {"POST": "forms:write"}

    @operation(
        "forms_outdated",
        tag="forms",
        summary="Report that a value is outdated",
        description=(
            "Records a change event. With `new_value` that takes the old one's place by the ordinary steps (trust, review and "
            "the field's conflict policy hold); without one the owner is asked, and until he answers the old value is served "
            "marked as being confirmed. The old version stays in the history. If-Match must name the version you saw."
        ),
        parameters=[*PLACE, IF_MATCH, IDEMPOTENCY_KEY],
        request=OutdatedReport,
        request_examples={
            "He moved, where to is not known": {
                "owner": "customer-4711",
                "evidence": {"event": REPORTED_EXAMPLE["event"], "quote": "我已经搬家了"},
            },
            "With the new value": {
                "owner": "customer-4711",
                "new_value": 8000,
                "evidence": {"quote": "The bank reports a new limit."},
            },
        },
        answers=dict.fromkeys((200, 201, 202), OutdatedAnswer),
        examples={
            200: {**REPORTED_EXAMPLE, "code": "already_proposed"},
            201: REPLACED_EXAMPLE,
            202: REPORTED_EXAMPLE,
        },
        errors=(*ABOUT_OWNER, *WITH_BODY, *CONDITIONAL, *WITH_KEY, 429),
    )
    def post(self, request: AgentRequest, form_type: str, field: str) -> Response:
        read_query(request, Strict)
        sent = read_body(request, OutdatedReport)
        version = expected_version(request)
        owner = find_owner(request.user, sent["owner"])
        source = request.user.as_source()

        def work() -> Any:
            report = as_report(sent, form_type=form_type, field=field)
            return report_outdated(
                owner_id=owner.id, report=report, expected_version=version or 0, source=source
            ).as_json()

        route = f"forms/{form_type}/{field}/outdated"
        try:
            answer = run_once(request, owner_id=owner.id, route=route, work=work, status_of=status_of_verdict)
        except VersionMoved as moved:
            if version is None:
                raise VersionRequired(field="If-Match", details=moved.details) from None
            raise
        with scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="api"):
            stands = standing_version(owner.id, form_type, field, sent["subject"])
        body = OutdatedAnswer({**answer.content, "version": stands}).data
        return with_version(Response(body, status=answer.status), stands)
