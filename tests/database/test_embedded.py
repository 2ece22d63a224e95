"""The embedded server in the folders people have: with spaces, in Chinese, closed to others, as root or not."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from memoryhub.database import binaries, layout
from tests.programs import wait_until

IS_ROOT = os.geteuid() == 0
as_root = pytest.mark.skipif(not IS_ROOT, reason="needs root")
ODD_NAME = "我的 项目 (new)"

HOLD = """
import sys
from pathlib import Path
from memoryhub.database import embedded
place = embedded.ensure_running(Path(sys.argv[1]))
print(place.cluster, flush=True)
sys.stdin.read()
"""
ASK = """
import sys, psycopg
from pathlib import Path
from memoryhub.database import embedded
place = embedded.ensure_running(Path(sys.argv[1]))
with psycopg.connect(host=str(place.socket_folder), user=sys.argv[2], dbname="memoryhub", autocommit=True) as session:
    try:
        found = session.execute(sys.argv[3])
        print(found.fetchone()[0] if found.description else "done")
    except psycopg.Error as error:
        print(type(error).__name__)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-test-"))
    folder.chmod(0o755)
    yield folder
    home = layout.locate(folder / ODD_NAME / ".data").home
    shutil.rmtree(folder)
    if home.parent == binaries.SHARED_FOLDER:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def data_dir(open_folder: Path) -> Path:
    """A data directory in a project folder with an odd name."""
    project = open_folder / ODD_NAME
    project.mkdir(mode=0o755)
    return project / ".data"


