"""An embedder behind the breaker: left alone while it does not answer, and its state there for everybody to see."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from memoryhub.language.breaker import TRIP_AFTER, note_failure
from memoryhub.language.embedders import EmbeddingUnavailable, Vectors
from memoryhub.language.embedders.watched import WatchedEmbedder
from memoryhub.models import ProviderState

pytestmark = pytest.mark.django_db


class Endpoint:
    """Answers or fails as it is told to; counts how often it was asked."""

    name = "openai:models.example:e-1:4"
    dims = 4

    def __init__(self) -> None:
        self.asked = 0
        self.fault = ""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += 1
        if self.fault:
            raise EmbeddingUnavailable("no", code=self.fault)
        return np.ones((len(texts), 4), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed_passages([text])[0]
        return vector


@pytest.fixture
def endpoint() -> Endpoint:
    return Endpoint()


def fails(watched: WatchedEmbedder, times: int) -> None:
    for _ in range(times):
        with pytest.raises(EmbeddingUnavailable):
            watched.embed_query("tea")


def test_after_failures_in_a_row_nobody_waits_for_it(endpoint: Endpoint) -> None:
    watched = WatchedEmbedder(endpoint)
    endpoint.fault = "timeout"
    fails(watched, TRIP_AFTER)
    assert ProviderState.objects.get(name=endpoint.name).error_code == "timeout"
    fails(watched, 10)
    assert endpoint.asked == TRIP_AFTER
    with pytest.raises(EmbeddingUnavailable) as left_alone:
        WatchedEmbedder(endpoint).embed_passages(["tea"])
    assert left_alone.value.code == "paused"


def test_when_the_pause_is_over_one_asks_and_its_answer_closes_the_breaker(endpoint: Endpoint) -> None:
    watched = WatchedEmbedder(endpoint)
    endpoint.fault = "http_500"
    fails(watched, TRIP_AFTER)
    ProviderState.objects.update(open_until=timezone.now() - timedelta(seconds=1))
    endpoint.fault = ""
    assert watched.embed_query("tea").shape == (4,)
    row = ProviderState.objects.get(name=endpoint.name)
    assert (row.failures, row.open_until, row.error_code) == (0, None, "")


def test_an_answer_after_a_failure_is_noted_at_once_and_then_only_now_and_again(endpoint: Endpoint) -> None:
    watched = WatchedEmbedder(endpoint)
    endpoint.fault = "http_500"
    fails(watched, 1)
    endpoint.fault = ""
    watched.embed_query("tea")
    assert ProviderState.objects.get(name=endpoint.name).failures == 0
    first = ProviderState.objects.get(name=endpoint.name).answered_at
    watched.embed_query("tea")
    assert ProviderState.objects.get(name=endpoint.name).answered_at == first


def test_what_another_process_found_out_counts_here(endpoint: Endpoint) -> None:
    watched = WatchedEmbedder(endpoint)
    note_failure(endpoint.name, code="http_429", retry_after=60)
    fails(watched, 1)
    assert endpoint.asked == 0
