"""What the owner's memory already holds in nearly the same words as a change: possible duplicates, whatever they are about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memoryhub.language.tokens import query_tokens
from memoryhub.models import Owner, SearchEntry
from memoryhub.recall.meaning import near
from reviews.queries.scopes import of

LEAST_SHARED = 0.5
"""The share of the change's words from which a memory that has them counts as similar."""
MOST_SIMILAR = 5
MOST_COMPARED = 30
MOST_WORDS = 60
KINDS = (SearchEntry.Kind.FIELD_VERSION, SearchEntry.Kind.ITEM)


@dataclass(frozen=True, kw_only=True, slots=True)
class Similar:
    """A live value or sentence; `shared` is the share of the change's words that it has."""

    entry: SearchEntry
    shared: float


def similar_to(*, owner: Owner, text: str, without: Collection[UUID]) -> Sequence[Similar]:
    """The live memories that share the most words with the text, best first. Two statements; no model is asked."""
    tokens = query_tokens(text)[:MOST_WORDS]
    if not tokens:
        return []
    with of(owner):
        with connection.cursor() as cursor:
            found = near(
                cursor,
                owner_id=owner.id,
                search_no=owner.search_no,
                tokens=tokens,
                names=[],
                kinds=KINDS,
                vector=None,
                model="",
                live=True,
                limit=MOST_COMPARED,
            )
        near_ids = found.hits.keys() - set(without)
        rows = list(SearchEntry.objects.of(owner.id).filter(kind__in=KINDS, target_id__in=near_ids))
    similar = [Similar(entry=row, shared=_shared(tokens, row.text)) for row in rows]
    enough = [row for row in similar if row.shared >= LEAST_SHARED]
    return sorted(enough, key=lambda row: (-row.shared, str(row.entry.target_id)))[:MOST_SIMILAR]


def _shared(tokens: Sequence[str], text: str) -> float:
    words = set(tokens)
    return len(words & set(query_tokens(text))) / len(words)
