"""Secrets in a text: found by linear-time patterns, masked character for character so that offsets stay those of the event."""

from __future__ import annotations

import re2

MASK = "•"

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
        ("token", r"\b(eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{4,})"),
        ("token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/\-]{12,500}=*)"),
        (
            "password",
            r"(?i)\b(?:passwords?|passwd|pwd|passphrase|pin code|secret key|api[ _-]?key|access[ _-]?key|access[ _-]?token|"
            r"client[ _-]?secret|auth[ _-]?token)\s*(?:is|was|=|:|：)\s*" + _VALUE,
        ),
        (
            "password",
            r"(?:密码|密碼|口令|密钥|密鑰|令牌|验证码|驗證碼|支付密码)\s*(?:是|为|為|改成|改为|改為|=|:|：)\s*([A-Za-z0-9!@#$%^&*()_+\-=.~]{4,200})",
        ),
        ("password", r"[a-z][a-z0-9+.\-]{1,20}://[^\s/:@]{1,100}:([^\s/@]{3,200})@"),
    )
]
_CARD = re2.compile(r"(?:^|[^\d.\-])(\d(?:[ \-]?\d){12,18})(?:[^\d\-]|$)")
_HINT = re2.compile(
    r"(?i)key|token|pass|pwd|secret|bearer|pin|密|口令|令牌|验证码|驗證碼|eyJ|AKIA|ASIA|AIza|[-_][A-Za-z0-9_\-]{12}|://|\d(?:[ \-]?\d){12}"
)


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` with secrets overwritten by `MASK` (same length) and the kinds found: api_key, password, card_number …"""
    if not _HINT.search(text):
        return text, ()
    spans = [
        (*match.span(1), code)
        for code, pattern in _PATTERNS
        for match in pattern.finditer(text)
        if MASK not in match.group(1)
    ]
    spans += [
        (*match.span(1), "card_number") for match in _CARD.finditer(text) if passes_luhn(match.group(1))
    ]
    masked = text
    for start, end, _ in spans:
        masked = masked[:start] + MASK * (end - start) + masked[end:]
    return masked, tuple(dict.fromkeys(code for _, _, code in spans))


def passes_luhn(number: str) -> bool:
    """The check digit rule of payment cards (ISO/IEC 7812-1), on the digits of `number`."""
    digits = [int(character) for character in reversed(number) if character.isdecimal()]
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
