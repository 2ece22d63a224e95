"""What the content-security policy and autoescaping rest on, seen in the sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_no_inline_script_style_or_handler(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|javascript:|hx-vals=['\"]js:", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_escapes_everything(path: Path) -> None:
    assert not re.search(r"\|\s*safe\b|autoescape off|safeseq", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_is_short_enough_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 150


def test_scripts_keep_nothing_in_the_browser() -> None:
    for path in (ROOT / "static" / "desk").glob("*.js"):
        assert not re.search(
            r"localStorage|sessionStorage|indexedDB|document\.cookie|innerHTML|eval\(", path.read_text()
        )
