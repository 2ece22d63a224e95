"""The whitelist: what may become a form value, and who may write it. Staff maintain it on the desk."""

from __future__ import annotations

from rest_framework.response import Response

from api.authentication import AgentRequest
from api.pagination import take_page
from api.queries.form_types import BY_NAME, form_types_of
from api.reading import read_query
from api.schema import operation, page_example, page_of
from api.serializers.form_types import FORM_TYPE_EXAMPLE, FormTypeAnswer, FormTypeQuery
from api.views.base import AgentView


class FormTypeList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "form_types_list",
        tag="forms",
        summary="List the form types and their fields",
        description=(
            "What may become a form value; anything else is refused with `field_not_allowed`. The same for every owner, and "
            "an edit of the whitelist shows here at once."
        ),
        query=FormTypeQuery,
        paged=True,
        answers={200: page_of("FormTypePage", FormTypeAnswer)},
        examples={200: page_example(FORM_TYPE_EXAMPLE)},
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, FormTypeQuery, paged=True)
        page = take_page(request, form_types_of(request.user.workspace_id, asked), order=BY_NAME)
        rows = FormTypeAnswer(page.rows, many=True, context={"key": request.user.key})
        return Response(page.answered(request, rows.data))
