"""Addresses of the log of recalls, its statistics, the debugger and the diagnosis."""

from django.urls import URLPattern, path

from reviews.views.diagnose import diagnose
from reviews.views.recall_stats import (
    recall_funnel_chart,
    recall_latency_chart,
    recall_rates_chart,
    recall_session_chart,
    recall_statistics,
    recall_terms_chart,
)
from reviews.views.recalls import recall_debugger, recall_entry, recall_judge, recalls

ENTRY = "owners/<uuid:owner_id>/recalls/<uuid:recall_id>/"

urlpatterns: list[URLPattern] = [
    path("recall/", recall_debugger, name="recall_debugger"),
    path("recalls/", recalls, name="recalls"),
    path("recalls/statistics/", recall_statistics, name="recall_stats"),
    path("charts/recall-funnel/", recall_funnel_chart, name="recall_funnel"),
    path("charts/recall-terms/", recall_terms_chart, name="recall_terms"),
    path("charts/recall-rates/", recall_rates_chart, name="recall_rates"),
    path("charts/recall-session/", recall_session_chart, name="recall_session"),
    path("charts/recall-latency/", recall_latency_chart, name="recall_latency"),
    path(ENTRY, recall_entry, name="recall_entry"),
    path(f"{ENTRY}judge/", recall_judge, name="recall_judge"),
    path("owners/<uuid:owner_id>/diagnose/", diagnose, name="diagnose"),
]
