"""Patterns are compiled when they are first used, and all at once where a process is about to need them."""

from __future__ import annotations

import re

import pytest

from memoryhub.language.patterns import compile_all, lazy_pattern


def test_it_finds_what_a_compiled_one_finds() -> None:
    lazy, compiled = (
        lazy_pattern(r"(?P<n>\d+) 万", re.IGNORECASE),
        re.compile(r"(?P<n>\d+) 万", re.IGNORECASE),
    )
    text = "50 万, 60 万"
    assert [found["n"] for found in lazy.finditer(text)] == ["50", "60"]
    assert lazy.sub("x", text) == compiled.sub("x", text) == "x, x"
    assert lazy.pattern == compiled.pattern


def test_a_mistake_is_told_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryhub.language.patterns._made", [])
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("x")


def test_all_of_ours_can_be_compiled() -> None:
    import memoryhub.writing.extraction  # noqa: F401

    assert compile_all() > 300
