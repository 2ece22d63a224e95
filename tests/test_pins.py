"""The pins are the whole closure of what the project asks for: nothing missing, nothing extra, everything exact."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution

from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ELSEWHERE = {"colorama"}
"""Pinned for other systems; not installed here."""


def pins(name: str) -> dict[str, str]:
    lines = (settings.BASE_DIR / name).read_text(encoding="utf-8").splitlines()
    found = [
        re.match(r"([a-z0-9.-]+)==([^ ;]+)", line) for line in lines if line and not line.startswith("-r ")
    ]
    assert all(found), "a line is not an exact pin"
    return {canonicalize_name(match[1]): match[2] for match in found if match}


def asked_for() -> tuple[list[str], list[str]]:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return project["project"]["dependencies"], project["dependency-groups"]["dev"]


def closure(requirements: Iterable[str]) -> set[str]:
    """The names of everything these requirements install on this machine."""
    seen: set[tuple[str, str]] = set()
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        requirement, _ = waiting.pop()
        for extra in (*requirement.extras, ""):
            key = (canonicalize_name(requirement.name), extra)
            if key in seen:
                continue
            seen.add(key)
            for text in distribution(requirement.name).requires or []:
                inner = Requirement(text)
                if inner.marker is None or inner.marker.evaluate({"extra": extra}):
                    waiting.append((inner, extra))
    return {name for name, _ in seen}


def test_the_requirements_are_the_closure_of_the_project() -> None:
    assert set(pins("requirements.txt")) - ELSEWHERE == closure(asked_for()[0])


def test_the_pins_for_tests_are_the_closure_of_the_development_group() -> None:
    runtime, development = asked_for()
    expected = closure([*runtime, *development]) - closure(runtime)
    assert set(pins("tests/requirements.txt")) - ELSEWHERE == expected


def test_what_is_installed_is_what_is_pinned() -> None:
    everything = {**pins("requirements.txt"), **pins("tests/requirements.txt")}
    wrong = {
        name: (version, distribution(name).version)
        for name, version in everything.items()
        if name not in ELSEWHERE and distribution(name).version != version
    }
    assert wrong == {}
