"""Regular expressions that are compiled when they are first used.

There are hundreds, many of them long: compiling all of them takes longer than everything else a command does at its start. A
process that will need them compiles them before it forks or answers (`compile_all`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

_ACTS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern")


class _Lazy:
    """Stands for a pattern. What is done with one is read from the instance after the first use, which costs nothing more."""

    def __init__(self, compiled: Callable[[], Any]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:
        """Called for what the instance does not have: once, before it is compiled."""
        if name not in _ACTS:
            raise AttributeError(name)
        compiled = self._compiled()
        vars(self).update({act: getattr(compiled, act) for act in _ACTS})
        return vars(self)[name]


_made: list[_Lazy] = []


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later: a mistake in `pattern` raises re.error at its first use, or in `compile_all`."""
    return cast("re.Pattern[str]", lazily(lambda: re.compile(pattern, flags)))


def lazily(compiled: Callable[[], Any]) -> Any:
    """A pattern of any engine that is made at its first use, or in `compile_all`."""
    made = _Lazy(compiled)
    _made.append(made)
    return made


def compile_all() -> int:
    """Compile what was made so far; returns how many there are."""
    return sum(made.pattern is not None for made in _made)
