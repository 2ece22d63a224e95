"""The embedded PostgreSQL server: made, started, shared and stopped without ever touching a foreign folder.

Every process that uses the server holds a shared lock; the last one to leave stops the server. So `manage.py` commands
and `make up` can run side by side, and none leaves a server behind; when the last one is killed, the keeper stops it.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from memoryhub.database import binaries, bootstrap, keeper, layout, secret_files, tuning
from memoryhub.database.layout import Layout
from memoryhub.database.server_user import NoServerUser, ServerUser, server_user

START_SECONDS = 60
STOP_SECONDS = 8
LOOK_AGAIN_SECONDS = 20
KEEPER_SECONDS = 3
SUPERUSER = "postgres"
CONFIGURATION = "memoryhub.conf"

_held: dict[Path, int] = {}
"""Data directory -> descriptor of the shared lock this process holds."""

_keepers: dict[Path, subprocess.Popen[bytes]] = {}
"""Data directory -> the keeper this process started last."""


class DatabaseUnavailable(RuntimeError):
    """The embedded server cannot be used; the message is one sentence for a person."""


class _DidNotStart(DatabaseUnavailable):
    """May be different a moment later: a server that was killed holds its folder until its last process is gone."""


def ensure_running(data_dir: Path, *, tuned: tuning.Tuning | None = None) -> Layout:
    """Make the cluster when there is none, start it when it is down, and keep it up as long as this process lives.

    Raises DatabaseUnavailable.
    """
    secret_files.make_data_dir(data_dir)
    if data_dir not in _held:
        _held[data_dir] = _open_lock(users_file(data_dir), fcntl.LOCK_SH)
        atexit.register(_leave, data_dir, os.getpid())
    with _starting(data_dir):
        try:
            return _make_and_start(data_dir, tuned or tuning.for_this_machine())
        except NoServerUser as error:
            raise DatabaseUnavailable(str(error)) from None


def users_file(data_dir: Path) -> Path:
    """The file that every user of the server holds a shared lock on."""
    return data_dir / "postgres.users"


def is_running(data_dir: Path) -> bool:
    """Whether the cluster of this data directory is up."""
    place = layout.locate(data_dir)
    user = server_user(place.home)
    return place.is_initialised and _pg_ctl(place, user, "status", check=False).returncode == 0


def server_pid(data_dir: Path) -> int | None:
    """The server's main process; None when it is gone. Asked often, so it only looks for the pid."""
    pid_file = layout.locate(data_dir).cluster / "postmaster.pid"
    try:
        pid = int(pid_file.read_text(encoding="utf-8").split("\n")[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return None
    except PermissionError:
        pass  # alive, but another user's
    return pid


def stop(data_dir: Path) -> None:
    """Stop the server at once: sessions are ended, open transactions rolled back, the cache is written."""
    place = layout.locate(data_dir)
    with _starting(data_dir):
        if not is_running(data_dir):
            return
        user = server_user(place.home)
        if _pg_ctl(place, user, "stop", "-m", "fast", "-w", "-t", str(STOP_SECONDS), check=False).returncode:
            _pg_ctl(place, user, "stop", "-m", "immediate", "-w", check=False)  # recovers at the next start
        with suppress(OSError):
            place.socket_folder.rmdir()


def release(data_dir: Path) -> bool:
    """Give the server up; it is stopped when no other process uses it. Returns whether it was stopped."""
    descriptor = _held.pop(data_dir, None)
    if descriptor is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        stop(data_dir)
    except BlockingIOError:
        if not _is_being_stopped(descriptor):
            return False
    finally:
        os.close(descriptor)
    if data_dir in _keepers:
        with suppress(subprocess.TimeoutExpired):  # somebody else may have come meanwhile, for whom it stays
            _keepers.pop(data_dir).wait(KEEPER_SECONDS)
    return True


def _is_being_stopped(descriptor: int) -> bool:
    """Whether the keeper was the faster one to see that nobody is left; it has finished when this returns."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return True
    return False


def _leave(data_dir: Path, pid: int) -> None:
    if os.getpid() == pid:  # a forked child runs this too, and does not own the lock
        release(data_dir)


def _open_lock(path: Path, kind: int) -> int:
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    fcntl.flock(descriptor, kind)
    return descriptor


@contextmanager
def _starting(data_dir: Path) -> Iterator[None]:
    """Only one process at a time makes, starts or stops the server."""
    descriptor = _open_lock(data_dir / "postgres.lock", fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def _make_and_start(data_dir: Path, tuned: tuning.Tuning) -> Layout:
    place = layout.locate(data_dir)
    user = server_user(place.home)
    if not place.is_initialised:
        place = _make_cluster(place, user)
    _insist_on_version(place)
    # A server that was killed a moment ago still counts as running until its process is gone: look again.
    end = time.monotonic() + LOOK_AGAIN_SECONDS
    while not _is_prepared(place, user, tuned, is_last_try=time.monotonic() > end):
        time.sleep(0.3)
    return place


def _is_prepared(place: Layout, user: ServerUser, tuned: tuning.Tuning, *, is_last_try: bool) -> bool:
    """Start the server unless it runs, and make what has to exist in it; False when it does not answer (yet)."""
    try:
        if _pg_ctl(place, user, "status", check=False).returncode != 0:
            _own_socket_folder(place, user)
            _write_configuration(place, user, tuned)
            _start(place, user)
            _keepers[place.data_dir] = keeper.start(place.data_dir)
        bootstrap.prepare_embedded(host=place.socket_folder, superuser=SUPERUSER)
    except (psycopg.OperationalError, _DidNotStart):
        if is_last_try:
            raise
        return False
    return True


def _make_cluster(place: Layout, user: ServerUser) -> Layout:
    place = _with_reachable_home(place, user)
    if not place.home.exists():
        place.home.mkdir(mode=0o700)
        os.chown(place.home, user.uid, user.gid)
    unfinished = place.home / "data.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    made = user.run(
        str(binaries.usable_by(user) / "bin" / "initdb"),
        *(
            "-D",
            str(unfinished),
            "-U",
            SUPERUSER,
            "-E",
            "UTF8",
            "--data-checksums",
            "--auth=trust",
            "--no-instructions",
        ),
        *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync"),
        capture_output=True,
    )
    if made.returncode:
        raise DatabaseUnavailable(
            f"The database cluster could not be made in {place.home}: {_last_line(made.stderr)}"
        )
    _append_as(user, unfinished / "postgresql.conf", f"\ninclude_if_exists = '{CONFIGURATION}'\n")
    unfinished.rename(place.cluster)
    return place


def _insist_on_version(place: Layout) -> None:
    made_by = (place.cluster / "PG_VERSION").read_text(encoding="ascii").strip()
    if made_by != binaries.MAJOR_VERSION:
        raise DatabaseUnavailable(
            f"The data in {place.cluster} was made by PostgreSQL {made_by}, the installed one is "
            f"{binaries.MAJOR_VERSION}: install the earlier packages, or dump and restore it."
        )


def _with_reachable_home(place: Layout, user: ServerUser) -> Layout:
    """Root's server runs as another user, who cannot pass a closed folder (such as /root): then the cluster is made
    outside, and a file in the data directory says where."""
    if not user.is_other or user.can_enter(place.data_dir):
        return place
    home = binaries.SHARED_FOLDER / layout.fingerprint(place.data_dir)
    while (home / "data").exists():  # of a project that lay here before and was moved or removed
        home = home.with_name(home.name + "x")
    binaries.own_folder(home.parent)
    secret_files.write(place.data_dir / layout.POINTER, f"{home}\n")
    return layout.locate(place.data_dir)


def _own_socket_folder(place: Layout, user: ServerUser) -> None:
    """Make the private folder of the socket; refuse one that somebody else could have put there."""
    folder = place.socket_folder
    try:
        folder.mkdir(mode=0o700)
        os.chown(folder, user.uid, user.gid)
    except FileExistsError:
        found = folder.lstat()
        if (
            not stat.S_ISDIR(found.st_mode)
            or found.st_uid != user.uid
            or stat.S_IMODE(found.st_mode) != 0o700
        ):
            raise DatabaseUnavailable(
                f"{folder} is not a private folder of the database user: remove it."
            ) from None


def _write_configuration(place: Layout, user: ServerUser, tuned: tuning.Tuning) -> None:
    path = place.cluster / CONFIGURATION
    path.unlink(missing_ok=True)
    _append_as(user, path, tuning.as_configuration(tuned, socket_folder=place.socket_folder))


def _append_as(user: ServerUser, path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    path.chmod(0o600)
    os.chown(path, user.uid, user.gid)


def _start(place: Layout, user: ServerUser) -> None:
    log = place.home / "start.log"
    started = _pg_ctl(place, user, "start", "-w", "-t", str(START_SECONDS), "-l", str(log), check=False)
    if started.returncode:
        raise _DidNotStart(f"The database did not start; see {log} and {place.cluster / 'log'}.")


def _pg_ctl(
    place: Layout, user: ServerUser, act: str, *options: str, check: bool = True
) -> subprocess.CompletedProcess[str]:
    program = binaries.usable_by(user) / "bin" / "pg_ctl"
    # No pipes: the server would inherit them and the caller would wait for their end.
    return user.run(
        *(str(program), act, "-D", str(place.cluster), *options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in the terminal must reach the supervisor only
        check=check,
    )


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line]
    return lines[-1] if lines else "no message"
