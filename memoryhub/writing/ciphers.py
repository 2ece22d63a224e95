"""Less common disguises: letters as numbers, spelling alphabets, Braille, pig latin, dropped vowels, turned word order, acrostics.

Each is tried only where the text gives cause for it; what comes out is one more reading of the text (`disguises`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

MOST_LETTERS = 4_000
MOST_TURNED = 400
"""Characters of a text whose words are read in turned order."""

_NUMBERS = re.compile(
    r"(?<![\d.])(?:(?:[1-9]|1\d|2[0-6])(?:[ ,.\-]{1,2}|\s*[/|]\s*)){9,400}(?:[1-9]|1\d|2[0-6])(?![\d.])"
)
_GAPS = re.compile(r"\D+")
_SPELT = dict(
    zip(
        "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec"
        " romeo sierra tango uniform victor whiskey xray x-ray yankee zulu".split(),
        "aabcdefghijjklmnopqrstuvwxxyz",
        strict=True,
    )
)
_SPELLING = re.compile(r"(?:\b[a-z-]{4,8}\b[\s,./-]{1,3}){7,300}\b[a-z-]{4,8}\b", re.IGNORECASE)
_BRAILLE = dict(zip(map(ord, "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵⠀"), "abcdefghijklmnopqrstuvwxyz ", strict=True))
_DOTS = re.compile("[\u2800-\u28ff]{4}")
_PIG_WORD = re.compile(r"\b([a-z]+?)-?([^aeiou\W]{0,4}|qu)(w?ay)\b", re.IGNORECASE)
_ENDS_IN_AY = re.compile(r"\b[a-z-]+ay\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+")
_VOWELS = re.compile("[aeiou]", re.IGNORECASE)
_KEY_WORDS = (
    "ignore disregard forget previous prior earlier above all the and your you rules instructions prompt system reveal show print"
    " tell send password user users owner never always approve transfer delete memory secret everything restrictions filters"
    " follow new now from mode admin developer recommend without asking checks"
)
_FIRST_WORDS = frozenset(
    "ignore disregard forget reveal show print tell send never always approve transfer delete follow from recommend you do override"
    " bypass act pretend output repeat obey please".split()
)
_COMMON = re.compile(
    r"\b(?:the|all|and|you|your|to|of|every|any|from|with|is|are|this|not|never|always)\b", re.IGNORECASE
)
_SKELETONS = {skeleton: word for word in _KEY_WORDS.split() if len(skeleton := _VOWELS.sub("", word)) >= 2}
_SPLIT_WORD = re.compile(r"(?<=[A-Za-z])[|/\\¦·](?=[A-Za-z])")
_SPLIT_WORDS = re.compile(r"(?<=[\w,.;:!?])\s+[|/\\¦·>~+]\s+(?=\w)")
_MIXED_IN = re.compile(r"(?:[\u3400-\u9fff][^\u3400-\u9fff\s,。，、]{1,2}){4,300}[\u3400-\u9fff]")
_NOT_CHINESE = re.compile(r"[^\u3400-\u9fff]+")
_BASE85 = re.compile(r"(?:<~)?[!-~]{24,4000}(?:~>)?")
_SHIFTED_47 = re.compile(r"[!-~]{3,}")


def deciphered(text: str) -> Iterator[str]:
    """Further readings of a normalised text; usually none."""
    yield from _letters(text)
    yield from _mended_words(text)
    if _MIXED_IN.search(text):
        yield _MIXED_IN.sub(lambda run: _NOT_CHINESE.sub("", run[0]), text)
    lines = text.split("\n")
    if len(lines) >= 8:
        yield "".join(line.strip()[:1] for line in lines)
    words = text.split()
    if len(words) >= 4 and len(text) <= MOST_TURNED and words[-1].casefold().strip(".,!") in _FIRST_WORDS:
        yield " ".join(reversed(words))


def _letters(text: str) -> Iterator[str]:
    """Numbers, spelling words or dots that stand for letters."""
    for run in _NUMBERS.finditer(text[:MOST_LETTERS]):
        yield _from_numbers(run[0])
    for run in _SPELLING.finditer(text[:MOST_LETTERS]):
        letters = [_SPELT.get(word.casefold(), "") for word in re.split(r"[\s,./]+", run[0])]
        if sum(map(bool, letters)) >= max(8, len(letters) * 3 // 4):
            yield "".join(letters)
    if _DOTS.search(text):
        yield text.translate(_BRAILLE)


def _from_numbers(run: str) -> str:
    """1 is a, 26 is z; the usual gap parts letters, any other one parts words."""
    gaps = _GAPS.findall(run)
    usual = max(set(gaps), key=gaps.count)
    letters = [chr(96 + int(number)) for number in re.findall(r"\d+", run)]
    ends = ["" if gap == usual else " " for gap in gaps] + [""]
    return "".join(letter + end for letter, end in zip(letters, ends, strict=True))


def _mended_words(text: str) -> Iterator[str]:
    """Words that are split by strokes, lack their vowels or are written in pig latin."""
    if len(_SPLIT_WORD.findall(text)) >= 3:
        yield _SPLIT_WORD.sub("", text)
    if len(_SPLIT_WORDS.findall(text)) >= 3:
        yield _SPLIT_WORDS.sub(" ", text)
    words = _WORD.findall(text[:MOST_LETTERS])
    bare = [word.casefold() for word in words if len(word) > 1 and not _VOWELS.search(word)]
    if sum(word in _SKELETONS for word in bare) >= 3:
        yield _WORD.sub(lambda word: _SKELETONS.get(word[0].casefold(), word[0]), text)
    if len(words) >= 4 and len(_ENDS_IN_AY.findall(text)) * 3 >= len(words) * 2:
        yield _PIG_WORD.sub(lambda word: _from_pig_latin(word, keeps_w=False), text)
        yield _PIG_WORD.sub(lambda word: _from_pig_latin(word, keeps_w=True), text)


def _from_pig_latin(word: re.Match[str], *, keeps_w: bool) -> str:
    start, moved, end = word.groups()
    return f"{moved}{'w' if keeps_w and end.startswith('w') else ''}{start}"


def packed(text: str) -> Iterator[str]:
    """What a run in base 85, or letters shifted by 47 places (ROT47), say; '' where they say nothing."""
    for run in list(_BASE85.finditer(text[:MOST_LETTERS]))[:10]:
        for decode in (base64.b85decode, base64.a85decode):
            try:
                yield decode(run[0].removeprefix("<~").removesuffix("~>")).decode()
            except ValueError:
                continue
    if text.isascii() and len(_SHIFTED_47.findall(text[:MOST_LETTERS])) >= 4:
        moved = "".join(
            chr(33 + (ord(sign) + 14) % 94) if "!" <= sign <= "~" else sign for sign in text[:MOST_LETTERS]
        )
        if len(_COMMON.findall(moved)) >= 2:
            yield moved
