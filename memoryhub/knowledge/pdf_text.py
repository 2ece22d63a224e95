"""The text of a PDF, page by page. Runs in the reading process (`reading_process`)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from memoryhub.knowledge.limits import MOST_CHARACTERS, MOST_PAGES, FileRefused

_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def pages_of(content: bytes) -> list[str]:
    """One text per page. Raises FileRefused (`encrypted_file`, `too_many_pages`, `text_too_long`, `broken_file`)."""
    try:
        return list(_pages(content))
    except FileRefused:
        raise
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OSError):
        # What a damaged file makes a parser stumble over is not ours to list.
        raise FileRefused("broken_file", "the file is not a PDF that can be read") from None


def _pages(content: bytes) -> Iterator[str]:
    reader = PdfReader(io.BytesIO(content))
    if reader.is_encrypted:
        raise FileRefused("encrypted_file", "the file is encrypted; save it without a password")
    if len(reader.pages) > MOST_PAGES:
        raise FileRefused("too_many_pages", f"a file has at most {MOST_PAGES} pages", is_too_large=True)
    length = 0
    for page in reader.pages:
        text = _UNSTORABLE.sub("\ufffd", page.extract_text() or "")
        length += len(text)
        if length > MOST_CHARACTERS:
            raise FileRefused(
                "text_too_long", f"a document has at most {MOST_CHARACTERS:,} characters", is_too_large=True
            )
        yield _unwrapped(text)


def _unwrapped(text: str) -> str:
    """Lines that were broken to fit the page are joined: with nothing between Chinese characters, else with a space."""

    def glue(match: re.Match[str]) -> str:
        before, after = text[match.start() - 1], text[match.end()]
        return "" if _CJK.match(before) and _CJK.match(after) else " "

    return "\n\n".join(_WRAPPED.sub(glue, part) for part in [text]).strip()
