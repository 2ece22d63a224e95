"""Whether the service can do its work: what it stands on, looked at now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.utils import timezone

from memoryhub.language.breaker import state_of
from memoryhub.language.chat import current_chat
from memoryhub.language.embedders import current_embedder
from memoryhub.models import EmbeddingModel, ProviderState, WorkerBeat

WORKER_SEEN_WITHIN = timedelta(seconds=60)

type State = Literal["ok", "degraded", "down"]
type ModelState = Literal["unused", "ok", "degraded", "down"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """`database` down: nothing works. `worker` down: events wait.

    `embedder` degraded: it failed lately, or the stored vectors are still another model's (`reembed`); down: it does not answer,
    words alone find. `embedding_model` is the settings'. `model` is the chat provider's: unused while the rules read; down: events are accepted and wait for it.
    """

    database: State
    worker: State
    embedder: State
    embedding_model: str
    extractor: str
    model: ModelState

    @property
    def is_ready(self) -> bool:
        return self.database == "ok"


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """The chat provider in use. `row` None: nobody has asked it yet."""

    name: str
    state: ModelState
    row: ProviderState | None


def look() -> Health:
    """One short look; never raises for a database that cannot be reached."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = '2s'")
            seen = WorkerBeat.objects.filter(seen_at__gt=timezone.now() - WORKER_SEEN_WITHIN).exists()
            embedder = look_at_embedder()
            provider = look_at_provider()
    except (DatabaseError, InterfaceError):
        return Health(
            database="down",
            worker="down",
            embedder="down",
            embedding_model=_embedder_name(),
            extractor=settings.EXTRACTOR,
            model="down" if settings.EXTRACTOR == "model" else "unused",
        )
    return Health(
        database="ok",
        worker="ok" if seen else "down",
        embedder=embedder.state,
        embedding_model=embedder.name,
        extractor=settings.EXTRACTOR,
        model=provider.state,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedderHealth:
    """The embedder of the settings. `stored_model` is the one whose vectors are current, "" before the first vector."""

    name: str
    state: State
    stored_model: str
    row: ProviderState | None

    @property
    def is_being_changed(self) -> bool:
        return self.stored_model not in ("", self.name)


def look_at_embedder() -> EmbedderHealth:
    """How the embedder does and whether the stored vectors are its own; two queries at most."""
    name = _embedder_name()
    current = EmbeddingModel.objects.filter(state=EmbeddingModel.State.CURRENT)
    stored = current.values_list("name", flat=True).first() or ""
    row = ProviderState.objects.filter(name=name).first() if settings.EMBEDDER == "openai" else None
    state = state_of(row)
    if state == "ok" and stored != name:
        state = "degraded"
    return EmbedderHealth(name=name, state=state, stored_model=stored, row=row)


def _embedder_name() -> str:
    try:
        return current_embedder().name
    except ValueError:
        return str(settings.EMBEDDER)


def look_at_provider() -> Provider:
    """How the chat provider of the settings does; one query when there is one."""
    client = current_chat()
    if settings.EXTRACTOR != "model" or client is None:
        return Provider(name="", state="unused", row=None)
    row = ProviderState.objects.filter(name=client.name).first()
    return Provider(name=client.name, state=state_of(row), row=row)
