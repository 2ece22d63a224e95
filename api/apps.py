"""The HTTP interface for agents."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
