"""An OpenAI-compatible endpoint over real HTTP, and what happens when it answers nonsense."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from memoryhub.language.embedders import EmbeddingUnavailable, embed_each
from memoryhub.language.embedders.endpoint import EndpointEmbedder
from memoryhub.language.embedders.metering import charged_to, note_all
from memoryhub.models import ModelUsage
from tests.builders import make_workspace


class Provider(BaseHTTPRequestHandler):
    """Answers each text with a vector of its length; `server.fault` chooses how it misbehaves."""

    server: ProviderServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, dict(self.headers), body))
        rows = [
            {"index": n, "embedding": [float(len(text)), 1.0, 2.0]} for n, text in enumerate(body["input"])
        ]
        self.answer(200, self.misbehave(rows, body["input"]))

    def misbehave(self, rows: list[dict[str, Any]], texts: list[str]) -> bytes:
        match self.server.fault:
            case "four_for_five" if len(rows) == 5:
                rows.pop(2)
            case "third_fails" if any(text == "third" for text in texts):
                rows = []
            case "same_index":
                rows[-1]["index"] = 0
            case "wrong_dims":
                rows[0]["embedding"] = [1.0]
            case "nan":
                rows[0]["embedding"] = [float("nan"), 1.0, 1.0]
            case "zero":
                rows[0]["embedding"] = [0.0, 0.0, 0.0]
            case "words":
                rows[0]["embedding"] = ["a", "b", "c"]
            case "no_data":
                return b'{"error": "quota"}'
            case "no_json":
                return b"<html>"
        rows.reverse()
        usage = {"usage": {"prompt_tokens": 7 * len(texts)}} if self.server.fault == "counts" else {}
        return json.dumps({"data": rows, **usage}).encode()

    def answer(self, status: int, body: bytes) -> None:
        status = {"down": 503, "redirect": 302}.get(self.server.fault, status)
        self.send_response(status)
        self.send_header("Location", "http://elsewhere.invalid/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Quiet."""


class ProviderServer(ThreadingHTTPServer):
    fault = ""
    seen: list[tuple[str, dict[str, str], dict[str, Any]]]


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    server = ProviderServer(("127.0.0.1", 0), Provider)
    server.seen = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def embedder_of(provider: ProviderServer, **changes: Any) -> EndpointEmbedder:
    settings: dict[str, Any] = {
        "model": "m",
        "dims": 3,
        "key": "sk-secret",
        "timeout": 5.0,
        "allow_private": True,
    }
    settings |= changes
    return EndpointEmbedder(url=f"http://127.0.0.1:{provider.server_address[1]}/v1/", **settings)


def test_vectors_belong_to_their_texts_whatever_the_order_of_the_answer(provider: ProviderServer) -> None:
    vectors = embedder_of(provider).embed_passages(["a", "bbbb", "ccccccccc"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert vectors[0][0] < vectors[1][0] < vectors[2][0]
    path, headers, body = provider.seen[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer sk-secret"
    assert body == {"model": "m", "input": ["a", "bbbb", "ccccccccc"]}


def test_texts_are_sent_in_batches_of_32(provider: ProviderServer) -> None:
    assert embedder_of(provider).embed_passages(["text"] * 70).shape == (70, 3)
    assert [len(body["input"]) for _, _, body in provider.seen] == [32, 32, 6]


def test_dimensions_are_asked_for_when_told_so(provider: ProviderServer) -> None:
    embedder_of(provider, ask_for_dims=True).embed_query("a")
    assert provider.seen[0][2]["dimensions"] == 3


@pytest.mark.parametrize(
    "fault",
    ["same_index", "wrong_dims", "nan", "zero", "words", "no_data", "no_json", "down", "redirect"],
)
def test_a_wrong_answer_is_refused_and_never_shows_the_key(provider: ProviderServer, fault: str) -> None:
    provider.fault = fault
    with pytest.raises(EmbeddingUnavailable) as caught:
        embedder_of(provider).embed_passages(["a", "b"])
    assert "sk-secret" not in repr(caught.value)


def test_four_vectors_for_five_texts_are_an_error_and_then_tried_one_by_one(provider: ProviderServer) -> None:
    provider.fault = "four_for_five"
    embedder = embedder_of(provider)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]
    with pytest.raises(EmbeddingUnavailable):
        embedder.embed_passages(texts)
    results = embed_each(embedder, texts)
    for text, result in zip(texts, results, strict=True):
        assert result is not None
        assert np.array_equal(result, embedder.embed_passages([text])[0])


def test_a_failing_text_costs_only_its_own_vector(provider: ProviderServer) -> None:
    provider.fault = "third_fails"
    results = embed_each(embedder_of(provider), ["a", "b", "third", "d", "e"])
    assert [result is None for result in results] == [False, False, True, False, False]


def test_a_dead_provider_is_not_asked_for_every_text(provider: ProviderServer) -> None:
    provider.fault = "down"
    assert embed_each(embedder_of(provider), ["text"] * 100) == [None] * 100
    assert len(provider.seen) <= 5


def test_nobody_listening_is_unavailable() -> None:
    with pytest.raises(EmbeddingUnavailable):
        EndpointEmbedder(
            url="http://127.0.0.1:9/v1", model="m", dims=3, timeout=2, allow_private=True
        ).embed_query("a")


@pytest.mark.parametrize(
    ("url", "dims"), [("file:///etc/passwd", 3), ("http://x/v1", 1_025), ("http://x/v1", 0)]
)
def test_an_impossible_endpoint_is_refused_at_start(url: str, dims: int) -> None:
    with pytest.raises(ValueError, match=r"embedding|refused"):
        EndpointEmbedder(url=url, model="m", dims=dims)


def test_what_it_costs_is_put_to_the_account_of_the_workspace(
    provider: ProviderServer, committing_db: str
) -> None:
    ours, theirs = make_workspace(), make_workspace()
    embedder = embedder_of(provider, price=2.0)
    embedder.embed_query("nobody's")
    with charged_to(theirs.id):
        embedder.embed_query("how many tokens is this")
    provider.fault = "counts"
    with charged_to(ours.id):
        embedder.embed_passages(["one", "two"])
        embedder.embed_query("three")
        provider.fault = "nan"
        with pytest.raises(EmbeddingUnavailable):
            embedder.embed_query("four")
    note_all()
    rows = ModelUsage.objects.order_by("purpose")
    assert [
        (row.purpose, row.calls, row.failures, row.prompt_tokens, float(row.cost))
        for row in rows.filter(workspace=ours)
    ] == [("embed_passages", 1, 0, 14, 0.000028), ("embed_queries", 2, 1, 8, 0.000016)]
    counted = rows.get(workspace=theirs)
    assert (counted.model, counted.prompt_tokens) == ("127.0.0.1:m", 5)
