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

LEAST_COVER = 0.34
"""The share of the words, weighed by how rare they are, from which a memory counts as similar."""
MOST_SIMILAR = 5
MOST_WORDS = 60
KINDS = (SearchEntry.Kind.FIELD_VERSION, SearchEntry.Kind.ITEM)


@dataclass(frozen=True, kw_only=True, slots=True)
class Similar:
    """A live value or sentence; `cover` is the share of the change's words that it has."""

    entry: SearchEntry
    cover: float


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
                limit=MOST_SIMILAR + len(without),
            )
        covers = {
            target_id: hit.cover
            for target_id, hit in found.hits.items()
            if hit.cover >= LEAST_COVER and target_id not in without
        }
        rows = SearchEntry.objects.of(owner.id).filter(kind__in=KINDS, target_id__in=covers)
        similar = [Similar(entry=row, cover=covers[row.target_id]) for row in rows]
    return sorted(similar, key=lambda row: (-row.cover, str(row.entry.target_id)))[:MOST_SIMILAR]
