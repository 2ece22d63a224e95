"""Regular expressions that are compiled when they are first used.

There are hundreds, many of them long: compiling all of them takes longer than everything else a command does at its start. A
process that will need them compiles them before it forks or answers (`compile_all`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from django.utils.functional import SimpleLazyObject

_made: list[Any] = []


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later: a mistake in `pattern` raises re.error at its first use, or in `compile_all`."""
    return cast("re.Pattern[str]", lazily(lambda: re.compile(pattern, flags)))


def lazily(compiled: Callable[[], Any]) -> Any:
    """A pattern of any engine that is made at its first use, or in `compile_all`."""
    made = SimpleLazyObject(compiled)
    _made.append(made)
    return made


def compile_all() -> int:
    """Compile what was made so far; returns how many there are."""
    for made in _made:
        bool(made.pattern)
    return len(_made)
