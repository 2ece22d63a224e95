"""Any OpenAI-compatible `/v1/embeddings` endpoint. A retry belongs to the job that fills missing vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from memoryhub.language.embedders.interface import MAX_BATCH, MAX_DIMS, EmbeddingUnavailable, Vectors, checked
from memoryhub.language.embedders.window import embeddable
from memoryhub.language.endpoints import parse_endpoint
from memoryhub.language.exchange import ExchangeFailed, Provider, post_json


class EndpointEmbedder:
    """`url` is the base that ends in /v1; it must be one that `endpoints` allows. The key is sent in one header and shown nowhere."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        dims: int,
        key: str = "",
        timeout: float = 10.0,
        ask_for_dims: bool = False,
        allow_private: bool = False,
    ) -> None:
        if not 1 <= dims <= MAX_DIMS:
            raise ValueError(f"an embedding has 1 to {MAX_DIMS} dimensions")
        self._provider = Provider(
            endpoint=parse_endpoint(url), model=model, key=key, timeout=timeout, allow_private=allow_private
        )
        self._ask_for_dims = ask_for_dims
        self.dims = dims

    @property
    def name(self) -> str:
        """Host, model and dimensions: the same model behind two hosts may be two builds."""
        return f"openai:{self._provider.endpoint.host}:{self._provider.model}:{self.dims}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims)."""
        batches = [self._post(texts[start : start + MAX_BATCH]) for start in range(0, len(texts), MAX_BATCH)]
        return np.concatenate(batches) if batches else np.empty((0, self.dims), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,)."""
        vector: Vectors = self._post([text])[0]
        return vector

    def _post(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {
            "model": self._provider.model,
            "input": [embeddable(text) for text in texts],
        }
        if self._ask_for_dims:
            body["dimensions"] = self.dims
        try:
            answer = post_json(self._provider, "/embeddings", body)
        except ExchangeFailed as error:
            raise EmbeddingUnavailable(
                f"the embedding endpoint failed: {error.code}", code=error.code, retry_after=error.retry_after
            ) from error
        return checked(_rows(answer, len(texts)), count=len(texts), dims=self.dims)


def _rows(answer: Any, count: int) -> list[Any]:
    """The vectors in the order of the texts, by their `index`, each index exactly once."""
    try:
        numbered = {int(row["index"]): row["embedding"] for row in answer["data"]}
        given = len(answer["data"])
    except (KeyError, TypeError, ValueError) as error:
        raise EmbeddingUnavailable(
            "the embedding endpoint sent an answer of another shape", code="answer_not_json"
        ) from error
    if given != count or sorted(numbered) != list(range(count)):
        raise EmbeddingUnavailable(
            f"the embedding endpoint sent {given} vectors for {count} texts", code="wrong_count"
        )
    return [numbered[index] for index in range(count)]
