"""Whether the service can do its work: what it stands on, looked at now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.utils import timezone

from memoryhub.models import EmbeddingModel, WorkerBeat

WORKER_SEEN_WITHIN = timedelta(seconds=60)

type State = Literal["ok", "degraded", "down"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """`database` down: nothing works. `worker` down: events wait. `embedder` degraded: recall has no meaning leg yet."""

    database: State
    worker: State
    embedder: State
    embedding_model: str

    @property
    def is_ready(self) -> bool:
        return self.database == "ok"


def look() -> Health:
    """One short look; never raises for a database that cannot be reached."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = '2s'")
            seen = WorkerBeat.objects.filter(seen_at__gt=timezone.now() - WORKER_SEEN_WITHIN).exists()
            model = (
                EmbeddingModel.objects.filter(state=EmbeddingModel.State.CURRENT)
                .values_list("name", flat=True)
                .first()
            )
    except (DatabaseError, InterfaceError):
        return Health(database="down", worker="down", embedder="down", embedding_model="")
    return Health(
        database="ok",
        worker="ok" if seen else "down",
        embedder="ok" if model else "degraded",
        embedding_model=model or str(settings.EMBEDDER),
    )
