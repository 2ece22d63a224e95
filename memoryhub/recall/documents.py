"""The domain leg: passages of documents in force, of the owner himself and of the domains, teams and projects he is linked to.

Meaning and words are fused as in the meaning leg; what is in force at the asked moment is decided by the as-of predicate, so a
version that has ended is never found, whether or not its entries were closed. Nothing is read where nobody who may have
documents is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memoryhub.database.prepared import HalfVec
from memoryhub.language.embedders import Vectors
from memoryhub.language.scoring import COVER_WEIGHT
from memoryhub.language.tokens import owner_prefix
from memoryhub.models import as_of_sql
from memoryhub.recall.answers import Leg
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Asked, Moment
from memoryhub.recall.meaning import MOST_WORD_HITS, Hit, cover_of
from memoryhub.recall.together import Read

MOST_BY_MEANING = 24
MOST_BY_WORDS = 24
MOST_AUTHORITY = 5
_NEAR = f"""
SELECT s.owner_id, s.entry_id FROM memoryhub_searchvector s
WHERE s.owner_id = ANY(%(owners)s) AND s.kind = 'chunk'
  AND s.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.name = %(model)s)
  AND (s.entry_id IN (SELECT p.id FROM passages p)) IS TRUE
ORDER BY s.v <#> %(vector)s::halfvec, s.entry_id LIMIT {MOST_BY_MEANING}"""
_COSINE = """
(SELECT -(s.v <#> %(vector)s::halfvec)::real FROM memoryhub_searchvector s
 WHERE s.owner_id = b.owner_id AND s.entry_id = b.entry_id
   AND s.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.name = %(model)s))"""
_NOTHING_NEAR, _NO_COSINE = "SELECT NULL::uuid, NULL::uuid WHERE false", "NULL::real"
# Nobody tells the planner how many passages are in force, and a join on a wrong guess compares each with each (4 s at 5,000).
# `(id IN (SELECT …)) IS TRUE` cannot become a join: it is a look-up in a hash of the ids. OFFSET 0 keeps the passages that are
# told from being found by reading all of their versions.
_LOAD = f"""
WITH asked AS (
  SELECT a.owner_id, ARRAY(SELECT a.prefix || t.token FROM unnest(%(words)s::text[]) WITH ORDINALITY AS t (token, place)
    ORDER BY t.place) AS tokens
  FROM unnest(%(owners)s::uuid[], %(prefixes)s::text[]) AS a (owner_id, prefix)
), passages AS MATERIALIZED (
  SELECT c.id FROM memoryhub_documentversion v
  JOIN memoryhub_document d ON d.owner_id = v.owner_id AND d.id = v.document_id
    AND (d.archived_at IS NULL OR d.archived_at > %(known_at)s)
  JOIN memoryhub_documentchunk c ON c.owner_id = v.owner_id AND c.version_id = v.id
  WHERE v.owner_id = ANY(%(owners)s) AND v.state = 'published' AND v.authority >= %(least)s AND {as_of_sql("v")}
), words AS MATERIALIZED (
  SELECT a.owner_id, w.entry_id, w.ranks, w.length, (SELECT sum(r.one) FROM unnest(w.ranks) AS r (one)) AS sum
  FROM asked a CROSS JOIN LATERAL mh_lexical(a.owner_id, a.tokens, ARRAY['chunk'], %(live)s, %(most)s) w
  WHERE (w.entry_id IN (SELECT p.id FROM passages p)) IS TRUE
), near (owner_id, entry_id) AS MATERIALIZED ({{near}}
), best AS MATERIALIZED (
  SELECT n.owner_id, n.entry_id FROM near n
  UNION
  SELECT w.owner_id, w.entry_id FROM
    (SELECT w.owner_id, w.entry_id FROM words w ORDER BY w.sum DESC, w.entry_id LIMIT {MOST_BY_WORDS}) w
)
SELECT b.owner_id, b.entry_id, {{cosine}} AS cosine, w.ranks, w.length, d.title, v.number, v.authority, v.trust_tier,
  v.valid_from, v.last_verified_at, c.heading_path, c.text
FROM best b
CROSS JOIN LATERAL (SELECT c.owner_id, c.id, c.document_id, c.version_id, c.heading_path, c.text
  FROM memoryhub_documentchunk c WHERE c.owner_id = b.owner_id AND c.id = b.entry_id OFFSET 0) c
JOIN memoryhub_documentversion v ON v.owner_id = c.owner_id AND v.id = c.version_id
JOIN memoryhub_document d ON d.owner_id = c.owner_id AND d.id = c.document_id
JOIN memoryhub_searchentry e ON e.owner_id = c.owner_id AND e.id = c.id AND e.cleared
LEFT JOIN words w ON w.owner_id = b.owner_id AND w.entry_id = b.entry_id
UNION ALL
SELECT w.owner_id, w.entry_id, NULL, w.ranks, w.length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM words w WHERE (w.entry_id IN (SELECT b.entry_id FROM best b)) IS NOT TRUE
ORDER BY 2
"""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A passage of a version in force, and how near it is to the question."""

    owner_id: UUID
    id: UUID
    title: str
    number: int
    authority: int
    trust_tier: int
    valid_from: datetime
    last_verified_at: datetime
    heading_path: tuple[str, ...]
    text: str
    hit: Hit

    def days_unverified(self, moment: Moment) -> float:
        return moment.days_since(self.last_verified_at)


def asked_owners(asked: Asked) -> dict[UUID, int]:
    """Whose documents may be read for this question, with the number before their search tokens; {} for nobody's."""
    if not asked.wants("knowledge"):
        return {}
    known = asked.known
    owners = {} if known.kind == "user" else {known.owner_id: known.search_no}
    readable = (link for link in known.links if link.lets_through("knowledge"))
    return owners | {link.owner_id: link.search_no for link in readable}


