"""A model provider that says what the test scripts, over real HTTP in threads of this process."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-1a2b3c4d5e6f7g8h9i0j"


@dataclass(kw_only=True)
class Reply:
    """One answer. `text` is what the model writes; the rest is how the provider misbehaves."""

    text: Any = "[]"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    refusal: str | None = None
    finish: str = "stop"
    raw: bytes | None = None
    """The whole body, in place of a completion."""
    wait: float = 0.0
    cut: bool = False
    """Half of the body, then the connection is closed."""
    drip: bool = False
    """One byte every 50 ms, for ever."""

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()


type Script = Callable[[dict[str, Any]], Reply]


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.server.reply_to(self.path, dict(self.headers), body)
        time.sleep(reply.wait)
        content = reply.body()
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self._write(reply, content)
        except OSError:
            self.close_connection = True

    def _write(self, reply: Reply, content: bytes) -> None:
        if reply.drip:
            while not self.server.is_over.wait(0.05):
                self.wfile.write(b" ")
        elif reply.cut:
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            self.wfile.write(content)

    def log_message(self, *arguments: Any) -> None:
        """Quiet."""


class ModelServer(ThreadingHTTPServer):
    """Answers with `replies` in turn, then with `script`. `seen` are the requests: path, headers, body."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        super().__init__(address, _Handler)
        self.replies: list[Reply] = []
        self.script: Script = lambda body: Reply()
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.is_over = threading.Event()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def events_seen(self) -> list[list[str]]:
        """The texts of the events in each request, as the model saw them."""
        return [[event["text"] for event in events_in(body)] for _, _, body in self.seen]

    def reply_to(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Reply:
        with self._lock:
            self.seen.append((path, headers, body))
            return self.replies.pop(0) if self.replies else self.script(body)

    def say(self, *texts: Any) -> None:
        """Queue answers in which the model writes these texts; what is not text is written as JSON."""
        self.replies += [
            Reply(text=text if isinstance(text, str | None) else json.dumps(text, ensure_ascii=False))
            for text in texts
        ]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests."""


def events_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a question."""
    return [json.loads(line) for line in body["messages"][1]["content"].splitlines()]


@contextmanager
def running_model_server(port: int = 0) -> Iterator[ModelServer]:
    """A server that listens on 127.0.0.1 until the end of the block."""
    server = ModelServer(("127.0.0.1", port))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def about_field(event: int, quote: str, form_type: str, name: str, value: Any, **more: Any) -> dict[str, Any]:
    """A sound entry for a field."""
    return {
        "event": event, "kind": "field", "form_type": form_type, "field": name, "value": value, "quote": quote,
        "confidence": 0.9, **more,
    }  # fmt: skip


def sentence(event: int, quote: str, content: str, **more: Any) -> dict[str, Any]:
    """A sound entry for a sentence."""
    return {
        "event": event, "kind": "semantic", "content": content, "quote": quote, "confidence": 0.9, **more,
    }  # fmt: skip
