"""From bytes to text: UTF-8, or UTF-16 with its mark. Nothing is guessed and no character is dropped."""

from __future__ import annotations

import codecs
import re

from memoryhub.knowledge.limits import FileRefused

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def decode(content: bytes) -> str:
    """The text with line ends as \\n. Raises FileRefused (`not_utf8`, `nul_character`)."""
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise FileRefused("not_utf8", "the file is not UTF-8; save it in that encoding") from None
    if _UNSTORABLE.search(text):
        raise FileRefused("nul_character", "the file holds U+0000: it is not text")
    return text.replace("\r\n", "\n").replace("\r", "\n")
