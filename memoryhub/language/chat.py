"""Any OpenAI-compatible chat endpoint: one question, one answer, with tries again while the provider is busy.

Two kinds of failure are kept apart. `ChatUnavailable`: the provider gave no answer; the same question may do later. `ChatAnswer` with
a `fault`: it answered, and the answer is no use (a refusal, nothing, cut off, a request it will not take).
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Literal

from memoryhub.language.counting import count_tokens
from memoryhub.language.endpoints import parse_endpoint
from memoryhub.language.exchange import ExchangeFailed, Provider, post_json

MOST_TRIES = 3
FIRST_WAIT = 0.4
"""Seconds before the second try; doubled for the third, and between half and the whole of it is waited."""

_REQUEST_REFUSED = frozenset({400, 413, 422})
_WORTH_ANOTHER_TRY = frozenset({"connection", "answer_not_json"})

type AnswerFault = Literal["", "answer_refused", "answer_empty", "answer_cut_off", "request_refused"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatAnswer:
    """What the model wrote. Tokens are the provider's numbers or, where it names none, our own count."""

    text: str
    fault: AnswerFault = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatUnavailable(Exception):
    """No answer can be had now. `code` says why; `retry_after` seconds, when the provider said so."""

    def __init__(self, code: str, *, retry_after: float | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.retry_after = retry_after


@dataclass(frozen=True, kw_only=True)
class ChatClient:
    """`options` are further members of each request."""

    provider: Provider
    options: tuple[tuple[str, Any], ...] = ()
    concurrency: int = 1
    price_prompt: float = 0.0
    price_completion: float = 0.0

    @property
    def name(self) -> str:
        """Host and model: what states and costs are kept by."""
        return f"{self.provider.endpoint.host}:{self.provider.model}"[:200]

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """In the currency of the settings' prices, which are per million tokens."""
        return (prompt_tokens * self.price_prompt + completion_tokens * self.price_completion) / 1_000_000

    def ask(self, *, instructions: str, question: str) -> ChatAnswer:
        """The answer within the provider's timeout, tries included. Raises ChatUnavailable. Never call it in a transaction."""
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
        body = {**dict(self.options), "model": self.provider.model, "messages": messages, "stream": False}
        end = time.monotonic() + self.provider.timeout
        for attempt in range(1, MOST_TRIES + 1):
            left = end - time.monotonic()
            try:
                return _read(post_json(self.provider, "/chat/completions", body, timeout=left), messages)
            except ExchangeFailed as error:
                if error.status in _REQUEST_REFUSED:
                    return ChatAnswer(text="", fault="request_refused")
                wait = _wait_before(attempt, error)
                if wait is None or time.monotonic() + wait >= end:
                    raise ChatUnavailable(error.code, retry_after=error.retry_after) from error
            time.sleep(wait)
        raise AssertionError("the last try either answers or raises")


def _wait_before(attempt: int, error: ExchangeFailed) -> float | None:
    """Seconds until the next try; None when another one would not help or was the last."""
    is_busy = error.status is not None and (error.status in (408, 429) or error.status >= 500)
    if attempt == MOST_TRIES or not (is_busy or error.code in _WORTH_ANOTHER_TRY):
        return None
    backoff = FIRST_WAIT * 2 ** (attempt - 1)
    # Workers that failed together should not come back together.
    return max(random.uniform(backoff / 2, backoff), error.retry_after or 0.0)  # noqa: S311


def _read(answer: Any, messages: list[dict[str, str]]) -> ChatAnswer:
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        text = _text_of(message.get("content"))
        refusal = message.get("refusal")
        finish = choice.get("finish_reason")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ExchangeFailed("answer_not_json") from error
    return ChatAnswer(
        text=text,
        fault=_fault(text, refusal=refusal, finish=finish),
        prompt_tokens=_tokens(answer, "prompt_tokens", *(message["content"] for message in messages)),
        completion_tokens=_tokens(answer, "completion_tokens", text),
    )


def _text_of(content: Any) -> str:
    """Plain text, or the text parts of a list of parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _fault(text: str, *, refusal: Any, finish: Any) -> AnswerFault:
    if refusal or finish == "content_filter":
        return "answer_refused"
    if not text.strip():
        return "answer_empty"
    return "answer_cut_off" if finish == "length" else ""


def _tokens(answer: dict[str, Any], name: str, *texts: str) -> int:
    usage = answer.get("usage")
    said = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 10_000_000:
        return said
    return sum(count_tokens(text) for text in texts)


def current_chat() -> ChatClient | None:
    """The client the settings name, or None when they name none; the only place here that reads settings."""
    from django.conf import settings

    if not (settings.CHAT_URL and settings.CHAT_MODEL):
        return None
    return ChatClient(
        provider=Provider(
            endpoint=parse_endpoint(settings.CHAT_URL),
            model=settings.CHAT_MODEL,
            key=settings.CHAT_KEY,
            timeout=settings.CHAT_TIMEOUT,
            allow_private=settings.PRIVATE_ENDPOINTS,
        ),
        options=tuple(settings.CHAT_OPTIONS.items()),
        concurrency=settings.CHAT_CONCURRENCY,
        price_prompt=settings.CHAT_PRICE_PROMPT,
        price_completion=settings.CHAT_PRICE_COMPLETION,
    )
