"""Secrets on disk: readable by their owner, made once, even by two at the same moment."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memoryhub.database import secret_files


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    made = secret_files.read_or_make(path)
    assert secret_files.read_or_make(path) == made
    assert len(made) >= 50
    assert mode(path) == 0o600


def test_many_makers_agree_on_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: secret_files.read_or_make(path), range(64)))
    assert len(set(made)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_a_data_directory_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o750)
    secret_files.write(folder / "credentials", "one")
    secret_files.write(folder / "credentials", "two")
    assert mode(folder) == 0o750
    assert (folder / "credentials").read_text() == "two"
    assert mode(folder / "credentials") == 0o600
