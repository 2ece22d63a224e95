"""`manage.py up` (called by `make up`): everything the service needs, started in order and stopped together."""

from __future__ import annotations

import logging
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from memoryhub.database import embedded
from memoryhub.management import first_run
from memoryhub.running import children, ports
from memoryhub.running.answering import wait_for_answer

START_SECONDS = 60


class Command(BaseCommand):
    """Database, migrations, first-run data, web server and worker; Ctrl-C ends them."""

    help = "Start database, web server and worker; Ctrl-C stops them."

    def handle(self, *args: Any, **options: Any) -> None:
        self.began = time.monotonic()
        logging.getLogger().setLevel(logging.WARNING)  # the programs' logs have the details
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupt)
        log_folder = Path(settings.DATA_DIR) / "log"
        programs = [children.web_server(log_folder=log_folder), children.worker(log_folder=log_folder)]
        try:
            ports.insist_on_free(host=settings.HOST, port=settings.PORT)
        except ports.PortUnusable as error:
            raise CommandError(str(error)) from None
        try:
            self._start(programs)
            self._watch(programs)
        except (embedded.DatabaseUnavailable, children.ChildGaveUp) as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave anything behind
            self._stop(programs)

    def _start(self, programs: list[children.Child]) -> None:
        with self._step("database"):
            if settings.USES_EMBEDDED_DATABASE:
                embedded.ensure_running(settings.DATA_DIR)
        with self._step("migrations"):
            call_command("migrate", verbosity=0)
        with self._step("web server and worker"):
            for program in programs:
                program.start()
            self._await_answer(programs[0])
        welcome = first_run.set_up()
        if first_run.needs_demo():
            with self._step("demo data"):
                call_command("demo", workspace=first_run.WORKSPACE, stdout=StringIO())
            first_run.note_demo()
        connections.close_all()
        self._say_where(welcome)

    def _await_answer(self, web: children.Child) -> None:
        answered = wait_for_answer(
            host=settings.HOST,
            port=settings.PORT,
            path="/health/live",
            seconds=START_SECONDS,
            is_given_up=lambda: not web.is_alive,
        )
        if not answered:
            raise CommandError(f"The web server did not answer: see {web.log}.")

    def _watch(self, programs: list[children.Child]) -> None:
        database = embedded.server_pid(settings.DATA_DIR) if settings.USES_EMBEDDED_DATABASE else None
        while True:
            time.sleep(0.5)
            if settings.USES_EMBEDDED_DATABASE:
                database = self._look_after_database(database)
            for program in programs:
                if children.revive(program):
                    self.stdout.write(f"The {program.name} program had ended and was started again.")

    def _look_after_database(self, known: int | None) -> int | None:
        """Start a database that has died; a worker that was started again may have been faster. Answers its process."""
        if embedded.server_pid(settings.DATA_DIR) == known:
            return known
        embedded.ensure_running(settings.DATA_DIR)
        found = embedded.server_pid(settings.DATA_DIR)
        if found != known:
            self.stdout.write("The database had ended and was started again.")
        return found

    def _stop(self, programs: list[children.Child]) -> None:
        began = time.monotonic()
        connections.close_all()
        children.stop_all(programs)
        if settings.USES_EMBEDDED_DATABASE:
            embedded.release(settings.DATA_DIR)
        self.stdout.write(f"Stopped in {time.monotonic() - began:.1f} s.")

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        self.stdout.write(f"  {name} …", ending="")
        self.stdout.flush()
        try:
            yield
        except BaseException:
            self.stdout.write(" failed")
            raise
        self.stdout.write(f" ready ({time.monotonic() - began:.1f} s)")

    def _say_where(self, welcome: first_run.Welcome | None) -> None:
        url = f"http://{settings.HOST}:{settings.PORT}"
        self.stdout.write(f"\nmemoryhub runs at {url}/ (started in {time.monotonic() - self.began:.1f} s)\n")
        if welcome:
            self.stdout.write("Staff logins and the agent key, shown this once:")
            for name, password in welcome.passwords.items():
                self.stdout.write(f"  {name}  {password}")
            self.stdout.write(f"  agent key  {welcome.token}")
        self.stdout.write(f"Kept in {first_run.credentials_file()} and {first_run.agent_key_file()}.")
        self.stdout.write(f"\nTry it in another shell:\n  {curl_line(url)}\n\nCtrl-C stops everything.")
        sys.stdout.flush()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def curl_line(url: str) -> str:
    """A recall over HTTP that can be pasted into any shell."""
    key = f'"Authorization: Bearer $(cat {shlex.quote(str(first_run.agent_key_file()))})"'
    body = '{"owner": "u-1024", "query": "有什么零食推荐"}'
    return f"curl -s {url}/api/v1/recall/ -H {key} -H 'Content-Type: application/json' -d '{body}'"
