"""`manage.py up` as a person uses it: started twice, stopped by Ctrl-C, on a busy port."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings

from memoryhub.database import layout
from memoryhub.running.ports import insist_on_free
from tests.programs import wait_until

pytestmark = pytest.mark.slow


@dataclass
class Up:
    """One run of the command, its output growing while it runs."""

    process: subprocess.Popen[str]
    output: str = ""

    def follow(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line

    def wait_until_running(self) -> None:
        wait_until(
            lambda: "Ctrl-C stops" in self.output or self.process.poll() is not None,
            seconds=60,
            what="the start",
        )
        assert "Ctrl-C stops" in self.output, self.output

    def stop(self, number: int = signal.SIGINT) -> float:
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        return time.monotonic() - began


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(data_dir: Path, port: int, **changes: str) -> Up:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MEMORYHUB_")}
    environment = {**outside, "MEMORYHUB_DATA_DIR": str(data_dir), "MEMORYHUB_PORT": str(port), **changes}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=settings.BASE_DIR, env={**environment, "MEMORYHUB_EMBEDDER": "hashed"}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    run = Up(process)
    Thread(target=run.follow, daemon=True).start()
    return run


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("first start") / ".data"


@pytest.fixture(scope="module")
def first(data_dir: Path) -> Iterator[Up]:
    run = start(data_dir, free_port())
    try:
        run.wait_until_running()
        yield run
    finally:
        if run.process.poll() is None:
            run.stop()


def patience() -> float:
    """1 on a machine that is free, more where other programs (or test workers) take the cores meanwhile."""
    return max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def children_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def test_each_step_has_a_line(first: Up) -> None:
    for step in ("database", "migrations", "web server and worker", "demo data"):
        assert re.search(rf"  {step} … ready \(\d+\.\d s\)", first.output), first.output


def test_secrets_are_shown_once_and_kept_for_their_owner_only(first: Up, data_dir: Path) -> None:
    lines = (data_dir / "credentials").read_text().split("\n")
    assert [line.split()[0] for line in lines if line] == ["operator-reviewer", "compliance-approver"]
    assert all(line.split()[1] in first.output for line in lines if line)
    key = (data_dir / "agent_key").read_text().strip()
    assert key.startswith("mhk_")
    assert key in first.output
    for name in ("credentials", "agent_key", "secret_key"):
        assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o600


def test_the_printed_curl_line_works_when_pasted(first: Up) -> None:
    line = next(line for line in first.output.splitlines() if line.startswith("  curl "))
    answer = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, timeout=30, cwd="/")
    assert "error" not in json.loads(answer.stdout), answer.stdout


def test_a_second_start_on_the_same_port_is_refused_with_a_sentence(first: Up, data_dir: Path) -> None:
    port = int(re.findall(r"http://127\.0\.0\.1:(\d+)/", first.output)[0])
    second = start(data_dir, port)
    assert second.process.wait(30) == 1
    wait_until(lambda: "used by another program" in second.output, seconds=5)
    assert "Traceback" not in second.output


def test_a_worker_that_dies_is_started_again(first: Up) -> None:
    worker = next(
        pid
        for pid in children_of(first.process.pid)
        if b"qcluster" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    os.killpg(worker, signal.SIGKILL)
    wait_until(
        lambda: "The worker program had ended and was started again." in first.output, seconds=10 * patience()
    )


def test_a_database_that_dies_is_started_again(first: Up, data_dir: Path) -> None:
    pid_file = layout.locate(data_dir).cluster / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)
    wait_until(
        lambda: "The database had ended and was started again." in first.output, seconds=20 * patience()
    )
    line = next(line for line in first.output.splitlines() if line.startswith("  curl "))
    answer = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, timeout=60, cwd="/")
    assert "error" not in json.loads(answer.stdout), answer.stdout


def test_ctrl_c_stops_everything_within_ten_seconds(first: Up, data_dir: Path) -> None:
    programs = children_of(first.process.pid)
    assert first.stop(signal.SIGINT) < 10
    assert first.process.returncode == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in programs)
    assert not (layout.locate(data_dir).cluster / "postmaster.pid").exists()


def test_the_next_start_is_quick_keeps_the_data_and_shows_no_secret(first: Up, data_dir: Path) -> None:
    if first.process.poll() is None:
        first.stop()
    began = time.monotonic()
    run = start(data_dir, free_port())
    try:
        run.wait_until_running()
        assert time.monotonic() - began < 10 * patience()
        assert "demo data" not in run.output
        assert (data_dir / "agent_key").read_text().strip() not in run.output
    finally:
        assert run.stop(signal.SIGTERM) < 10


def test_nothing_stays_behind_when_the_command_itself_is_killed(first: Up, data_dir: Path) -> None:
    if first.process.poll() is None:
        first.stop()
    port = free_port()
    run = start(data_dir, port)
    run.wait_until_running()
    run.process.kill()
    run.process.wait()
    wait_until(
        lambda: not (layout.locate(data_dir).cluster / "postmaster.pid").exists(), seconds=15 * patience()
    )
    insist_on_free(host="127.0.0.1", port=port)