@pytest.fixture(scope="session")
def anybodys_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An interpreter that an ordinary user may run; root's own may lie in root's closed home."""
    original = Path(sys.base_prefix)
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-python-"))
    folder.chmod(0o755)
    subprocess.run(["cp", "-a", "--reflink=auto", f"{original}/bin", f"{original}/lib", folder], check=True)
    yield str(folder / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
    shutil.rmtree(folder)


def python(
    code: str,
    *arguments: object,
    executable: str = sys.executable,
    first_on_path: str = "",
    user: int | None = None,
) -> subprocess.Popen[str]:
    """A fresh process that knows nothing of the test cluster."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join(filter(None, [first_on_path, str(settings.BASE_DIR), packages])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LD_LIBRARY_PATH": str(Path(executable).parent.parent / "lib"),
        "DJANGO_SETTINGS_MODULE": "memoryhub.settings",
        "MEMORYHUB_DATA_DIR": str(arguments[0]),
    }
    return subprocess.Popen(
        [executable, "-c", code, *map(str, arguments)],
        env=environment, cwd="/", user=user, group=user, extra_groups=None if user is None else [],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ask(data_dir: Path, statement: str, *, role: str = "postgres", **options: object) -> str:
    """Start the server in a process of its own, run one statement, let it stop."""
    process = python(ASK, data_dir, role, statement, **options)  # type: ignore[arg-type]
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output.strip()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def is_served(data_dir: Path) -> bool:
    return (layout.locate(data_dir).cluster / "postmaster.pid").exists()


def test_it_runs_in_a_folder_with_spaces_and_chinese_and_keeps_its_data(data_dir: Path) -> None:
    assert ask(data_dir, "CREATE TABLE kept AS SELECT 42 AS answer") == "done"
    assert not is_served(data_dir)
    assert ask(data_dir, "SELECT answer FROM kept") == "42"


def test_the_cluster_is_utf8_with_checksums_and_a_vector_type(data_dir: Path) -> None:
    statement = (
        "SELECT concat_ws(' ', current_setting('server_encoding'), current_setting('data_checksums'),"
        " lower('ÀÉ'), '[1,2]'::vector)"
    )
    assert ask(data_dir, statement) == "UTF8 on àé [1,2]"


def test_a_failing_statement_leaves_no_value_in_the_log(data_dir: Path) -> None:
    ask(data_dir, "CREATE TABLE t (a text CHECK (a = ''))")
    assert ask(data_dir, "INSERT INTO t VALUES ('a-secret-allergy')") == "CheckViolation"
    home = layout.locate(data_dir).home
    logs = [
        path for path in home.rglob("*") if path.is_file() and "log" in (path.parent.name, path.suffix[1:])
    ]
    assert logs
    assert not any("a-secret-allergy" in path.read_text(errors="replace") for path in logs)


def test_nobody_else_may_open_the_data_or_the_socket(data_dir: Path) -> None:
    holder = python(HOLD, data_dir)
    assert holder.stdout is not None
    holder.stdout.readline()
    place = layout.locate(data_dir)
    assert [mode(place.home), mode(place.cluster), mode(place.socket_folder)] == [0o700, 0o700, 0o700]
    assert len(os.fsencode(place.socket_folder / ".s.PGSQL.5432")) < 107
    holder.communicate()
    assert not place.socket_folder.exists()


def test_the_last_one_to_leave_stops_the_server(data_dir: Path) -> None:
    first, second = python(HOLD, data_dir), python(HOLD, data_dir)
    for process in (first, second):
        assert process.stdout is not None
        assert process.stdout.readline()
    first.communicate()
    assert is_served(data_dir)
    began = time.monotonic()
    second.communicate()
    assert not is_served(data_dir)
    assert time.monotonic() - began < 10


def test_a_server_whose_only_user_is_killed_is_stopped(data_dir: Path) -> None:
    holder = python(HOLD, data_dir)
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.kill()
    wait_until(lambda: not is_served(data_dir), seconds=30, what="the server's end")


def test_a_killed_process_leaves_the_server_to_those_who_still_use_it(data_dir: Path) -> None:
    first, second = python(HOLD, data_dir), python(HOLD, data_dir)
    for process in (first, second):
        assert process.stdout is not None
        assert process.stdout.readline()
    first.kill()
    first.wait()
    assert ask(data_dir, "SELECT 1") == "1"
    assert is_served(data_dir)
    second.kill()
    wait_until(lambda: not is_served(data_dir), seconds=30, what="the server's end")


def test_six_processes_may_start_it_at_once(data_dir: Path) -> None:
    processes = [python(ASK, data_dir, "mh_app", "SELECT current_user") for _ in range(6)]
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == ["mh_app"] * 6
    assert not is_served(data_dir)


def test_a_socket_folder_made_by_somebody_else_is_refused(data_dir: Path) -> None:
    folder = layout.locate(data_dir).socket_folder
    folder.mkdir(mode=0o755)
    process = python(ASK, data_dir, "postgres", "SELECT 1")
    errors = process.communicate(timeout=60)[1]
    folder.rmdir()
    assert "is not a private folder of the database user" in errors


def test_data_of_another_major_version_is_refused_with_a_sentence(data_dir: Path) -> None:
    ask(data_dir, "SELECT 1")
    (layout.locate(data_dir).cluster / "PG_VERSION").write_text("17\n")
    process = python(ASK, data_dir, "postgres", "SELECT 1")
    assert "was made by PostgreSQL 17, the installed one is 18" in process.communicate(timeout=60)[1]


@as_root
def test_root_serves_a_closed_project_from_a_folder_of_its_own(data_dir: Path, open_folder: Path) -> None:
    data_dir.parent.chmod(0o700)
    assert ask(data_dir, "CREATE TABLE kept AS SELECT 7 AS answer") == "done"
    place = layout.locate(data_dir)
    assert place.home.parent == binaries.SHARED_FOLDER
    assert [mode(open_folder), mode(data_dir.parent)] == [0o755, 0o700]
    assert ask(data_dir, "SELECT answer FROM kept") == "7"


@as_root
def test_root_runs_a_copy_of_the_programs_when_theirs_lie_in_a_closed_folder(
    data_dir: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "封闭 venv"
    closed.mkdir(mode=0o700)
    package, no_older = binaries.packaged().parent, shutil.ignore_patterns("pginstall")
    for source in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(source, closed / source.name, ignore=no_older)
    modes = {path: mode(path) for path in (tmp_path, closed, closed / binaries.PACKAGE)}
    assert ask(data_dir, "SELECT 1", first_on_path=str(closed)) == "1"
    assert {path: mode(path) for path in modes} == modes


@as_root
def test_an_ordinary_user_runs_it_alone(data_dir: Path, anybodys_python: str) -> None:
    nobody = pwd.getpwnam("nobody").pw_uid
    os.chown(data_dir.parent, nobody, nobody)
    assert ask(data_dir, "SELECT current_user", executable=anybodys_python, user=nobody) == "postgres"
    assert layout.locate(data_dir).cluster.stat().st_uid == nobody
    # Root may go on with it, as its owner.
    assert ask(data_dir, "SELECT 1") == "1"
    assert layout.locate(data_dir).cluster.stat().st_uid == nobody


@as_root
def test_an_ordinary_user_is_told_whose_the_cluster_is(data_dir: Path, anybodys_python: str) -> None:
    data_dir.mkdir(mode=0o777)
    data_dir.chmod(0o777)
    ask(data_dir, "SELECT 1")
    (data_dir / "secret_key").unlink(missing_ok=True)
    nobody = pwd.getpwnam("nobody").pw_uid
    process = python(ASK, data_dir, "postgres", "SELECT 1", executable=anybodys_python, user=nobody)
    assert "belongs to user" in process.communicate(timeout=60)[1]
