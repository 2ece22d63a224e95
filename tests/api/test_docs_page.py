"""The page of the description in a real browser, under our content security policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

WATCH = """
window.refused = [];
document.addEventListener('securitypolicyviolation', event => window.refused.push(event.violatedDirective));
"""


@pytest.mark.browser
def test_the_page_shows_every_operation_and_nothing_is_refused(page: Page) -> None:
    page.add_init_script(WATCH)
    page.goto("/api/docs/")
    page.wait_for_selector(".opblock", timeout=20_000)
    assert page.locator(".opblock").count() >= 28
    assert page.evaluate("window.refused") == []
