"""Agents that call the API as real ones do: with a key, over Django's test client."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from memoryhub.keys import MintedKey


class AgentClient:
    """Sends JSON with one key. Answers are Django's, with `.json()`."""

    def __init__(self, minted: MintedKey | None) -> None:
        self.minted = minted
        self.client = Client(raise_request_exception=False)

    @property
    def workspace(self) -> Any:
        assert self.minted is not None
        return self.minted.key.agent.workspace

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: str) -> Any:
        return self.client.get(path, query or {}, headers=self._headers(headers))

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """`body` may be bytes, to send what is not JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        return self.client.generic(method, path, content, "application/json", headers=self._headers(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.send("DELETE", path, **headers)

    def _headers(self, given: dict[str, str]) -> dict[str, str]:
        headers = {name.replace("_", "-"): value for name, value in given.items()}
        if self.minted is not None:
            headers.setdefault("Authorization", f"Bearer {self.minted.token}")
        return headers


def error_of(answer: Any) -> dict[str, Any]:
    """The error of an answer, after checking its shape."""
    error: dict[str, Any] = answer.json()["error"]
    assert set(error) == {"code", "message", "field", "details", "request_id"}
    assert error["request_id"] == answer["X-Request-Id"]
    return error
