"""Reviews: what people made of the caller's changes."""

from __future__ import annotations

from uuid import UUID

from rest_framework.response import Response

from api.access import reading
from api.authentication import AgentRequest
from api.pagination import take_page
from api.queries.reviews import NEWEST_FIRST, reviews_of
from api.reading import read_query
from api.schema import ABOUT_OWNER, operation, page_example, page_of
from api.serializers.events import ForOwner
from api.serializers.reviews import REVIEW_ANSWER_EXAMPLE, ReviewAnswer, ReviewQuery
from api.views.base import AgentView
from memoryhub.exceptions import NotFound

TAG = "reviews"


class ReviewList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "reviews_list",
        tag=TAG,
        summary="What became of your own proposals, newest first",
        description=(
            "Reviews of changes that the calling agent proposed or wrote: how each stands, since when it waits, and why it was "
            "rejected. People appear by their role only."
        ),
        query=ReviewQuery,
        paged=True,
        answers={200: page_of("ReviewPage", ReviewAnswer)},
        examples={200: page_example(REVIEW_ANSWER_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, ReviewQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            reviews = reviews_of(owner.id, asked, agent_id=request.user.agent.id)
            page = take_page(request, reviews, order=NEWEST_FIRST)
            results = ReviewAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))


class ReviewDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "reviews_get",
        tag=TAG,
        summary="One review of a change of your own",
        query=ForOwner,
        answers={200: ReviewAnswer},
        examples={200: REVIEW_ANSWER_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, review_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            reviews = reviews_of(owner.id, {}, agent_id=request.user.agent.id)
            review = reviews.filter(id=review_id).first()
            if review is None:
                raise NotFound
            body = ReviewAnswer(review).data
        return Response(body)
