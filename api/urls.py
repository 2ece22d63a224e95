"""Addresses for agents, whole paths (`api/v1/…`, `health/…`)."""

from django.urls import URLPattern, URLResolver, path, re_path

from api.views import base, events, health, keys, owners, schema

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.Live.as_view(), name="health-live"),
    path("health/ready", health.Ready.as_view(), name="health-ready"),
    path("api/schema/", schema.Schema.as_view(), name="schema"),
    path("api/docs/", schema.Docs.as_view(), name="docs"),
    path("api/v1/owners/", owners.OwnerList.as_view(), name="owners"),
    path("api/v1/owners/<path:ref>/", owners.OwnerDetail.as_view(), name="owner"),
    path("api/v1/events/", events.EventList.as_view(), name="events"),
    path("api/v1/events/batch/", events.EventBatch.as_view(), name="events-batch"),
    path("api/v1/events/<uuid:event_id>/", events.EventDetail.as_view(), name="event"),
    path("api/v1/keys/", keys.OwnKey.as_view(), name="keys"),
    path("api/v1/keys/rotate/", keys.OwnKeyRotation.as_view(), name="keys-rotate"),
    re_path(r"^(api|health)/", base.UnknownAddress.as_view(), name="unknown"),
]
