"""A file as text and passages. Markup and PDF are read in a process of their own; plain text and Markdown right here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from memoryhub.knowledge.blocks import markdown_blocks, plain_blocks
from memoryhub.knowledge.decoding import decode
from memoryhub.knowledge.limits import MOST_BYTES, FileRefused, check_length
from memoryhub.knowledge.passages import Passage, cut_passages
from memoryhub.writing.masking import mask_secrets

SECONDS = 45
"""Longest wait for the reading process. Its CPU time is bounded more closely; the rest is for a busy machine."""
HOSTILE = frozenset({"html", "pdf"})
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """`text` is the whole text as Markdown, with secrets masked; `pages` is 0 where a file has none."""

    text: str
    passages: tuple[Passage, ...]
    pages: int = 0


def read_file(content: bytes, *, media: str) -> ReadFile:
    """The text of a file of kind `markdown`, `text`, `html` or `pdf`, cut into passages.

    Raises FileRefused: too large, too deep, encrypted, broken, not UTF-8, without text, or too complex to be read in time.
    """
    if len(content) > MOST_BYTES:
        raise FileRefused("file_too_large", f"a file has at most {MOST_BYTES:,} bytes", is_too_large=True)
    return _read_apart(content, media) if media in HOSTILE else read_here(content, media=media)


def read_here(content: bytes, *, media: str) -> ReadFile:
    """The same in this process."""
    if media == "pdf":
        from memoryhub.knowledge.pdf_text import pages_of

        pages = [mask_secrets(page)[0] for page in pages_of(content)]
        numbered = [(f"p. {number}", page) for number, page in enumerate(pages, start=1) if page]
        text = check_length("\n\n".join(f"[{name}]\n\n{page}" for name, page in numbered))
        blocks = (block for name, page in numbered for block in plain_blocks(page, [name]))
        return ReadFile(text, tuple(cut_passages(blocks)), len(pages))
    text = decode(content)
    if media == "html":
        from memoryhub.knowledge.html_markdown import markdown_of

        text = markdown_of(text)
    text = mask_secrets(check_length(text))[0]
    passages = tuple(cut_passages(plain_blocks(text) if media == "text" else markdown_blocks(text)))
    if not passages:
        raise FileRefused("no_text", "there is no text in it but headings")
    return ReadFile(text, passages)


def as_json(read: ReadFile) -> str:
    return json.dumps(asdict(read))


def _read_apart(content: bytes, media: str) -> ReadFile:
    command = [sys.executable, "-m", "memoryhub.knowledge.reading_process", media]
    environment = {"PATH": os.environ.get("PATH", ""), "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command,
            input=content,
            capture_output=True,
            timeout=SECONDS,
            cwd=_ROOT,
            env=environment,
            check=True,
        )
        answer = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        # Out of memory, out of time, or ended by the parser it fed: to whoever sent the file it is one thing.
        raise FileRefused("too_complex", "the file takes too long to read", is_too_large=True) from None
    if fault := answer.get("fault"):
        raise FileRefused(fault["code"], fault["message"], is_too_large=fault["is_too_large"])
    passages = (Passage(tuple(part["path"]), part["text"], part["tokens"]) for part in answer["passages"])
    return ReadFile(answer["text"], tuple(passages), answer["pages"])
