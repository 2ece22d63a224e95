"""A person at a real browser: signed in by cookie, in a language and a theme, watched for what must not happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Page, Request

PHONE, SCREEN = 375, 1280

WATCH_POLICY = """
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
"""


def prefer(context: BrowserContext, url: str, *, theme: str = "light", language: str = "en") -> None:
    """Give the browser a theme and a language."""
    _put_cookies(context, url, {settings.LANGUAGE_COOKIE_NAME: language, "desk_theme": theme})


def sign_in(context: BrowserContext, url: str, user: User) -> None:
    """Give the browser the session of a person."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    _put_cookies(
        context, url, {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    )


def _put_cookies(context: BrowserContext, url: str, cookies: dict[str, str]) -> None:
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])


@dataclass
class Watched:
    """A tab that notes dialogs, policy violations, script errors and failed requests."""

    page: Page
    troubles: list[str] = field(default_factory=list)

    @classmethod
    def new(cls, context: BrowserContext) -> Watched:
        watched = cls(context.new_page())
        page = watched.page
        page.add_init_script(WATCH_POLICY)
        page.on("dialog", watched.refuse)
        page.on("pageerror", lambda error: watched.troubles.append(f"script error: {error}"))
        page.on("requestfailed", watched.note_failure)
        return watched

    def note_failure(self, request: Request) -> None:
        """A request that the page itself gave up because it was left, a chart for one, is no trouble."""
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"failed: {request.url} {request.failure}")

    def refuse(self, dialog: Dialog) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, address: str) -> None:
        """Go there and wait until the page is quiet; violations of the policy become troubles."""
        self.page.goto(address)
        if self.page.locator("[data-chart]").count():
            self.page.wait_for_load_state("networkidle")
        self.troubles += self.page.evaluate("window.violations ?? []")
