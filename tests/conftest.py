"""What every test stands on: its own cluster, a database cloned from one template, real servers and a browser."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# Before Django reads its settings: tests never touch the data of the service itself.
_given = os.environ.get("MEMORYHUB_DATA_DIR") or str(Path(__file__).resolve().parent.parent / ".data")
os.environ.setdefault("MEMORYHUB_TEST_DATA_DIR", f"{_given}/tests")
os.environ["MEMORYHUB_DATA_DIR"] = os.environ["MEMORYHUB_TEST_DATA_DIR"]
os.environ["MEMORYHUB_ENV"] = "test"
os.environ.setdefault("MEMORYHUB_EMBEDDER", "hashed")
os.environ.setdefault("MEMORYHUB_LOG_LEVEL", "WARNING")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["DJANGO_SETTINGS_MODULE"] = "memoryhub.settings"
for _name in ("DATABASE_URL", "DATABASE_ADMIN_URL"):
    os.environ.pop(_name, None)

import django  # noqa: E402
import pytest  # noqa: E402
from django.conf import settings  # noqa: E402

django.setup()

from django.core.servers.basehttp import ThreadedWSGIServer  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402
from django.test.testcases import LiveServerThread  # noqa: E402

from memoryhub.database import embedded, tuning  # noqa: E402
from tests import database_clones, owner_statements  # noqa: E402
from tests.programs import Worker  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django import DjangoDbBlocker

connection_created.connect(owner_statements.watch, dispatch_uid="tests.owner_statements")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Flushing would need rights that the runtime role does not have, and hide what is left behind."""
    for item in items:
        mark = item.get_closest_marker("django_db")
        if mark and mark.kwargs.get("transaction"):
            raise pytest.UsageError(
                f"{item.nodeid}: use the committing_db fixture, not django_db(transaction=True)"
            )


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """The test cluster, started for this run; its template outlives it."""
    embedded.ensure_running(settings.DATA_DIR, tuned=tuning.FOR_TESTS)
    yield settings.DATA_DIR
    embedded.release(settings.DATA_DIR)


@pytest.fixture(scope="session")
def template(cluster: Path, django_db_blocker: DjangoDbBlocker) -> str:
    """The migrated database that all others are copies of."""
    database_clones.drop_abandoned()
    with django_db_blocker.unblock():
        return database_clones.ensure_template()


@pytest.fixture(scope="session")
def django_db_setup(template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """One copy for all tests that roll back (in pytest-django's place, which would migrate as the runtime role)."""
    name = database_clones.clone(template)
    with django_db_blocker.unblock():
        with database_clones.pointed_at(name):
            yield
        database_clones.drop(name)


@pytest.fixture
def committing_db(
    request: pytest.FixtureRequest, django_db_setup: None, template: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """A copy of the template for this test alone: it may commit, use threads, workers and browsers. Yields its name."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        raise pytest.UsageError("committing_db stands for itself: leave out django_db and db")
    name = database_clones.clone(template)
    with django_db_blocker.unblock():
        with database_clones.pointed_at(name):
            yield name
        database_clones.drop(name)


@pytest.fixture(scope="module")
def committing_module_db(
    django_db_setup: None, template: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """As `committing_db`, for a whole module whose tests make their own workspaces and do not mind each other's."""
    name = database_clones.clone(template)
    with django_db_blocker.unblock():
        with database_clones.pointed_at(name):
            yield name
        database_clones.drop(name)


class _Server(ThreadedWSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        super().server_bind()
        # Head and body are two writes: without this each kept-alive answer waits 40 ms for an acknowledgement.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _ServerThread(LiveServerThread):
    server_class = _Server


@pytest.fixture(autouse=True)
def _live_server_helper() -> None:
    """Stands in for pytest-django's, which would flush the database after each use of a fixture named live_server."""


@pytest.fixture
def live_server(committing_db: str) -> Iterator[LiveServer]:
    """The site over real HTTP, in threads of this process, on the test's own database."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler

    thread = _ServerThread("127.0.0.1", StaticFilesHandler)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    if thread.error:
        raise thread.error
    yield LiveServer(f"http://{thread.host}:{thread.port}")
    thread.terminate()


class LiveServer:
    """Where the site answers."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __str__(self) -> str:
        return self.url


@pytest.fixture
def worker(committing_db: str) -> Iterator[Worker]:
    """A started `qcluster` process on the test's own database."""
    running = Worker()
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """Debian's chromium where it is installed; None stands for Playwright's own."""
    return next(
        (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None
    )


@pytest.fixture(scope="session")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    """One browser for all tests of the run."""
    from playwright.sync_api import expect, sync_playwright

    # A click returns when the next page begins to arrive: what a page shows is asserted with `expect`, which waits for it.
    expect.set_options(timeout=20_000)
    # Playwright's loop runs in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """A fresh browser profile whose relative addresses lead to the live server."""
    fresh = browser.new_context(base_url=live_server.url)
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab of a fresh profile."""
    return context.new_page()
