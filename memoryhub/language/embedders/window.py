"""How much of a text is embedded: one window. Cost is linear in length, so an uncapped text is an attack."""

from __future__ import annotations

from memoryhub.language.text import clean

WINDOW_TOKENS = 500
_EMPTY = "-"


def embeddable(text: str) -> str:
    """The cleaned beginning of a text that fits one window (about 700 Chinese or 2,000 English characters).

    Token costs are estimates on the high side: 0.25 for ASCII, 0.72 for Chinese, 1 for everything else. An
    empty text becomes a dash, because the models are not defined on nothing.
    """
    cleaned = clean(text[:8_000]).strip()
    spent = 0.0
    for index, character in enumerate(cleaned):
        spent += _cost(character)
        if spent > WINDOW_TOKENS:
            return cleaned[:index]
    return cleaned or _EMPTY


def _cost(character: str) -> float:
    if character < "\x80":
        return 0.25
    return 0.72 if "\u3400" <= character <= "\u9fff" else 1.0
