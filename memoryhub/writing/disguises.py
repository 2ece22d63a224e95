"""A text as a model might read it: disguises taken off, codes decoded. Each reading is screened; none is stored.

Normalising: NFKC, invisible characters dropped, hidden tag characters shown, look-alike letters of other scripts, traditional
Chinese as simplified. Further readings are added only where the text gives cause for them: letters set apart, digits for letters,
encoded runs (base64, base32, hex, escapes, character codes, Morse), shifted (Caesar, ROT13, Atbash), smuggled and reversed writing.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from urllib.parse import unquote

from memoryhub.language.simplified import simplified
from memoryhub.writing.ciphers import deciphered, packed

MAX_READ = 32_000
MAX_SQUASHED = 4_000
MOST_DECODED = 40
DEEPEST = 2
"""An encoded text may be encoded once more."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0100-\U000e01ef]"
)
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{6,4000}")
_ZERO_WIDTH_BITS = re.compile("[\u200b\u200c\u200d\u2060\ufeff]{32,32000}")
_QUOTED_PRINTABLE = re.compile(r"(?:=[0-9A-Fa-f]{2}){6,}")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_CJK = "\u3400-\u9fff"
_ALIKE = str.maketrans(
    "аАвВеЕкКмМнНоОрРсСтТуУхХіІјЈѕЅԁԛԝӏһԍՏոսօαΑβΒεΕηΗιΙκΚμΜνΝοΟρΡτΤυΥχΧγωɑɡɩıʟʀʏɪɢɴᴏᴇᴀʙᴄᴅꜰʜᴊᴋᴍᴘꞯꜱᴛᴜᴠᴡᴢ"
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏂᏃᏙᏚᏞᏟᏢᏦꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ丨",
    "aAbBeEkKmMhHoOpPcCtTyYxXiIjJsSdqwlhgSnuoaAbBeEnHiIkKuMvNoOpPtTuYxXywagiilryignoeabcdfhjkmpqstuvwz"
    "DRTiYAJEWMHGhZVSLCPKABCDEFGHIJKLMNOPRSTUVWXYZ|",
)
_OTHER_LETTERS = re.compile("[\u0370-\u058f]")
_LATIN = re.compile("[A-Za-z]")
_LETTER_SETS = (("\U0001f150", "A"), ("\U0001f170", "A"), ("\U0001f1e6", "A"))
_BLOCK_LETTERS = {
    ord(first) + place: chr(ord(letter) + place) for first, letter in _LETTER_SETS for place in range(26)
}
_UPSIDE_DOWN = str.maketrans("ɐqɔpǝɟƃɓɥᴉıɾʞlɯuodbɹsʇnʌʍxʎz", "abcdefgghiijklmnopqrstuvwxyz")
_FLIPPED = re.compile("[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]")

