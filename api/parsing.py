"""JSON as we accept it: bounded in size and depth, one value per key, finite numbers, text that PostgreSQL can keep."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, NoReturn

from rest_framework.parsers import BaseParser

from memoryhub.exceptions import InvalidInput, TooLarge

MAX_BODY_BYTES = 1024 * 1024
MAX_BATCH_BODY_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 20
LARGEST_INTEGER = 2**63 - 1

# A string that never ends runs to the end of the body, so that no quote is looked at twice.
STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
NUL = "\x00"
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """Raises InvalidInput (400) or TooLarge (413), each with the code of the broken rule."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        view = (parser_context or {}).get("view")
        limit: int = getattr(view, "max_body_bytes", MAX_BODY_BYTES)
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(
                f"a body has at most {limit} bytes", field="", code="body_too_large", details={"limit": limit}
            )
        return decode(body)


def decode(body: bytes) -> Any:
    """The value of a JSON text."""
    refuse_depth(body)
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except InvalidInput:
        raise
    except (ValueError, RecursionError):
        raise InvalidInput("the body is not a JSON text in UTF-8", field="", code="malformed_json") from None


def refuse_depth(body: bytes) -> None:
    """Raise InvalidInput when brackets are nested deeper than MAX_DEPTH; linear, before anything is built."""
    depth = 0
    for token in STRING_OR_BRACKET.finditer(body):
        opening = body[token.start()]
        if opening in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise InvalidInput(
                    f"JSON is nested at most {MAX_DEPTH} deep",
                    field="",
                    code="too_deep",
                    details={"limit": MAX_DEPTH},
                )
        elif opening in b"]}":
            depth -= 1


def refuse_unstorable_text(value: Any) -> None:
    """Raise InvalidInput naming the place of the first NUL or lone surrogate, in a key or a value."""
    for path, text in _texts(value, ""):
        if NUL in text:
            raise InvalidInput("text may not contain U+0000", field=path, code="nul_character")
        if LONE_SURROGATE.search(text):
            raise InvalidInput("text may not contain a lone surrogate", field=path, code="lone_surrogate")


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            # A key that cannot be stored cannot be named either; its object is.
            yield path, key
            yield from _texts(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{index}]")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InvalidInput("a key occurs twice in one object", field=_showable(twice), code="duplicate_key")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is not a JSON number", field="", code="not_a_finite_number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise InvalidInput("a number is too large", field="", code="not_a_finite_number")
    return value


def _integer(digits: str) -> int:
    value = int(digits) if len(digits) <= 20 else LARGEST_INTEGER + 1
    if abs(value) > LARGEST_INTEGER:
        raise InvalidInput("an integer has at most 63 bits", field="", code="number_out_of_range")
    return value


def _showable(text: str) -> str:
    return LONE_SURROGATE.sub("\ufffd", text.replace(NUL, "\ufffd"))[:200]
