"""Any OpenAI-compatible `/v1/embeddings` endpoint, over plain HTTP from the standard library.

One POST and one JSON answer need no client library; a retry belongs to the job that fills missing vectors.
"""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from memoryhub.language.embedders.interface import MAX_BATCH, MAX_DIMS, EmbeddingUnavailable, Vectors, checked
from memoryhub.language.embedders.window import embeddable

MAX_ANSWER_BYTES = 64 * 1024 * 1024


class EndpointEmbedder:
    """`url` is the base that ends in /v1. The key is sent in one header and shown nowhere."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        dims: int,
        key: str = "",
        timeout: float = 10.0,
        ask_for_dims: bool = False,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("the embedding endpoint must be an http or https URL")
        if not 1 <= dims <= MAX_DIMS:
            raise ValueError(f"an embedding has 1 to {MAX_DIMS} dimensions")
        self._parts = parts
        self._model = model
        self._key = key
        self._timeout = timeout
        self._ask_for_dims = ask_for_dims
        self.dims = dims

    @property
    def name(self) -> str:
        """Host, model and dimensions: the same model behind two hosts may be two builds."""
        return f"openai:{self._parts.hostname}:{self._model}:{self.dims}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, dims)."""
        batches = [self._post(texts[start : start + MAX_BATCH]) for start in range(0, len(texts), MAX_BATCH)]
        return np.concatenate(batches) if batches else np.empty((0, self.dims), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dims,)."""
        vector: Vectors = self._post([text])[0]
        return vector

    def _post(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {"model": self._model, "input": [embeddable(text) for text in texts]}
        if self._ask_for_dims:
            body["dimensions"] = self.dims
        answer = self._exchange(json.dumps(body).encode())
        return checked(_rows(answer, len(texts)), count=len(texts), dims=self.dims)

    def _exchange(self, body: bytes) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        connection = self._connection()
        try:
            connection.request("POST", f"{self._parts.path.rstrip('/')}/embeddings", body, headers)
            response = connection.getresponse()
            # Redirects are not followed: they would carry the key to another host.
            if response.status != http.client.OK:
                raise EmbeddingUnavailable(f"the embedding endpoint answered {response.status}")
            return json.loads(response.read(MAX_ANSWER_BYTES))
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise EmbeddingUnavailable(f"the embedding endpoint failed: {type(error).__name__}") from error
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        host, port = str(self._parts.hostname), self._parts.port
        if self._parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=context)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)


def _rows(answer: Any, count: int) -> list[Any]:
    """The vectors in the order of the texts, by their `index`, each index exactly once."""
    try:
        numbered = {int(row["index"]): row["embedding"] for row in answer["data"]}
        given = len(answer["data"])
    except (KeyError, TypeError, ValueError) as error:
        raise EmbeddingUnavailable("the embedding endpoint sent an answer of another shape") from error
    if given != count or sorted(numbered) != list(range(count)):
        raise EmbeddingUnavailable(f"the embedding endpoint sent {given} vectors for {count} texts")
    return [numbered[index] for index in range(count)]