_APART = r"[\s.\-_*|/\\·•・~◆◇■□●○★☆▲△※→♥❤+\"'“”‘’「」『』()（）\[\]<>、:：;；,，=^#&`｜]"
_BETWEEN = r"[^A-Za-z0-9\u3400-\u9fff]"
_LETTERS_APART = re.compile(rf"(?<![A-Za-z])(?:[A-Za-z]{_BETWEEN}{{1,4}}){{4,400}}[A-Za-z](?![A-Za-z])")
_CHARACTERS_APART = re.compile(rf"(?:[{_CJK}]{_APART}{{1,6}}){{3,400}}[{_CJK}]")
_TORN = re.compile(r"<!--[^>]{0,60}-->|</?[A-Za-z][^>\n]{0,60}>|[*`~]{1,3}")
_GLUED = re.compile(r"([A-Za-z])[_/|](?=[A-Za-z])")
_HUMPS = re.compile(r"([a-z])(?=[A-Z])")
_TWICE = re.compile(r"(?:([A-Za-z])\1|[^A-Za-z]){12,4000}")
_WRAPPED = re.compile(r"(?:[A-Za-z0-9+/_-]{8,}\s+){1,400}[A-Za-z0-9+/_-]{4,}={0,2}\s*")
_OCTAL = re.compile(r"(?:\b[01][0-7]{2}\b[\s,\\]{1,2}){8,800}[01][0-7]{2}\b")
_STRING_SUM = re.compile(r"['\"“”]\s*[+&.]\s*['\"“”]")
_LEET = str.maketrans("0134578@$!|€£", "oieastbasilel")
_LEET_TOKEN = re.compile(r"(?<!\S)(?=\S*[0134578@$!|€])(?=\S*[A-Za-z])[A-Za-z0134578@$!|€£][\w@$!|€£.]*")

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4000}={0,2}")
_BASE32 = re.compile(r"\b[A-Z2-7]{24,2000}={0,6}")
_HEX = re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s,:;]?){10,2000}")
_ESCAPES = re.compile(r"\\u\{?([0-9A-Fa-f]{4,6})\}?|\\x([0-9A-Fa-f]{2})|U\+([0-9A-Fa-f]{4,6})\s?")
_DECIMALS = re.compile(r"(?:\b\d{2,3}\b[\s,;]{1,2}){8,800}\d{2,3}\b")
_BITS = re.compile(r"(?:[01]{8}\s?){8,400}")
_MORSE = re.compile(r"(?:[.\-·−–]{1,6}[ /|]{1,3}){10,800}[.\-·−–]{1,6}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_WORDS = re.compile(r"[A-Za-z]{3,}")
_COMMON = re.compile(
    r"\b(?:the|all|and|you|your|to|of|every|that|any|from|with|is|are|in|it|this|for|on|not|never|always|must)\b",
    re.IGNORECASE,
)
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_SHIFTS = [
    str.maketrans(_LOWER + _LOWER.upper(), other + other.upper())
    for other in (*(_LOWER[by:] + _LOWER[:by] for by in range(1, 26)), _LOWER[::-1])
]
_LONG_WORD = re.compile(r"\b[A-Za-z]{6,16}\b")
_KEY_WORDS = frozenset(
    "ignore previous instructions instruction disregard forget earlier system prompt reveal override bypass restrictions"
    " guidelines password everything approve memory delete recommend developer commands unrestricted jailbreak".split()
)
_SHUFFLED = {(word[0], word[-1], "".join(sorted(word))): word for word in _KEY_WORDS}
_ONE_LESS = {
    word[:place] + word[place + 1 :]: word
    for word in _KEY_WORDS
    if len(word) >= 8
    for place in range(1, len(word))
    if word[:place] + word[place + 1 :] not in _KEY_WORDS
}
_MORSE_LETTERS = dict(
    zip(
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(),
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)


def readings(text: str) -> tuple[str, ...]:
    """The normalised text, then each other way in which it may be read; without doubles, at most MAX_READ characters each."""
    plain = normalised(text[:MAX_READ])
    found = [plain, *_other_readings(plain), plain[::-1] if len(plain) <= MAX_SQUASHED else ""]
    layer = [text[:MAX_READ], plain]
    for _ in range(DEEPEST):
        layer = [normalised(piece) for source in dict.fromkeys(layer) for piece in _decoded(source)]
        found += layer
        found += [reading for piece in layer for reading in _other_readings(piece)]
    return tuple(dict.fromkeys(reading[:MAX_READ] for reading in found if reading.strip()))


def normalised(text: str) -> str:
    """NFKC, hidden characters shown or dropped, HTML entities, look-alike letters and accents; traditional as simplified."""
    if text.isascii():
        return html.unescape(text) if "&" in text else text
    shown = _TAGS.sub(lambda match: chr(max(ord(match[0]) - 0xE0000, 32)), text)
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", shown).translate(_BLOCK_LETTERS))
    if "&" in plain:
        plain = html.unescape(plain)
    return simplified(_without_accents(_in_latin(plain)))


def _in_latin(text: str) -> str:
    """Look-alike letters as Latin ones, but for words of a text that is written in their script."""
    alike = len(_OTHER_LETTERS.findall(text))
    if alike > len(_LATIN.findall(text)):
        return re.sub(
            r"\w+", lambda word: word[0].translate(_ALIKE) if _LATIN.search(word[0]) else word[0], text
        )
    return text.translate(_ALIKE)


def squashed(text: str) -> str:
    """The normalised text without blanks and hyphens, for words that are cut in pieces."""
    return re.sub(r"[\s\-.,_*]+", "", normalised(text[:MAX_SQUASHED]))


def _without_accents(text: str) -> str:
    if not any("\u00c0" <= character <= "\u024f" or _MARKS.match(character) for character in text):
        return text
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", _MARKS.sub("", apart))


def _other_readings(text: str) -> Iterator[str]:
    """The same text with letters joined, digits read as letters, shifted, turned round."""
    joined = _CHARACTERS_APART.sub(lambda match: re.sub(_APART, "", match[0]), text)
    joined = _LETTERS_APART.sub(lambda match: _join(match[0]), joined)
    joined = _STRING_SUM.sub("", joined)
    if joined != text:
        yield joined
    yield from _mended_layout(text)
    yield from deciphered(text)
    if len(_LEET_TOKEN.findall(text)) >= 2:
        for one in "il":
            yield _spelt_out(text, one)
    if (mended := _mended(text)) != text:
        yield mended
    if _FLIPPED.search(text):
        yield text[::-1].translate(_UPSIDE_DOWN)


def _mended_layout(text: str) -> Iterator[str]:
    """Words glued by case, underscores or slashes, torn by markup, or written with every letter twice."""
    if len(_TORN.findall(text)) >= 2:
        yield _TORN.sub("", text)
    if len(_GLUED.findall(text)) >= 3:
        yield _GLUED.sub(r"\1 ", text)
    if len(_HUMPS.findall(text)) >= 3:
        yield _HUMPS.sub(r"\1 ", text)
    if _TWICE.fullmatch(text):
        yield re.sub(r"([A-Za-z])\1", r"\1", text)
    if _WRAPPED.fullmatch(text):
        yield re.sub(r"\s+", "", text)


def _join(run: str) -> str:
    """Letters set apart as words: one mark between two letters is dropped, more of them part two words."""
    gaps = re.findall(rf"{_BETWEEN}+", run)
    usual = max(set(gaps), key=gaps.count)
    return re.sub(rf"{_BETWEEN}+", lambda gap: "" if gap[0] == usual else " ", run)


def _mended(text: str) -> str:
    """Words whose inner letters are shuffled, or that lack or have one letter too many, as the word that is meant."""
    return _LONG_WORD.sub(lambda match: _meant(match[0].casefold()) or match[0], text)


@lru_cache(maxsize=20_000)
def _meant(word: str) -> str:
    """The key word that a misspelt word stands for; '' for a word that is spelt right, or for none of them."""
    if word in _KEY_WORDS:
        return ""
    shuffled = _SHUFFLED.get((word[0], word[-1], "".join(sorted(word))))
    if shuffled:
        return shuffled
    shorter = (word[:place] + word[place + 1 :] for place in range(len(word)))
    return _ONE_LESS.get(word) or next((piece for piece in shorter if piece in _KEY_WORDS), "")


def _spelt_out(text: str, one: str) -> str:
    table = {**_LEET, ord("1"): ord(one)}
    return re.sub(r"\S+", lambda match: _spelt_token(match[0], table), text)


def _spelt_token(token: str, table: dict[int, int]) -> str:
    """One word; marks at its end stay marks, and so does '!' that stands alone."""
    end = len(token.rstrip("!.,;:?)\"'"))
    return token[:end].translate(table) + token[end:] if end else token


def _decoded(text: str) -> Iterator[str]:
    """What encoded runs in the text say, where they say something."""
    runs: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
        (_BASE64, _from_base64),
        (_BASE32, _from_base32),
        (_HEX, _from_hex),
        (_DECIMALS, lambda run: bytes(int(number) for number in re.findall(r"\d+", run))),
        (_OCTAL, lambda run: bytes(int(number, 8) for number in re.findall(r"[0-7]{3}", run))),
        (_BITS, lambda run: bytes(int(bits, 2) for bits in re.findall(r"[01]{8}", run))),
    )
    count = 0
    for pattern, decode in runs:
        for match in pattern.finditer(text):
            count += 1
            if count > MOST_DECODED:
                return
            piece = _said(decode, match[0])
            if piece:
                yield piece
    if _PERCENT.search(text):
        yield unquote(text, errors="ignore")
    if len(_ESCAPES.findall(text)) >= 4:
        yield _ESCAPES.sub(lambda match: _character(match[1] or match[2] or match[3]), text)
    for match in _MORSE.finditer(text):
        yield _from_morse(match[0])
    yield from (piece for piece in packed(text) if _is_text(piece))
    yield from _hidden(text)
    yield from _shifted(text)


def _hidden(text: str) -> Iterator[str]:
    """Bytes smuggled in variation selectors, bits in zero-width characters, quoted-printable."""
    for match in _SELECTORS.finditer(text):
        codes = [ord(character) for character in match[0]]
        values = bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes)
        yield values.decode("utf-8", "ignore")
    for match in _ZERO_WIDTH_BITS.finditer(text):
        signs = sorted(set(match[0]))
        if len(signs) == 2:
            for zero in signs:
                bits = "".join(str(int(character != zero)) for character in match[0])
                values = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
                yield values.decode("utf-8", "ignore")
    if _QUOTED_PRINTABLE.search(text):
        yield quopri.decodestring(text.encode("utf-8", "surrogatepass")).decode("utf-8", "ignore")


