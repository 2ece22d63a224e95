"""An owner who has said things, told through the real write path and indexed as the worker would."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memoryhub.language.embedders import Embedder
from memoryhub.models import Owner
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.search_windows import make_windows
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@dataclass
class Story:
    """One owner and who writes about him. Each `say` is a minute after the one before."""

    source: Source
    owner: Owner
    at: datetime = field(default_factory=lambda: datetime.now(UTC) - timedelta(hours=6))

    def say(self, *texts: str, index: bool = True, **given: Any) -> list[UUID]:
        """Record user turns, process them, and with `index` make their windows and vectors; returns the event ids."""
        events = []
        for text in texts:
            self.at += timedelta(minutes=1)
            events.append(NewEvent(**{"content": text, "occurred_at": self.at, "session_ref": "s1", **given}))
        batch = record_events(owner_id=self.owner.id, events=events, source=self.source)
        ids = [result.event_id for result in batch.results if result.event_id]
        process_waiting_events(workspace_id=self.source.workspace_id, owner_id=self.owner.id, until=ids)
        if index:
            self.index()
        return ids

    def index(self, embedder: Embedder | None = None) -> None:
        make_windows(workspace_id=self.source.workspace_id, owner_id=self.owner.id)
        while embed_missing(workspace_id=self.source.workspace_id, owner_id=self.owner.id, embedder=embedder):
            pass

    def field(self, name: str, value: Any, **given: Any) -> Verdict:
        form_type, field_name = name.split(".")
        return write_field(
            owner_id=self.owner.id,
            form_type=form_type,
            field=field_name,
            value=value,
            source=self.source,
            **given,
        )

    def item(self, content: str, **given: Any) -> Verdict:
        values = {"item_kind": "semantic", **given}
        return write_memory(owner_id=self.owner.id, content=content, source=self.source, **values)

    def recall(self, query: str, *, embedder: Embedder | None = None, **asked: Any) -> RecallAnswer:
        return recall(
            workspace_id=self.source.workspace_id,
            owner_id=self.owner.id,
            request=RecallRequest(query=query, **asked),
            caller=Caller(agent_id=self.source.agent_id),
            embedder=embedder,
        )


def begin(*, source: Source | None = None, ref: str = "", **values: str) -> Story:
    """A new owner, in a new workspace unless `source` has one."""
    source = source or make_source(make_workspace())
    return Story(source, make_owner(source, ref, **values))


def texts(answer: RecallAnswer, section: str = "") -> list[str]:
    """What was served, in the order it is told."""
    return [entry.text for entry in answer.served if not section or entry.section == section]
