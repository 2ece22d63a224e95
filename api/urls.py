"""Addresses for agents, whole paths (`api/v1/…`, `health/…`)."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
