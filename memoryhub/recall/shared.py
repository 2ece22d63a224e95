"""The shared leg: what teams, projects and domains that the owner is linked to keep near the question.

Values and sentences only: what happened to somebody stays with him. Read in the statement of the other legs; every part of it
names the owners whose memory the links let through, and the rows are held to the links again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np

from memoryhub.database.prepared import HalfVec
from memoryhub.language.embedders import Vectors
from memoryhub.language.scoring import COVER_WEIGHT
from memoryhub.language.tokens import owner_prefix
from memoryhub.recall.answers import Leg, Ranked
from memoryhub.recall.knowing import Known, Link
from memoryhub.recall.looking import Asked
from memoryhub.recall.meaning import MOST_WORD_HITS, Hit, Near, cover_of
from memoryhub.recall.together import Read

LEG = "shared"
MOST_BY_MEANING = 24
MOST_NAMED = 20
MOST_LOADED = 60
"""Of all linked owners together, beside what a name led to: as many as of an owner's own memory."""

_NEAR = f"""
SELECT s.owner_id, s.entry_id, (-(s.v <#> %(vector)s::halfvec))::real AS cosine FROM memoryhub_searchvector s
WHERE s.owner_id = ANY(%(shared_owners)s) AND s.kind IN ('field_version', 'item')
  AND s.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.name = %(model)s)
  AND (NOT %(live)s OR s.entry_id NOT IN (SELECT h.id FROM memoryhub_searchentry h
    WHERE h.owner_id = ANY(%(shared_owners)s) AND (h.known_until IS NOT NULL OR NOT h.cleared)))
ORDER BY s.v <#> %(vector)s::halfvec, s.entry_id LIMIT {MOST_BY_MEANING}"""
_NOTHING_NEAR = "SELECT NULL::uuid, NULL::uuid, NULL::real WHERE false"
_LOAD = f"""
WITH asked AS (
  SELECT a.owner_id, ARRAY(SELECT a.prefix || t.token FROM unnest(%(words)s::text[]) WITH ORDINALITY AS t (token, place)
    ORDER BY t.place) AS tokens
  FROM unnest(%(shared_owners)s::uuid[], %(shared_prefixes)s::text[]) AS a (owner_id, prefix)
), words AS MATERIALIZED (
  SELECT a.owner_id, w.entry_id, w.ranks, w.length
  FROM asked a CROSS JOIN LATERAL mh_lexical(a.owner_id, a.tokens, ARRAY['field_version', 'item'], %(live)s, %(most)s) w
), named AS MATERIALIZED (
  SELECT a.owner_id, n.entry_id
  FROM asked a
  CROSS JOIN LATERAL mh_entities(a.owner_id, %(names)s, ARRAY['field_version', 'item'], %(live)s, {MOST_NAMED}) n
), near (owner_id, entry_id, cosine) AS MATERIALIZED ({{near}}
), every AS (
  SELECT n.owner_id, n.entry_id FROM near n UNION SELECT w.owner_id, w.entry_id FROM words w
  UNION SELECT n.owner_id, n.entry_id FROM named n
)
SELECT e.owner_id, e.entry_id, n.cosine, w.ranks, w.length, m.entry_id IS NOT NULL
FROM every e
LEFT JOIN near n ON n.owner_id = e.owner_id AND n.entry_id = e.entry_id
LEFT JOIN words w ON w.owner_id = e.owner_id AND w.entry_id = e.entry_id
LEFT JOIN named m ON m.owner_id = e.owner_id AND m.entry_id = e.entry_id
ORDER BY e.entry_id
"""


def shared_owners(asked: Asked) -> dict[UUID, int]:
    """Whose values and sentences may be read along for this question, with the number before their search tokens."""
    kinds = [*(("form", "rule") if asked.wants("form") else ()), *asked.item_kinds]
    return {
        link.owner_id: link.search_no
        for link in asked.known.links
        if any(link.lets_through(kind) for kind in kinds)
    }


