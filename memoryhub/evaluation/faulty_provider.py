"""A model provider that misbehaves as it is told to, over real HTTP: chat and embeddings, for the provider drill."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from memoryhub.language.embedders import Vectors

DIMS = 64
FAULTS = (
    "timeout", "http_429", "http_500", "cut_connection", "html_page", "half_an_answer", "refusal",
    "wrong_dimensions", "four_for_five", "not_a_number",
)  # fmt: skip
"""The last three are faults of embeddings alone, the two before them of chat alone; the other half of the provider works then."""

CHAT_ALONE = frozenset({"half_an_answer", "refusal"})
EMBEDDINGS_ALONE = frozenset({"wrong_dimensions", "four_for_five", "not_a_number"})
_AMOUNT = re.compile(r"\d+")


def vector_of(text: str) -> Vectors:
    """The one right vector of a text: 64 numbers made from its digest."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])
    made: Vectors = np.random.default_rng(seed).normal(size=DIMS).astype(np.float32)
    return made


class _Handler(BaseHTTPRequestHandler):
    server: FaultyProvider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_chat = self.path.endswith("/chat/completions")
        fault = self.server.fault_of(is_chat=is_chat)
        answer = _chat(body, fault) if is_chat else _embeddings(body, fault)
        if fault == "timeout":
            self.server.is_over.wait(self.server.patience)
        status = int(fault.removeprefix("http_")) if fault.startswith("http_") else 200
        content = (
            b"<html><body>Bad gateway</body></html>" if fault == "html_page" else json.dumps(answer).encode()
        )
        try:
            self._send(status, content, is_cut=fault == "cut_connection")
        except OSError:
            self.close_connection = True

    def _send(self, status: int, content: bytes, *, is_cut: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if is_cut else content)
        if is_cut:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

    def log_message(self, *arguments: Any) -> None:
        """Quiet."""


class FaultyProvider(ThreadingHTTPServer):
    """`fault` is "" or one of FAULTS; `patience` seconds a request waits in a timeout; `asked` counts by kind and fault."""

    daemon_threads = True

    def __init__(self, *, patience: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.patience = patience
        self.fault = ""
        self.asked = 0
        self.is_over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def fault_of(self, *, is_chat: bool) -> str:
        """The fault that this half of the provider has now."""
        self.asked += 1
        other_half = EMBEDDINGS_ALONE if is_chat else CHAT_ALONE
        return "" if self.fault in other_half else self.fault

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the drill."""


def _chat(body: dict[str, Any], fault: str) -> dict[str, Any]:
    """Reads the one thing the drill tells: whose budget is how much."""
    events = [json.loads(line) for line in body["messages"][1]["content"].splitlines()]
    entries = [
        {
            "event": event["event"], "kind": "field", "form_type": "user_profile", "field": "budget", "confidence": 0.9,
            "value": _AMOUNT.search(event["text"])[0], "quote": event["text"],  # type: ignore[index]
        }
        for event in events
    ]  # fmt: skip
    text = json.dumps(entries, ensure_ascii=False)
    message = {"role": "assistant", "content": text[: len(text) // 2] if fault == "half_an_answer" else text}
    if fault == "refusal":
        message = {"role": "assistant", "content": "", "refusal": "I cannot help with that."}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _embeddings(body: dict[str, Any], fault: str) -> dict[str, Any]:
    texts: list[str] = body["input"]
    rows = [{"index": place, "embedding": vector_of(text).tolist()} for place, text in enumerate(texts)]
    if fault == "four_for_five":
        # Never the number that was asked for, of one text too.
        rows = rows[:-1]
    for row in rows:
        if fault == "wrong_dimensions":
            row["embedding"] = [*row["embedding"], 0.5]
        elif fault == "not_a_number":
            row["embedding"] = [float("nan")] * DIMS
    return {"data": rows}


@contextmanager
def running_faulty_provider(*, patience: float) -> Iterator[FaultyProvider]:
    """A provider that listens on 127.0.0.1 until the end of the block."""
    provider = FaultyProvider(patience=patience)
    thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.is_over.set()
        provider.shutdown()
        thread.join()
        provider.server_close()
