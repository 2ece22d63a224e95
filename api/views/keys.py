"""The calling key about itself. A key cannot see, make or change another one."""

from __future__ import annotations

from datetime import timedelta

from rest_framework.response import Response

from api.authentication import AgentRequest
from api.reading import read_body, read_query
from api.schema import WITH_BODY, operation
from api.serializers.fields import Strict
from api.serializers.keys import KEY_EXAMPLE, ROTATED_EXAMPLE, KeyAnswer, RotatedKeyAnswer, Rotation
from api.views.base import AgentView
from memoryhub.keys import rotate_key


class OwnKey(AgentView):
    scopes = {"GET": "keys:read"}

    @operation(
        "keys_get",
        tag="keys",
        summary="The key you call with",
        answers={200: KeyAnswer},
        examples={200: KEY_EXAMPLE},
    )
    def get(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        return Response(KeyAnswer(request.user.key).data)


class OwnKeyRotation(AgentView):
    scopes = {"POST": "keys:rotate"}

    @operation(
        "keys_rotate",
        tag="keys",
        summary="Replace the key you call with",
        description=(
            "The new key has the same scopes, trust tier and owners, and is shown once. The old one works until the "
            "overlap is over and can be replaced only once, so sending this again is refused with 409."
        ),
        request=Rotation,
        request_examples={"One hour of overlap": {"overlap_seconds": 3600}},
        answers={201: RotatedKeyAnswer},
        examples={201: ROTATED_EXAMPLE},
        errors=(*WITH_BODY, 409),
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        asked = read_body(request, Rotation)
        key = request.user.key
        minted = rotate_key(
            key=key, overlap=timedelta(seconds=asked["overlap_seconds"]), created_by=key.created_by
        )
        return Response({"token": minted.token, "key": KeyAnswer(minted.key).data}, status=201)
