"""How much of a file is taken, and the one way to say why it is not. No Django here: the reading process imports it."""

from __future__ import annotations

MOST_BYTES = 5 * 1024 * 1024
MOST_CHARACTERS = 1_000_000
MOST_PAGES = 300
MOST_PASSAGES = 5_000
MOST_NESTED = 100
PASSAGE_TOKENS = 200
"""A passage is to fit beside others into a recall's budget (800 tokens), and whole into the embedder's window (about 510)."""
MOST_UNIT_TOKENS = 2_000
"""A row of a table or an entry of a list is never cut; one over this is refused."""


class FileRefused(ValueError):
    """The file cannot be taken; `code` names the rule. `is_too_large` tells a limit of size from other faults."""

    def __init__(self, code: str, message: str, *, is_too_large: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.is_too_large = is_too_large


def check_length(text: str) -> str:
    """The text, when it has words and not too many of them."""
    if len(text) > MOST_CHARACTERS:
        raise FileRefused(
            "text_too_long", f"a document has at most {MOST_CHARACTERS:,} characters", is_too_large=True
        )
    if not text.strip():
        raise FileRefused("no_text", "there is no text in it; of a scanned page only a picture was kept")
    return text
