"""Addresses of the review pages."""

from django.urls import URLPattern, path

from reviews.views.review_bulk import review_bulk, review_bulk_decide
from reviews.views.review_bulk_undo import review_bulk_undo
from reviews.views.review_charts import (
    review_ages_chart,
    review_flow_chart,
    review_overturned_chart,
    review_reasons_chart,
    review_waits_chart,
)
from reviews.views.review_claims import review_claim, review_next, review_release
from reviews.views.review_counted import review_counted
from reviews.views.review_decide import review_decide, review_undo
from reviews.views.review_explain import review_explain
from reviews.views.review_item import review_item
from reviews.views.review_queue import review_queue
from reviews.views.review_stats import move_agents, review_statistics
from reviews.views.review_viewers import review_viewers

ITEM = "review/<uuid:owner_id>/<uuid:review_id>/"

urlpatterns: list[URLPattern] = [
    path("review/", review_queue, name="review_queue"),
    path("review/next/", review_next, name="review_next"),
    path("review/stats/", review_statistics, name="review_stats"),
    path("review/counted/", review_counted, name="review_counted"),
    path("review/stats/move-agents/", move_agents, name="move_agents"),
    path("review/bulk/", review_bulk, name="review_bulk"),
    path("review/bulk/decide/", review_bulk_decide, name="review_bulk_decide"),
    path("review/bulk/undo/", review_bulk_undo, name="review_bulk_undo"),
    path("charts/review-flow/", review_flow_chart, name="review_flow"),
    path("charts/review-ages/", review_ages_chart, name="review_ages"),
    path("charts/review-waits/", review_waits_chart, name="review_waits"),
    path("charts/review-reasons/", review_reasons_chart, name="review_reasons"),
    path("charts/review-overturned/", review_overturned_chart, name="review_overturned"),
    path(ITEM, review_item, name="review_item"),
    path(f"{ITEM}decide/", review_decide, name="review_decide"),
    path(f"{ITEM}undo/", review_undo, name="review_undo"),
    path(f"{ITEM}explain/", review_explain, name="review_explain"),
    path(f"{ITEM}viewers/", review_viewers, name="review_viewers"),
    path(f"{ITEM}claim/", review_claim, name="review_claim"),
    path(f"{ITEM}release/", review_release, name="review_release"),
]
