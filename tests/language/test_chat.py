"""A chat endpoint over real HTTP: what is sent, what comes back, and how long a bad one is put up with."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from memoryhub.language.chat import ChatClient, ChatUnavailable
from memoryhub.language.endpoints import parse_endpoint
from memoryhub.language.exchange import Provider
from tests.model_server import KEY, ModelServer, Reply, running_model_server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with running_model_server() as running:
        yield running


def client_of(server: ModelServer, **changes: Any) -> ChatClient:
    timeout = changes.pop("timeout", 5.0)
    provider = Provider(
        endpoint=parse_endpoint(server.url), model="m-1", key=KEY, timeout=timeout, allow_private=True
    )
    return ChatClient(provider=provider, **changes)


def test_it_sends_what_an_openai_compatible_endpoint_expects(server: ModelServer) -> None:
    server.say("[1]")
    client = client_of(server, options=(("temperature", 0),), price_prompt=2.0, price_completion=10.0)
    answer = client.ask(instructions="be brief", question="什么？")
    assert (answer.text, answer.fault, answer.prompt_tokens, answer.completion_tokens) == ("[1]", "", 100, 20)
    assert client.cost(1_000_000, 100_000) == 3.0
    path, headers, body = server.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "m-1", "temperature": 0, "stream": False,
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "什么？"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply(text=""), "answer_empty"),
        (Reply(text=" \n"), "answer_empty"),
        (Reply(text=None), "answer_empty"),
        (Reply(text=None, refusal="I can't help with that."), "answer_refused"),
        (Reply(text="[", finish="content_filter"), "answer_refused"),
        (Reply(text="[", finish="length"), "answer_cut_off"),
        (Reply(status=400), "request_refused"),
        (Reply(status=413), "request_refused"),
        (Reply(status=422), "request_refused"),
    ],
)
def test_an_answer_that_is_no_use_says_why_and_is_not_asked_for_again(
    server: ModelServer, reply: Reply, fault: str
) -> None:
    server.replies = [reply]
    assert client_of(server).ask(instructions="i", question="q").fault == fault
    assert len(server.seen) == 1


def test_parts_of_text_are_joined_and_missing_counts_are_counted_here(server: ModelServer) -> None:
    server.replies = [
        Reply(raw=b'{"choices": [{"message": {"content": [{"type": "text", "text": "[1"}, {"text": "]"}]}}]}')
    ]
    answer = client_of(server).ask(instructions="i", question="q")
    assert answer.text == "[1]"
    assert answer.prompt_tokens > 0 and answer.completion_tokens > 0


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500),
        Reply(status=503, headers={"Retry-After": "1"}),
        Reply(status=429, headers={"Retry-After": "1"}),
        Reply(status=408),
        Reply(cut=True),
        Reply(raw=b"<html>gateway</html>"),
        Reply(raw=b'{"error": {"message": "overloaded"}}'),
        Reply(raw=b'{"choices": []}'),
        Reply(raw=b""),
    ],
)
def test_what_may_pass_is_tried_again(server: ModelServer, reply: Reply) -> None:
    server.replies = [reply, Reply(text="[]")]
    start = time.monotonic()
    assert client_of(server).ask(instructions="i", question="q").text == "[]"
    assert len(server.seen) == 2
    assert time.monotonic() - start >= float(reply.headers.get("Retry-After", 0.2))


@pytest.mark.parametrize(
    ("reply", "code", "asked"),
    [
        (Reply(status=500), "http_500", 3),
        (Reply(status=401), "http_401", 1),
        (Reply(status=404), "http_404", 1),
        (Reply(status=302, headers={"Location": "http://127.0.0.1:1/"}), "http_302", 1),
        (Reply(status=429, headers={"Retry-After": "60"}), "http_429", 1),
        (Reply(cut=True), "answer_not_json", 3),
        (Reply(wait=4), "timeout", 1),
        (Reply(drip=True), "timeout", 1),
    ],
)
def test_it_gives_up_in_time_and_says_why(server: ModelServer, reply: Reply, code: str, asked: int) -> None:
    server.script = lambda body: reply
    start = time.monotonic()
    with pytest.raises(ChatUnavailable, match=code) as caught:
        client_of(server, timeout=2.5).ask(instructions="i", question="q")
    assert time.monotonic() - start < 3.5
    assert len(server.seen) == asked
    assert KEY not in repr(caught.value)
    assert caught.value.retry_after == (60.0 if "Retry-After" in reply.headers else None)


def test_nobody_listening_is_unavailable() -> None:
    provider = Provider(
        endpoint=parse_endpoint("http://127.0.0.1:9/v1"), model="m", timeout=3, allow_private=True
    )
    with pytest.raises(ChatUnavailable, match="connection"):
        ChatClient(provider=provider).ask(instructions="i", question="q")
