"""Length-prefixed messages between an embedder and its child process."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

MAX_FRAME = 64 * 1024 * 1024
_LENGTHS = struct.Struct(">II")


def write_frame(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """Write one message: a JSON header and raw bytes."""
    head = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(head), len(body)) + head + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message; EOFError when the other side is gone or does not speak this language."""
    head_length, body_length = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if head_length + body_length > MAX_FRAME:
        raise EOFError("not a frame")
    header = json.loads(_exactly(stream, head_length))
    return header, _exactly(stream, body_length)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    pieces = []
    while count:
        piece = stream.read(count)
        if not piece:
            raise EOFError
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
