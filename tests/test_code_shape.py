"""The budget of sizes and names that keeps the code readable (see the style notes in the design)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

PACKAGES = ("memoryhub", "api", "reviews")
BANNED = re.compile(r"(^|_)(utils?|helpers?|common|managers?|handlers?|data|info|misc)(_|$)")
MOST_LINES = 400
MOST_FUNCTION_LINES = 50
MOST_POSITIONAL = 5
MOST_TEMPLATE_LINES = 150


def modules(*packages: str) -> list[Path]:
    found = [path for name in packages for path in (settings.BASE_DIR / name).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


def name_of(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR))


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def body_lines(function: ast.FunctionDef) -> int:
    """Lines from the first statement after the docstring to the end."""
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1


def test_no_module_is_named_for_nothing() -> None:
    assert [name_of(path) for path in modules(*PACKAGES) if BANNED.search(path.stem)] == []


def test_no_module_is_too_long() -> None:
    lengths = {
        name_of(path): len(path.read_text("utf-8").splitlines()) for path in modules(*PACKAGES, "tests")
    }
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{name_of(path)}:{function.name}": length
        for path in modules(*PACKAGES)
        for function in functions(path)
        if (length := body_lines(function)) > MOST_FUNCTION_LINES
    }
    assert long == {}


def test_no_function_takes_many_positional_arguments() -> None:
    many = [
        f"{name_of(path)}:{function.name}"
        for path in modules(*PACKAGES)
        for function in functions(path)
        if len(function.args.posonlyargs) + len(function.args.args) > MOST_POSITIONAL + 1
    ]
    assert many == []


def test_no_template_is_too_long() -> None:
    pages = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in pages}
    assert {name: length for name, length in lengths.items() if length > MOST_TEMPLATE_LINES} == {}


def test_nothing_dangerous_is_called() -> None:
    dangerous = {"eval", "exec", "pickle.loads", "pickle.load", "yaml.load"}
    called = {
        f"{name_of(path)}: {ast.unparse(node.func)}"
        for path in modules(*PACKAGES)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in dangerous
    }
    assert called == set()


def test_templates_escape_everything() -> None:
    pages = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    unescaped = re.compile(r"\|\s*safe\b|autoescape off")
    assert [name_of(path) for path in pages if unescaped.search(path.read_text("utf-8"))] == []


def test_nothing_is_left_undone() -> None:
    marks = re.compile(r"# ?(TODO|FIXME|XXX)\b")
    assert [name_of(path) for path in modules(*PACKAGES) if marks.search(path.read_text("utf-8"))] == []
