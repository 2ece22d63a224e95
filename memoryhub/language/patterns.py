"""Regular expressions that are compiled when they are first used.

There are hundreds, many of them long: compiling all of them takes longer than everything else a command does at its start. A
process that will need them compiles them before it forks or answers (`compile_all`).
"""

from __future__ import annotations

import re
from typing import cast

from django.utils.functional import SimpleLazyObject

_made: list[re.Pattern[str]] = []


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later: a mistake in `pattern` raises re.error at its first use, or in `compile_all`."""
    made = cast("re.Pattern[str]", SimpleLazyObject(lambda: re.compile(pattern, flags)))
    _made.append(made)
    return made


def compile_all() -> int:
    """Compile what was made so far; returns how many there are."""
    for made in _made:
        bool(made.pattern)
    return len(_made)
