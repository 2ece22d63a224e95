"""A library told through the real services: documents of a domain, published by staff or by an agent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memoryhub.knowledge.importing import Imported, NewFile, import_file
from memoryhub.knowledge.publishing import publish_version
from memoryhub.models import DocumentVersion, Owner
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.writing.source import Source
from tests.builders import make_link, make_owner, make_source, make_workspace

PERSON = 41
NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=400)


def as_person(source: Source, user_id: int = PERSON) -> Source:
    """The same workspace, written to by a person at the desk."""
    return replace(
        source,
        agent_id=None,
        api_key_id=None,
        user_id=user_id,
        responsible_user_id=user_id,
        transport="page",
        trust_tier=4,
    )


@dataclass
class Library:
    """A domain owner with documents, and a user who is linked to it."""

    source: Source
    domain: Owner
    user: Owner
    person: Source = field(init=False)

    def __post_init__(self) -> None:
        self.person = as_person(self.source)

    def take(self, text: str, *, title: str = "退货政策", by: Source | None = None, **given: Any) -> Imported:
        """Import a Markdown text as a draft."""
        file = NewFile(**{"content": text.encode(), "media": "markdown", "title": title, **given})
        return import_file(owner_id=self.domain.id, file=file, source=by or self.person)

    def publish(self, imported: Imported, *, by: Source | None = None, **given: Any) -> DocumentVersion:
        """Publish and embed it as the worker would."""
        version = publish_version(
            owner_id=self.domain.id,
            document_id=imported.document_id,
            number=imported.number,
            source=by or self.person,
            **given,
        )
        self.embed()
        return version

    def embed(self) -> None:
        while embed_missing(workspace_id=self.source.workspace_id, owner_id=self.domain.id):
            pass

    def put(self, text: str, **given: Any) -> DocumentVersion:
        """Import and publish in one go, in force since long ago."""
        return self.publish(self.take(text, **{"effective_from": LONG_AGO, **given}))

    def age(self, version: DocumentVersion, *, days: int) -> None:
        """As if it had been verified so many days ago."""
        verified = datetime.now(UTC) - timedelta(days=days)
        DocumentVersion.objects.of(self.domain.id).filter(id=version.id).update(last_verified_at=verified)

    def ask(self, query: str, *, owner: Owner | None = None, **asked: Any) -> RecallAnswer:
        return recall(
            workspace_id=self.source.workspace_id,
            owner_id=(owner or self.user).id,
            request=RecallRequest(query=query, **asked),
            caller=Caller(agent_id=self.source.agent_id),
        )

    def told(self, query: str, **asked: Any) -> list[str]:
        """The documents' lines that are served, in order."""
        return [entry.text for entry in self.ask(query, **asked).served if entry.kind == "document"]


def link(user: Owner, to: Owner, **given: Any) -> UUID:
    return make_link(user, to, **given).id


def open_library(*, locale: str = "zh-hans", kind: str = "domain", source: Source | None = None) -> Library:
    source = source or make_source(make_workspace())
    domain = make_owner(source, kind=kind, locale=locale)
    user = make_owner(source, locale=locale, time_zone="Asia/Shanghai")
    link(user, domain)
    return Library(source, domain, user)
