"""Addresses of the staff desk, whole paths from the root of the site."""

from django.urls import URLPattern, URLResolver

app_name = "reviews"
urlpatterns: list[URLPattern | URLResolver] = []
