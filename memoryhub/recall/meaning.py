"""The meaning leg: cosine of every vector of the owner, and the words of the question, fused by addition.

Both views of a turn count: half its own score, half that of the window around it. The scan is exact (a covering index), so
a turn whose window is near but whose own words are not still gets both halves. Sums are made here, not in SQL: the server
sends one packed value of 20 bytes an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.backends.utils import CursorWrapper

from memoryhub.database.prepared import HalfVec
from memoryhub.language.embedders import Vectors
from memoryhub.language.scoring import COVER_WEIGHT, cover
from memoryhub.language.tokens import owner_prefix

MOST_WORD_HITS = 200
MOST_NAMED = 20
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
    """What the leg found, best first, how many entries it compared and how many shared a word. `of` knows the others too."""

    hits: dict[UUID, Hit] = field(default_factory=dict)
    compared: int = 0
    word_hits: int = 0
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
        cursor.execute(_WORDS, parameters)
    else:
        parameters |= {"vector": HalfVec(vector), "model": model}
        cursor.execute(_COSINES + _WORDS, parameters)
    return _fused(cursor.fetchall(), tokens, limit)


def _fused(rows: Iterable[tuple[object, ...]], tokens: Sequence[str], limit: int) -> Near:
    own, windows = _View(), _View()
    named: set[UUID] = set()
    for packed, entry_id, is_window, ranks, length, own_cosines, window_cosines in rows:
        if packed:
            own.take_cosines(own_cosines)
            windows.take_cosines(window_cosines, flip=_WINDOW_BIT)
        elif ranks is None:
            named.add(entry_id)  # type: ignore[arg-type]
        elif is_window:
            windows.take_words(entry_id.int ^ (0xF << 76), tokens, ranks, length)  # type: ignore[attr-defined]
        else:
            own.take_words(entry_id.int, tokens, ranks, length)  # type: ignore[attr-defined]
    scores = _mixed(own.scores(tokens), windows.scores(tokens))

    def of(entry_id: UUID) -> Hit | None:
        key = entry_id.int
        if key not in scores and entry_id not in named:
            return None
        return Hit(
            scores.get(key, 0.0),
            own.cosines.get(key),
            max(own.covered.get(key, 0.0), windows.covered.get(key, 0.0)),
            key in own.covered or key in windows.covered,
            entry_id in named,
        )

    nearest = [UUID(int=key) for key in sorted(scores, key=scores.__getitem__, reverse=True)[:limit]]
    hits = {entry_id: hit for entry_id in [*nearest, *named] if (hit := of(entry_id))}
    return Near(hits, len(own.cosines), len(own.words) + len(windows.words), of)


class _View:
    """Turns (with items and field versions), or windows: cosines, word counts, and the score of each by event id."""

    def __init__(self) -> None:
        self.cosines: dict[int, float] = {}
        self.words: list[tuple[int, Mapping[str, int], int]] = []
        self.covered: dict[int, float] = {}

    def take_cosines(self, packed: object, flip: np.uint64 = _NOTHING) -> None:
        if packed is None:
            return
        rows = np.frombuffer(packed, dtype=_PACKED)  # type: ignore[call-overload]
        high = (rows["high"] ^ flip).tolist()
        cosines: npt.NDArray[np.float32] = -rows["distance"]
        self.cosines = {
            (h << 64) | low: c for h, low, c in zip(high, rows["low"].tolist(), cosines.tolist(), strict=True)
        }

    def take_words(self, key: int, tokens: Sequence[str], ranks: object, length: object) -> None:
        counts = np.searchsorted(_EDGES, ranks, side="right").tolist()  # type: ignore[call-overload]
        frequencies = {token: count for token, count in zip(tokens, counts, strict=True) if count}
        self.words.append((key, frequencies, length))  # type: ignore[arg-type]

    def scores(self, tokens: Sequence[str]) -> dict[int, float]:
        """Meaning of each entry of this view that has a vector or shares a word."""
        self.covered = cover(tokens, self.words)
        whole = 1 + COVER_WEIGHT
        scores = {key: min(max(cosine / whole, 0.0), 1.0) for key, cosine in self.cosines.items()}
        for key, share in self.covered.items():
            raw = (self.cosines.get(key, 0.0) + COVER_WEIGHT * share) / whole
            scores[key] = min(max(raw, 0.0), 1.0)
        return scores


def _mixed(own: Mapping[int, float], windows: Mapping[int, float]) -> dict[int, float]:
    """Half turn, half window where there is a window; the turn alone where there is none."""
    return {key: 0.5 * score + 0.5 * windows[key] if key in windows else score for key, score in own.items()}
