"""How PostgreSQL walks: the scan of vectors must not touch the table, and words must come from their index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections

from memoryhub.database.scope import scope
from memoryhub.models import Owner
from memoryhub.search_vectors import ensure_model
from tests.recall.stories import Story, begin

ENTRIES = """
INSERT INTO memoryhub_searchentry (owner_id, id, workspace_id, kind, target_id, text, tokens, token_count, occurred_at,
  known_from, language, entities, session_ref, cleared)
SELECT %(owner)s, i.id, %(workspace)s, 'item', i.id, 'x', (SELECT string_agg(format('%%L:%%s', %(prefix)s || (n * k %% 3000), k), ' ')
  FROM generate_series(1, 20) k)::tsvector, 20, now(), now(), 'en', '{}', '', true
FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, %(count)s) n) i
"""
VECTORS = """
INSERT INTO memoryhub_searchvector (owner_id, id, workspace_id, model_id, entry_id, kind, dims, v)
SELECT e.owner_id, gen_random_uuid(), e.workspace_id, %(model)s, e.id, e.kind, 384,
  array_fill(random()::real, ARRAY[384])::halfvec
FROM memoryhub_searchentry e WHERE e.owner_id = %(owner)s
ON CONFLICT (owner_id, model_id, entry_id) DO NOTHING
"""


def settle(story: Story, count: int) -> None:
    given: dict[str, Any] = {
        "owner": story.owner.id,
        "workspace": story.source.workspace_id,
        "prefix": f"{story.owner.search_no}:",
        "count": count,
        "model": ensure_model().id,
    }
    with (
        scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="test", write=True),
        connection.cursor() as cursor,
    ):
        cursor.execute(ENTRIES, given)
        cursor.execute(VECTORS, given)


@pytest.fixture
def owner(committing_db: str) -> Iterator[Owner]:
    stories = [begin() for _ in range(10)]
    for _ in range(20):  # rows of many owners lie side by side, as they do when they come in
        for story in stories:
            settle(story, 40)
    with connections["admin"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memoryhub_searchvector")
        cursor.execute("VACUUM ANALYZE memoryhub_searchentry")
    yield story.owner
    connections["admin"].close()


def plan(owner: Owner, statement: str, parameters: list[Any]) -> str:
    with (
        scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="test"),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"EXPLAIN {statement}", parameters)
        return "\n".join(row[0] for row in cursor.fetchall())


def test_vectors_come_from_the_covering_index_and_words_from_theirs(owner: Owner) -> None:
    vector = "[" + ",".join(["0.05"] * 384) + "]"
    scan = plan(
        owner,
        "SELECT v.entry_id, v.v <#> %s::halfvec FROM memoryhub_searchvector v WHERE v.owner_id = %s AND v.kind = 'item'"
        " AND v.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.state = 'current')",
        [vector, owner.id],
    )
    assert "Index Only Scan using vector_covering" in scan
    words = plan(
        owner,
        "SELECT e.id FROM memoryhub_searchentry e WHERE e.owner_id = %s AND e.tokens @@ %s::tsquery"
        " AND e.known_until IS NULL AND e.cleared",
        [owner.id, f"'{owner.search_no}:17' | '{owner.search_no}:19'"],
    )
    assert "entry_tokens" in words
