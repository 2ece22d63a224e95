"""The domain as a Django app."""

from django.apps import AppConfig


class MemoryhubConfig(AppConfig):
    name = "memoryhub"
    label = "memoryhub"
    verbose_name = "memoryhub"

    def ready(self) -> None:
        from memoryhub import checks  # noqa: F401  registers the system checks
        from memoryhub.database import guard

        guard.watch_connections()