def documents_read(asked: Asked, *, vector: Vectors | None, model: str) -> Read | None:
    """The nearest passages in force of at least the asked authority. `vector` None: by words alone. None: nobody's to ask."""
    owners = asked_owners(asked)
    if not owners or not (asked.question.tokens or vector is not None):
        return None
    parameters: dict[str, Any] = {
        "owners": list(owners),
        "prefixes": [owner_prefix(number) for number in owners.values()],
        "words": list(asked.question.tokens),
        "live": asked.moment.is_now,
        "most": MOST_WORD_HITS,
        "least": asked.request.min_authority or 1,
        "valid_at": asked.moment.valid_at,
        "known_at": asked.moment.known_at,
    }
    if vector is not None:
        parameters |= {"vector": HalfVec(vector), "model": model}
    return Read(statement(by_meaning=vector is not None), parameters)


def statement(*, by_meaning: bool) -> str:
    """The leg's statement, with the vector of the question or by its words alone."""
    near, cosine = (_NEAR, _COSINE) if by_meaning else (_NOTHING_NEAR, _NO_COSINE)
    return _LOAD.format(near=near, cosine=cosine)


def document_rows(rows: Sequence[tuple[Any, ...]]) -> list[DocumentRow]:
    """meaning = clip((cos + 0.45 · cover) / 1.45, 0, 1), with the cover counted over all rows that share a word."""
    by_words = [row for row in rows if row[3] is not None]
    covers = cover_of([row[3] for row in by_words], [row[4] for row in by_words])
    cover = {row[1]: float(covered) for row, covered in zip(by_words, covers, strict=True)}
    return [_row(row, cover) for row in rows if row[12] is not None]


def _row(row: tuple[Any, ...], cover: dict[UUID, float]) -> DocumentRow:
    cosine, covered = row[2], cover.get(row[1], 0.0)
    meaning = float(np.clip(((cosine or 0.0) + COVER_WEIGHT * covered) / (1 + COVER_WEIGHT), 0.0, 1.0))
    hit = Hit(meaning, cosine, covered, by_words=row[1] in cover, by_name=False)
    title, number, authority, trust_tier, valid_from, verified_at, path, text = row[5:]
    return DocumentRow(
        row[0], row[1], title, number, authority, trust_tier, valid_from, verified_at, tuple(path), text, hit
    )


def report(rows: Sequence[DocumentRow], asked: Asked, milliseconds: float) -> Leg:
    """What the leg did."""
    if not asked_owners(asked):
        return Leg(state="skipped", note="no linked domain, team or project")
    return Leg(state="ok", found=len(rows), milliseconds=milliseconds)


def is_stale(row: DocumentRow, *, known: Known, moment: Moment) -> bool:
    """Whether nobody has verified the document for longer than the policy allows."""
    return row.days_unverified(moment) > known.policy.stale_document_days
