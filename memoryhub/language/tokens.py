"""Lexical tokens for search: Chinese characters and bigrams, English stems, codes whole and in parts.

PostgreSQL gets them as ready literals, because its own parser would split `Node.js` and drop Chinese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import snowballstemmer

from memoryhub.language.quantities import find_numbers, plain_digits

type Token = tuple[str, list[int]]

MAX_DISTINCT_TOKENS = 4_000
MAX_QUERY_TOKENS = 128
MAX_TOKEN_CHARACTERS = 64
MAX_POSITIONS = 255  # PostgreSQL keeps no more than 255 positions per lexeme, none beyond 16,383
MAX_POSITION = 16_383

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_PIECE = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    rf"|(?P<word>[^\W_{CJK}]+(?:[-_.,:/@#&'’+]+[^\W_{CJK}]+)*(?:\+\+|\+|#)?)"
)
_PART = re.compile(rf"[^\W_{CJK}]+")
_CONTRACTION = re.compile(r"^([a-z]+)['’](?:s|re|ve|ll|d|m)$")
_NEGATED_AUXILIARY = re.compile(r"^[a-z]+n['’]t$")  # don't, can't: stop words all of them
_THOUSANDS = re.compile(r"^\d{1,3}(?:,\d{3})+$")

STOP_WORDS = frozenset(
    "a about am an and any are as at be been being but by can could did do does doing for from had "
    "has have having he her hers him his how i if in into is it its just me my no not of on or our ours "
    "she should so some than that the their theirs them then there these they this those to too up us "
    "very was we were what when where which while who whom whose why with would you your yours".split()
)

_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word))


@lru_cache(maxsize=20_000)
def _folded(text: str) -> str:
    """Lower case without accents, so that cafe finds Café."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def owner_prefix(search_no: int) -> str:
    """What stands before each token of one owner: base36 of the owner's number and a colon (73 → '21:')."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    number = search_no
    while number or not text:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
    return f"{text}:"


def lexical_tokens(text: str, *, prefix: str = "") -> list[Token]:
    """The distinct tokens of a text with their 1-based positions, in order of appearance, at most 4,000."""
    positions: dict[str, list[int]] = {}
    for position, token in _stream(text):
        places = positions.get(token)
        if places is None:
            if len(positions) >= MAX_DISTINCT_TOKENS:
                continue
            places = positions.setdefault(token, [])
        if len(places) < MAX_POSITIONS and (not places or places[-1] != position):
            places.append(position)
    return [(prefix + token, places) for token, places in positions.items()]


def query_tokens(text: str, *, prefix: str = "") -> list[str]:
    """The distinct tokens of a question (at most 128), cut by the same rules as stored text."""
    return [token for token, _ in lexical_tokens(text, prefix=prefix)[:MAX_QUERY_TOKENS]]


def token_length(tokens: Iterable[Token]) -> int:
    """The length of a text in tokens, as BM25 wants it."""
    return sum(len(places) for _, places in tokens)


def tsvector_literal(tokens: Iterable[Token]) -> str:
    """`'tok':1,4 'tok2':2`, to be bound as one parameter and cast with ::tsvector."""
    return " ".join(f"{_quoted(token)}:{','.join(map(str, places))}" for token, places in tokens)


def tsquery_literal(tokens: Sequence[str]) -> str:
    """`'a' | 'b'`, to be cast with ::tsquery; '' (which matches nothing) when there is no token."""
    return " | ".join(_quoted(token) for token in tokens)


def _quoted(token: str) -> str:
    escaped = token.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _stream(text: str) -> Iterable[tuple[int, str]]:
    """(position, token) for every token; tokens of one word share its position."""
    position = 0
    normal = unicodedata.normalize("NFKC", text)
    for match in _PIECE.finditer(normal):
        if match["cjk"]:
            for place, token in _chinese_tokens(match["cjk"]):
                yield min(position + place, MAX_POSITION), token
            position += len(match["cjk"])
        else:
            position += 1
            for token in _word_tokens(match["word"]):
                yield min(position, MAX_POSITION), token
    # A number in another notation is findable by its plain digits: 五十万, 50万 and 500k all as 500000.
    for number in find_numbers(normal):
        written = normal[number.start : number.end]
        if len(written) > 1 and plain_digits(number.value) != written:
            position += 1
            yield min(position, MAX_POSITION), plain_digits(number.value)[:MAX_TOKEN_CHARACTERS]


def _chinese_tokens(run: str) -> Iterable[tuple[int, str]]:
    for index, character in enumerate(run):
        yield index + 1, character
        if index + 1 < len(run):
            yield index + 1, run[index : index + 2]


def _word_tokens(word: str) -> Iterable[str]:
    folded = _folded(word)
    if _NEGATED_AUXILIARY.match(folded):
        return
    if match := _CONTRACTION.match(folded):
        folded = match[1]
    if folded.isalpha():
        if folded not in STOP_WORDS:
            yield _stem(folded)[:MAX_TOKEN_CHARACTERS]
        return
    if len(folded) <= MAX_TOKEN_CHARACTERS and not _THOUSANDS.match(folded):
        yield folded
    parts = _PART.findall(folded)
    if parts == [folded]:
        return
    for part in parts:
        if part not in STOP_WORDS:
            yield (_stem(part) if part.isalpha() else part)[:MAX_TOKEN_CHARACTERS]