def _shifted(text: str) -> Iterator[str]:
    """Letters shifted (Caesar) or mirrored (Atbash), words turned round, where that gives English."""
    if len(text) > MAX_SQUASHED or len(_WORDS.findall(text)) < 4:
        return
    yield " ".join(word[::-1] for word in text.split())
    if len(_COMMON.findall(text)) < 2:
        for table in _SHIFTS:
            moved = text.translate(table)
            if len(_COMMON.findall(moved)) >= 2:
                yield moved


def _said(decode: Callable[[str], bytes], run: str) -> str:
    """The decoded run, '' when it is no text."""
    try:
        values = decode(run)
        piece = values.decode("utf-16-le" if values[1::2].count(0) * 2 == len(values) else "utf-8")
    except (binascii.Error, ValueError):
        return ""
    return piece if _is_text(piece) else ""


def _is_text(piece: str) -> bool:
    return len(piece) >= 6 and all(character.isprintable() or character.isspace() for character in piece)


def _from_base64(run: str) -> bytes:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _from_base32(run: str) -> bytes:
    plain = run.rstrip("=")
    return base64.b32decode(plain + "=" * (-len(plain) % 8))


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|\\x|[^0-9A-Fa-f]", "", run))


def _from_morse(run: str) -> str:
    letters = re.sub(r"[·]", ".", re.sub(r"[−–]", "-", run))
    words = re.split(r"\s*[/|]\s*|\s{2,}", letters)
    return " ".join("".join(_MORSE_LETTERS.get(sign, "") for sign in word.split()) for word in words)


def _character(code: str) -> str:
    number = int(code, 16)
    is_text = number < 0x110000 and not 0xD800 <= number <= 0xDFFF and number != 0
    return chr(number) if is_text else ""
