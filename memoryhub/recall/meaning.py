"""The meaning leg: cosine of every vector of the owner, and the words of the question, fused by addition.

Both views of a turn count: half its own score, half that of the window around it. The scan is exact (a covering index), so
a turn whose window is near but whose own words are not still gets both halves. Sums are made here, not in SQL: the server
sends one packed value of 20 bytes an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.backends.utils import CursorWrapper

from memoryhub.database.prepared import HalfVec
from memoryhub.language.embedders import Vectors
from memoryhub.language.scoring import COVER_WEIGHT, K1, B
from memoryhub.language.tokens import owner_prefix
from memoryhub.recall.together import Read

type Ints = npt.NDArray[np.uint64]
type Floats = npt.NDArray[np.float64]

MOST_WORD_HITS = 200
MOST_NAMED = 20
_PACKED_ID = np.dtype([("high", ">u8"), ("low", ">u8")])
_PACKED = np.dtype([("high", ">u8"), ("low", ">u8"), ("distance", ">f4")])
_NOTHING = np.uint64(0)
_WINDOW_BIT = np.uint64(0xF000)

_COSINES = """
SELECT true AS packed, NULL::uuid, NULL::boolean, NULL::real[], NULL::integer,
  string_agg(uuid_send(v.entry_id) || float4send((v.v <#> %(vector)s::halfvec)::real), ''::bytea)
    FILTER (WHERE v.kind <> 'window'),
  string_agg(uuid_send(v.entry_id) || float4send((v.v <#> %(vector)s::halfvec)::real), ''::bytea)
    FILTER (WHERE v.kind = 'window')
FROM memoryhub_searchvector v
WHERE v.owner_id = %(owner)s AND v.kind = ANY(%(kinds)s)
  AND v.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.name = %(model)s)
  AND (NOT %(live)s OR v.entry_id NOT IN (SELECT h.id FROM memoryhub_searchentry h
    WHERE h.owner_id = %(owner)s AND (h.known_until IS NOT NULL OR NOT h.cleared)))
UNION ALL
"""
_WORDS = """
SELECT false, w.entry_id, w.is_window, w.ranks, w.length, NULL::bytea, NULL::bytea
FROM mh_lexical(%(owner)s, %(tokens)s, %(kinds)s, %(live)s, %(most)s) w
UNION ALL
SELECT false, n.entry_id, NULL, NULL, NULL, NULL, NULL
FROM mh_entities(%(owner)s, %(names)s, %(kinds)s, %(live)s, %(most_named)s) n
"""

# ts_rank of one token is 0.1 · 6/π² · Σ 1/j² over its places; the step between two counts is found between two sums.
_SUMS = 0.1 / 1.64493406685 * np.cumsum(1.0 / np.arange(1, 257) ** 2)
_EDGES = np.array([a + (b - a) / 2 for a, b in pairwise([0.0, *_SUMS])])


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry and how near it is: `meaning` = clip((cos + 0.45 · cover) / 1.45, 0, 1), mixed over its views."""

    meaning: float
    cosine: float | None
    cover: float
    by_words: bool
    by_name: bool


@dataclass(frozen=True, slots=True)
class Near:
    """What the leg found, best first, how many entries it compared, shared a word, bore a name. `of` knows the others too."""

    hits: dict[UUID, Hit] = field(default_factory=dict)
    compared: int = 0
    word_hits: int = 0
    named: int = 0
    of: Callable[[UUID], Hit | None] = lambda _: None


def near(
    cursor: CursorWrapper,
    *,
    owner_id: UUID,
    search_no: int,
    tokens: Sequence[str],
    names: Sequence[str],
    kinds: Sequence[str],
    vector: Vectors | None,
    model: str,
    live: bool,
    limit: int,
) -> Near:
    """The `limit` entries nearest to the question, in one statement. `vector` None leaves the words alone to answer.

    `kinds` are those of search entries; windows join whenever events are among them. With `live` off, entries that are
    no longer live come too, and the caller asks the as-of predicate.
    """
    read = near_read(
        owner_id=owner_id,
        search_no=search_no,
        tokens=tokens,
        names=names,
        kinds=kinds,
        vector=vector,
        model=model,
        live=live,
    )
    cursor.execute(read.sql, read.parameters)
    return nearest(cursor.fetchall(), limit)


def near_read(
    *,
    owner_id: UUID,
    search_no: int,
    tokens: Sequence[str],
    names: Sequence[str],
    kinds: Sequence[str],
    vector: Vectors | None,
    model: str,
    live: bool,
) -> Read:
    """What `near` asks, to be read together with other legs."""
    prefix = owner_prefix(search_no)
    parameters: dict[str, Any] = {
        "owner": owner_id,
        "tokens": [prefix + token for token in tokens],
        "names": list(names),
        "kinds": [*kinds, "window"] if "event" in kinds else list(kinds),
        "live": live,
        "most": MOST_WORD_HITS,
        "most_named": MOST_NAMED,
    }
    if vector is None:
        return Read(_WORDS, parameters)
    return Read(_COSINES + _WORDS, parameters | {"vector": HalfVec(vector), "model": model})


def nearest(rows: Sequence[tuple[Any, ...]], limit: int) -> Near:
    """The `limit` nearest of the leg's rows, and a way to look up the others."""
    packed = next((row for row in rows if row[0]), None)
    words = [row for row in rows if row[3] is not None]
    named = {row[1] for row in rows if not row[0] and row[3] is None}
    own = _View(packed[5] if packed else None, [row for row in words if not row[2]])
    windows = _View(packed[6] if packed else None, [row for row in words if row[2]], flip=_WINDOW_BIT)
    around = windows.match(own.high, own.low)
    meaning = _mixed(own, windows, around)

    def hit(place: int, entry_id: UUID) -> Hit:
        covered, by_words, window = own.covered[place], own.by_words[place], around[place]
        if window >= 0:
            covered, by_words = max(covered, windows.covered[window]), by_words or windows.by_words[window]
        cosine = float(own.cosines[place])
        known = None if np.isnan(cosine) else cosine
        return Hit(float(meaning[place]), known, float(covered), bool(by_words), entry_id in named)

    def of(entry_id: UUID) -> Hit | None:
        if entry_id in hits:
            return hits[entry_id]
        place = own.place_of(entry_id)
        if place is not None:
            return hit(place, entry_id)
        return Hit(0.0, None, 0.0, by_words=False, by_name=True) if entry_id in named else None

    best = np.argsort(-meaning, kind="stable")[:limit].tolist()
    hits = {entry_id: hit(place, entry_id) for place in best for entry_id in [own.id_at(place)]}
    hits |= {entry_id: found for entry_id in named if (found := of(entry_id))}
    return Near(hits, own.compared, len(words), len(named), of)


def _mixed(own: _View, windows: _View, around: npt.NDArray[np.intp]) -> Floats:
    """Half turn, half window where there is a window; the turn alone where there is none."""
    has_window = around >= 0
    mixed = own.scores.copy()
    mixed[has_window] = 0.5 * mixed[has_window] + 0.5 * windows.scores[around[has_window]]
    return mixed


class _View:
    """Turns (with items and field versions), or windows under the ids of their events, as columns.

    `scores` is the meaning of each entry of this view that has a vector or shares a word.
    """

    def __init__(
        self, packed: bytes | None, words: Sequence[tuple[Any, ...]], flip: np.uint64 = _NOTHING
    ) -> None:
        cosines = np.frombuffer(packed or b"", dtype=_PACKED)
        self.compared = len(cosines)
        self.high: Ints = cosines["high"].astype(np.uint64) ^ flip
        self.low: Ints = cosines["low"].astype(np.uint64)
        self.cosines: Floats = -cosines["distance"].astype(np.float64)
        self._sort()
        ids = np.frombuffer(b"".join(row[1].bytes for row in words), dtype=_PACKED_ID)
        covered = cover_of([row[3] for row in words], [row[4] for row in words])
        self._add_words(ids["high"].astype(np.uint64) ^ flip, ids["low"].astype(np.uint64), covered)
        known = np.nan_to_num(self.cosines)
        self.scores: Floats = np.clip((known + COVER_WEIGHT * self.covered) / (1 + COVER_WEIGHT), 0.0, 1.0)

    def _sort(self) -> None:
        order = np.argsort(self.low, kind="stable")
        self.high, self.low, self.cosines = self.high[order], self.low[order], self.cosines[order]

    def _add_words(self, high: Ints, low: Ints, covered: Floats) -> None:
        """Put the cover beside the cosine; an entry that shares a word and has no vector yet is appended."""
        missing = self.match(high, low) < 0
        self.high = np.concatenate([self.high, high[missing]])
        self.low = np.concatenate([self.low, low[missing]])
        self.cosines = np.concatenate([self.cosines, np.full(int(missing.sum()), np.nan)])
        self._sort()
        self.covered: Floats = np.zeros(len(self.low))
        self.by_words = np.zeros(len(self.low), dtype=bool)
        places = self.match(high, low)
        self.covered[places] = covered
        self.by_words[places] = True

    def match(self, high: Ints, low: Ints) -> npt.NDArray[np.intp]:
        """The place of each id, -1 where it is not here. The low half is 62 random bits, the high half is checked."""
        if not len(self.low):
            return np.full(len(low), -1, dtype=np.intp)
        places = np.minimum(np.searchsorted(self.low, low), len(self.low) - 1)
        is_here = (self.low[places] == low) & (self.high[places] == high)
        return np.where(is_here, places, -1)

    def place_of(self, entry_id: UUID) -> int | None:
        ids = np.frombuffer(entry_id.bytes, dtype=_PACKED_ID)
        place = int(self.match(ids["high"].astype(np.uint64), ids["low"].astype(np.uint64))[0])
        return place if place >= 0 else None

    def id_at(self, place: int) -> UUID:
        return UUID(int=(int(self.high[place]) << 64) | int(self.low[place]))


def cover_of(ranks: Sequence[Sequence[float]], token_counts: Sequence[int]) -> Floats:
    """`language.scoring.cover` over columns: BM25 / Σ idf of the question's tokens, at most 1; df within the rows."""
    if not ranks:
        return np.zeros(0)
    counts: Floats = np.searchsorted(_EDGES, np.array(ranks), side="right").astype(np.float64)
    lengths = np.array(token_counts, dtype=np.float64)
    held_by = (counts > 0).sum(axis=0)
    idf = np.log(1 + (len(ranks) - held_by + 0.5) / (held_by + 0.5))
    saturation = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0))
    bm25 = (idf * counts * (K1 + 1) / (counts + saturation[:, None])).sum(axis=1)
    covered: Floats = np.minimum(bm25 / idf.sum(), 1.0)
    return covered
