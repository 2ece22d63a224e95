"""The meaning score: cosine of centred vectors plus the share of the question's words that a text holds.

Rank fusion is not used: it forgets that a lexical hit was one weak word (k = 60 cost a quarter of recall@5).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

K1 = 1.2
B = 0.75
COVER_WEIGHT = 0.45
"""β of `cosine + β · cover`: .30 favours paraphrase, .80 exact words, .45–.80 is flat on long dialogues."""


def cover[Id: Hashable](
    query_tokens: Sequence[str], candidates: Iterable[tuple[Id, Mapping[str, int], int]]
) -> dict[Id, float]:
    """The share in [0, 1] of the question's idf mass that each candidate (id, {token: tf}, length) holds.

    BM25 (k1 = 1.2, b = 0.75) / Σ idf over all query tokens, capped at 1. Document frequencies are counted
    within the candidates; a token that none of them holds keeps its high idf in the denominator, so that one
    weak word out of five never looks like a full hit.
    """
    rows = list(candidates)
    tokens = list(dict.fromkeys(query_tokens))
    if not rows or not tokens:
        return {row_id: 0.0 for row_id, _, _ in rows}
    holders = {token: sum(1 for _, frequencies, _ in rows if frequencies.get(token)) for token in tokens}
    idf = {token: math.log(1 + (len(rows) - df + 0.5) / (df + 0.5)) for token, df in holders.items()}
    mass = sum(idf.values())
    average = sum(length for _, _, length in rows) / len(rows) or 1.0
    return {
        row_id: min(_bm25(frequencies, length / average, idf) / mass, 1.0)
        for row_id, frequencies, length in rows
    }


def _bm25(frequencies: Mapping[str, int], relative_length: float, idf: Mapping[str, float]) -> float:
    saturation = K1 * (1 - B + B * relative_length)
    return sum(
        weight * frequency * (K1 + 1) / (frequency + saturation)
        for token, weight in idf.items()
        if (frequency := frequencies.get(token, 0))
    )


def meaning_score(cosine: float, covered: float) -> float:
    """`clip((cosine + 0.45 · cover) / 1.45, 0, 1)`."""
    return min(max((cosine + COVER_WEIGHT * covered) / (1 + COVER_WEIGHT), 0.0), 1.0)
