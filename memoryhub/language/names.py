"""Names of people and things: one key for each, and the skeleton that tells look-alikes (after UTS #39, reduced to what names use)."""

from __future__ import annotations

import unicodedata

from memoryhub.language.values import normalise_value

_ALIKE = {
    ord(other): letter
    for letter, others in {
        "a": "аαɑ", "b": "ьв", "c": "сϲ", "d": "ԁ", "e": "еε", "g": "ɡԍ", "h": "һнհ", "i": "іιı", "j": "јϳ", "k": "кκ",
        "l": "ӏ1|ⅼ", "m": "м", "n": "ոη", "o": "оο0օ", "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ", "t": "тτ", "u": "սυ", "v": "ѵν",
        "w": "ԝω", "x": "хχ", "y": "уγ",
    }.items()
    for other in others
}  # fmt: skip
"""Small letters of other scripts and digits, and the Latin letter each looks like."""


def name_key(name: str) -> str:
    """Equal for spellings of one name: width, case, invisible characters, traditional characters and edges do not count."""
    return normalise_value(name, "text")


def skeleton(name: str) -> str:
    """Equal for names that look the same: 'pаypal' with a Cyrillic letter and 'paypal', 'B1O' and 'B10'."""
    marks_off = unicodedata.normalize("NFKD", name_key(name)).translate(_ALIKE)
    return "".join(c for c in marks_off if not unicodedata.combining(c))


def is_lookalike(name: str, other: str) -> bool:
    """Whether two names are different and look the same."""
    return name_key(name) != name_key(other) and skeleton(name) == skeleton(other)
