"""Any OpenAI-compatible `/v1/embeddings` endpoint. A retry belongs to the job that fills missing vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from memoryhub.language.embedders.interface import MAX_BATCH, MAX_DIMS, EmbeddingUnavailable, Vectors, checked
from memoryhub.language.embedders.metering import Purpose, note_call
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
        price: float = 0.0,
    ) -> None:
        if not 1 <= dims <= MAX_DIMS:
            raise ValueError(f"an embedding has 1 to {MAX_DIMS} dimensions")
        self._provider = Provider(
            endpoint=parse_endpoint(url), model=model, key=key, timeout=timeout, allow_private=allow_private
        )
        self._ask_for_dims = ask_for_dims
        self._price = price
        self.dims = dims

    @property
    def name(self) -> str:
        """Host, model and dimensions: the same model behind two hosts may be two builds."""
        return f"openai:{self._provider.endpoint.host}:{self._provider.model}:{self.dims}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims)."""
        batches = [
            self._post(texts[start : start + MAX_BATCH], "embed_passages")
            for start in range(0, len(texts), MAX_BATCH)
        ]
        return np.concatenate(batches) if batches else np.empty((0, self.dims), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,)."""
        vector: Vectors = self._post([text], "embed_queries")[0]
        return vector

    def _post(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        sent = [embeddable(text) for text in texts]
        body: dict[str, Any] = {"model": self._provider.model, "input": sent}
        if self._ask_for_dims:
            body["dimensions"] = self.dims
        try:
            answer = post_json(self._provider, "/embeddings", body)
        except ExchangeFailed as error:
            self._note(purpose, tokens=0, failed=True)
            raise EmbeddingUnavailable(
                f"the embedding endpoint failed: {error.code}", code=error.code, retry_after=error.retry_after
            ) from error
        tokens = _tokens(answer, sent)
        try:
            vectors = checked(_rows(answer, len(texts)), count=len(texts), dims=self.dims)
        except EmbeddingUnavailable:
            self._note(purpose, tokens=tokens, failed=True)
            raise
        self._note(purpose, tokens=tokens)
        return vectors

    def _note(self, purpose: Purpose, *, tokens: int, failed: bool = False) -> None:
        model = f"{self._provider.endpoint.host}:{self._provider.model}"
        note_call(model=model, purpose=purpose, tokens=tokens, price=self._price, failed=failed)


def _tokens(answer: Any, texts: Sequence[str]) -> int:
    """The provider's number or, where it names none, our own count."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    said = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 10_000_000:
        return said
    # The child process of a native embedder imports this module and needs no tokeniser.
    from memoryhub.language.counting import count_tokens

    return sum(count_tokens(text) for text in texts)


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
