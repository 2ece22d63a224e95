"""What every page has to be in every look: accessible (WCAG 2.2 AA by axe), without trouble, no wider than its window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.repeats import FULL
from tests.reviews.browsing import PHONE, SCREEN, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = Path(settings.BASE_DIR) / "tests" / "vendor" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (tags) => {
    const found = await axe.run(document, { runOnly: { type: "tag", values: tags } });
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}"""
LOOKS = [
    ("dark", PHONE, "zh-hans"),
    ("light", SCREEN, "en"),
    ("dark", SCREEN, "zh-hans"),
    ("light", PHONE, "en"),
]


def in_looks(*, at_first: int) -> pytest.MarkDecorator:
    """Give a test theme, width and language: `at_first` of the looks in `make test`, all in `make test-deep` (mark it deep)."""
    return pytest.mark.parametrize(("theme", "width", "language"), LOOKS if FULL else LOOKS[:at_first])


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN, TAGS)
    return found


def look(tab: Watched, name: str, width: int) -> None:
    """The page that is open is as it has to be; `name` says which in a failure."""
    assert tab.troubles == [], name
    assert violations(tab.page) == [], name
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, name
