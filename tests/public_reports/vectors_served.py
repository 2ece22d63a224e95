"""An embeddings endpoint over real HTTP whose vectors tell which text they were made from."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from memoryhub.models import EmbeddingModel, Owner, SearchEntry, SearchVector
from tests.model_server import Reply


def vector_of(text: str, dims: int) -> list[float]:
    """A vector that tells whose it is."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return [round(float(number), 4) for number in np.random.default_rng(seed).normal(size=dims)]


def answer(texts: list[str], dims: int) -> Reply:
    rows = [{"index": place, "embedding": vector_of(text, dims)} for place, text in enumerate(texts)]
    return Reply(raw=json.dumps({"data": rows}).encode())


def live_texts(owner: Owner) -> set[str]:
    """Texts of everything that has to have a vector."""
    entries = SearchEntry.objects.of(owner.id).filter(known_until=None, cleared=True)
    return set(entries.values_list("text", flat=True))


def stored_vectors(owner: Owner, model: str) -> dict[str, np.ndarray[Any, Any]]:
    """Text of each entry that has a vector of this model, with the vector as it is stored."""
    rows = SearchVector.objects.of(owner.id).filter(model__name=model)
    texts = dict(SearchEntry.objects.of(owner.id).values_list("id", "text"))
    return {texts[row.entry_id]: np.asarray(row.v, dtype=np.float64) for row in rows}


def assert_vectors_belong_to_their_texts(owner: Owner, model: str) -> None:
    dims = EmbeddingModel.objects.get(name=model).dims
    for text, vector in stored_vectors(owner, model).items():
        expected = np.asarray(vector_of(text, dims))
        assert vector.shape == (dims,)
        assert vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected) > 0.999