def shared_read(asked: Asked, *, vector: Vectors | None, model: str) -> Read | None:
    """The nearest values and sentences of linked owners, by meaning, words and names; None: there is nobody or nothing to ask.

    Rows: owner, target, cosine or NULL, ts_rank by word or NULL, length in tokens, and whether a name led there.
    """
    owners = shared_owners(asked)
    if not owners or not (asked.question.tokens or asked.question.names or vector is not None):
        return None
    parameters: dict[str, Any] = {
        "shared_owners": list(owners),
        "shared_prefixes": [owner_prefix(number) for number in owners.values()],
        "words": list(asked.question.tokens),
        "names": list(asked.question.names),
        "live": asked.moment.is_now,
        "most": MOST_WORD_HITS,
    }
    if vector is not None:
        parameters |= {"vector": HalfVec(vector), "model": model}
    return Read(statement(by_meaning=vector is not None), parameters)


def statement(*, by_meaning: bool) -> str:
    """The leg's statement, with the vector of the question or by its words alone."""
    return _LOAD.format(near=_NEAR if by_meaning else _NOTHING_NEAR)


def shared_hits(rows: Sequence[tuple[Any, ...]]) -> dict[UUID, Hit]:
    """The nearest by target; meaning = clip((cos + 0.45 · cover) / 1.45, 0, 1), the cover counted over all rows that share a
    word."""
    by_words = [row for row in rows if row[3] is not None]
    covers = cover_of([row[3] for row in by_words], [row[4] for row in by_words])
    cover = {row[1]: float(covered) for row, covered in zip(by_words, covers, strict=True)}
    hits = {row[1]: _hit(row, cover) for row in rows}
    nearest = sorted(hits.items(), key=lambda hit: (-hit[1].meaning, str(hit[0])))
    return {
        target_id: hit for place, (target_id, hit) in enumerate(nearest) if place < MOST_LOADED or hit.by_name
    }


def _hit(row: tuple[Any, ...], cover: dict[UUID, float]) -> Hit:
    cosine, covered = row[2], cover.get(row[1], 0.0)
    meaning = float(np.clip(((cosine or 0.0) + COVER_WEIGHT * covered) / (1 + COVER_WEIGHT), 0.0, 1.0))
    return Hit(meaning, cosine, covered, by_words=row[1] in cover, by_name=bool(row[5]))


def with_shared(near: Near, shared: Mapping[UUID, Hit]) -> Near:
    """What is near in the owner's own memory, and in what is shared with him."""
    if not shared:
        return near

    def of(target_id: UUID) -> Hit | None:
        return shared.get(target_id) or near.of(target_id)

    return replace(near, hits={**near.hits, **shared}, of=of)


def readers(known: Known, kinds: Iterable[str]) -> list[UUID]:
    """The owner, and those linked owners of whom any of these kinds may be read along."""
    asked = list(kinds)
    through = (link for link in known.links if any(link.lets_through(kind) for kind in asked))
    return [known.owner_id, *(link.owner_id for link in through)]


def layers_in(known: Known) -> dict[UUID, str]:
    """The layer of each linked owner."""
    return {link.owner_id: link.layer for link in known.links}


def labelled(ranked: Iterable[Ranked], *, known: Known) -> list[Ranked]:
    """Each with the layer it comes from, and what comes over a link with the name of whom it belongs to."""
    return [_labelled(entry, known.link_to(entry.owner_id)) for entry in ranked]


def _labelled(entry: Ranked, link: Link | None) -> Ranked:
    if link is not None:
        return replace(entry, layer=link.layer, owner_name=link.name)
    return replace(entry, layer="session") if entry.kind == "slot" else entry


def report(asked: Asked, found: int, milliseconds: float) -> Leg:
    """What the leg did."""
    if not shared_owners(asked):
        return Leg(state="skipped", note="no linked domain, team or project")
    return Leg(state="ok", found=found, milliseconds=milliseconds)
