"""Secrets in a text: found by linear-time patterns, masked character for character so that offsets stay those of the event.

Everything that is derived from an event is masked: candidates, values, sentences, search entries, recall, its trace, pages.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import re2

from memoryhub.language.text import locate_quote

MASK = "•"

_HALF = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF01, 0xFF5F)} | {
    "\u3000": " "
}
_VALUE = r"([^\s,，。;；、\"'<>]{4,200})"
_PATTERNS = [
    (code, re2.compile(pattern))
    for code, pattern in (
        (
            "private_key",
            r"(?s)(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.+?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$))",
        ),
        (
            "api_key",
            r"\b((?:mhk|sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|hf|npm|pypi)[-_][A-Za-z0-9_\-]{12,250})",
        ),
        ("api_key", r"\b((?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_\-]{30,45})\b"),
        (
            "api_key",
            r"\b(SG\.[A-Za-z0-9_\-]{16,40}\.[A-Za-z0-9_\-]{16,60}|ya29\.[A-Za-z0-9_\-]{20,300}|\d{8,10}:[A-Za-z0-9_\-]{35})\b",
        ),
        (
            "api_key",
            r"(?i)\b(?:AccountKey|SharedAccessKey|aws_secret_access_key|secret_key)\s*[=:]\s*[\"']?([A-Za-z0-9+/=_\-]{16,120})",
        ),
        ("token", r"\b(eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{4,})"),
        ("token", r"(?i)\bbasic\s+([A-Za-z0-9+/]{12,500}={0,2})"),
        ("token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/\-]{12,500}=*)"),
        (
            "password",
            r"(?i)\b(?:passwords?|passwd|pwd|passphrase|pin code|secret key|api[ _-]?key|access[ _-]?key|access[ _-]?token|"
            r"client[ _-]?secret|auth[ _-]?token|recovery code|one-time code|otp)\s*(?:is|was|are|=|:|：)\s*"
            + _VALUE,
        ),
        (
            "password",
            r"(?i)\b(?:pin|cvv2?|cvc|security code)\s*(?:number|code)?\s*(?:is|was|=|:|：)?\s*(\d{3,8})\b",
        ),
        (
            "password",
            r"(?i)\b(?:seed|recovery|mnemonic) (?:phrase|words)\s*(?:is|are|=|:|：)\s*((?:[a-z]{3,8}\s+){11,23}[a-z]{3,8})",
        ),
        (
            "password",
            r"(?:密码|密碼|口令|验证码|驗證碼|支付密码|取款密码|安全码)(?:就)?(?:是|为|為|改成|改为|改為|=|:|：)?\s*[“\"「]?(\d{4,8})(?:[^\d]|$)",
        ),
        (
            "id_number",
            r"(?:身份证(?:号码?|號碼?)?|身分證(?:字號|號碼?)?|证件号码?|護照號碼?|护照号码?|社保号码?)(?:是|为|為|=|:|：)?\s*([A-Za-z]{0,2}\d{6,17}[\dXx])",
        ),
        (
            "id_number",
            r"(?i)\b(?:ssn|social security (?:number|no\.?))\s*(?:is|=|:)?\s*(\d{3}-?\d{2}-?\d{4})\b",
        ),
        (
            "id_number",
            r"(?i)\b(?:passport|id card|national id|driver'?s licen[cs]e)\s*(?:number|no\.?|#)?\s*(?:is|=|:)?\s*([A-Z]{0,3}\d{6,12}[A-Z]?)\b",
        ),
        (
            "password",
            r"(?:密码|密碼|口令|密钥|密鑰|令牌|验证码|驗證碼|支付密码)\s*(?:是|为|為|改成|改为|改為|=|:|：)\s*([A-Za-z0-9!@#$%^&*()_+\-=.~]{4,200})",
        ),
        ("password", r"[a-z][a-z0-9+.\-]{1,20}://[^\s/:@]{1,100}:([^\s/@]{3,200})@"),
    )
]
_CARD = re2.compile(r"(?:^|[^\d.\-])(\d(?:[ \-]?\d){12,18})(?:[^\d\-]|$)")
_CHINESE_ID = re2.compile(
    r"(?:^|[^\dXx])([1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?:[^\dXx]|$)"
)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_HINT = re2.compile(
    r"(?i)key|token|pass|ssn|social security|basic|otp|cvv|cvc|security code|phrase|words|证|證|护照|護照|社保|national id|id card|licen|安全码|ya29|SG\.|\d{8}:|\d{17}[\dx]|pwd|secret|bearer|pin|密|口令|令牌|验证码|驗證碼|eyJ|AKIA|ASIA|AIza|[-_][A-Za-z0-9_\-]{12}|://|\d(?:[ \-]?\d){12}"
)


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` with secrets overwritten by `MASK` (same length) and the kinds found: api_key, password, card_number …"""
    read = _half_width(text)
    if not _HINT.search(read):
        return text, ()
    spans = [
        (*match.span(1), code)
        for code, pattern in _PATTERNS
        for match in pattern.finditer(read)
        if MASK not in match.group(1)
    ]
    spans += [
        (*match.span(1), "card_number") for match in _CARD.finditer(read) if passes_luhn(match.group(1))
    ]
    spans += [
        (*match.span(1), "id_number")
        for match in _CHINESE_ID.finditer(read)
        if passes_id_check(match.group(1))
    ]
    masked = text
    for start, end, _ in spans:
        masked = masked[:start] + MASK * (end - start) + masked[end:]
    return masked, tuple(dict.fromkeys(code for _, _, code in spans))


def masked(value: Any) -> Any:
    """A JSON value with the secrets in its texts masked; everything else stays."""
    if isinstance(value, str):
        return mask_secrets(value)[0]
    if isinstance(value, dict):
        return {name: masked(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(masked(part) for part in value)
    return value


def locate_masked(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whether it was taken from the text or from the masked text; as `locate_quote`."""
    return locate_quote(quote, text) or (
        locate_quote(quote, mask_secrets(text)[0]) if MASK in quote else None
    )


def _half_width(text: str) -> str:
    """Full-width letters, digits and marks as half-width ones; the length stays."""
    if text.isascii():
        return text
    return "".join(_HALF.get(character, character) for character in text)


def passes_id_check(number: str) -> bool:
    """The check character of a Chinese resident identity number (GB 11643, ISO 7064 MOD 11-2), 18 characters."""
    rest = sum(int(digit) * weight for digit, weight in zip(number, _ID_WEIGHTS, strict=False)) % 11
    return number[17].upper() == "10X98765432"[rest]


def passes_luhn(number: str) -> bool:
    """The check digit rule of payment cards (ISO/IEC 7812-1), on the digits of `number`."""
    digits = [int(character) for character in reversed(number) if character.isdecimal()]
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
