"""One POST of JSON to a model provider and one JSON answer, over the standard library's HTTP.

Redirects are not followed: they would carry the key to another host. The key is sent in one header and appears in no error, log line
or repr. The time limit is for the whole exchange: a server that sends one byte a second does not hold a worker.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from memoryhub.language.endpoints import Endpoint, EndpointRefused, open_connection

MAX_ANSWER_BYTES = 64 * 1024 * 1024
LONGEST_RETRY_AFTER = 3_600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """Where to ask, as whom. `timeout` in seconds, for one exchange as a whole."""

    endpoint: Endpoint
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 10.0
    allow_private: bool = False


class ExchangeFailed(Exception):
    """No usable answer. `code`: timeout, connection, endpoint_refused, http_<status>, answer_too_large, answer_not_json."""

    def __init__(self, code: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.retry_after = retry_after


def post_json(provider: Provider, path: str, body: Any, *, timeout: float | None = None) -> Any:
    """The JSON answer to `body` at the endpoint's path plus `path`. Raises ExchangeFailed."""
    limit = provider.timeout if timeout is None else timeout
    try:
        with _connected(provider, limit) as (connection, overdue):
            try:
                status, retry_after, content = _ask(connection, provider, path, body)
            except (OSError, http.client.HTTPException, ValueError) as error:
                is_late = overdue.is_set() or isinstance(error, TimeoutError)
                raise ExchangeFailed("timeout" if is_late else "connection") from error
            if overdue.is_set():
                raise ExchangeFailed("timeout")
    except EndpointRefused as error:
        raise ExchangeFailed("endpoint_refused") from error
    except OSError as error:
        raise ExchangeFailed("timeout" if isinstance(error, TimeoutError) else "connection") from error
    if status != http.client.OK:
        raise ExchangeFailed(f"http_{status}", status=status, retry_after=retry_after)
    if len(content) > MAX_ANSWER_BYTES:
        raise ExchangeFailed("answer_too_large")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ExchangeFailed("answer_not_json") from error


@contextmanager
def _connected(
    provider: Provider, limit: float
) -> Iterator[tuple[http.client.HTTPConnection, threading.Event]]:
    """An open connection that is cut when the time is over, whatever it is doing; the event says that it was."""
    connection = open_connection(provider.endpoint, timeout=limit, allow_private=provider.allow_private)
    overdue = threading.Event()
    watch = threading.Timer(limit, lambda: _cut(opened, overdue))
    watch.daemon = True
    try:
        connection.connect()
        # The connection lets go of its socket when the server means to close it; the answer is still read from it.
        opened = connection.sock
        watch.start()
        yield connection, overdue
    finally:
        watch.cancel()
        connection.close()


def _cut(opened: socket.socket, overdue: threading.Event) -> None:
    overdue.set()
    with suppress(OSError):
        opened.shutdown(socket.SHUT_RDWR)


def _ask(
    connection: http.client.HTTPConnection, provider: Provider, path: str, body: Any
) -> tuple[int, float | None, bytes]:
    headers = {
        "Host": provider.endpoint.header_host,
        "Content-Type": "application/json",
        "Accept": "application/json",
    }
    if provider.key:
        headers["Authorization"] = f"Bearer {provider.key}"
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    connection.request("POST", f"{provider.endpoint.path}{path}", content, headers)
    response = connection.getresponse()
    return response.status, _seconds(response.getheader("Retry-After")), response.read(MAX_ANSWER_BYTES + 1)


def _seconds(header: str | None) -> float | None:
    """Retry-After in seconds; a date is not worth reading, for clocks differ."""
    if header is None or not header.strip().isdecimal():
        return None
    return min(float(header), LONGEST_RETRY_AFTER)
