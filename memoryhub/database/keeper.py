"""A small process beside the embedded server: stops it when nobody uses it any more, however its users ended.

A process that is killed cannot stop what it started. The system takes its shared lock away, though, and this process
waits for just that: for the exclusive lock on the same file, which it gets when the last user is gone.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def start(data_dir: Path) -> subprocess.Popen[bytes]:
    """Start the keeper of one data directory; it ends after it has stopped the server."""
    return subprocess.Popen(
        [sys.executable, "-m", __spec__.name, str(data_dir)],
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in the terminal ends the users, not the one who waits for their end
    )


def main() -> None:
    """Wait until no process uses the server, then stop it."""
    from memoryhub.database import embedded  # which starts this

    data_dir = Path(sys.argv[1])
    users = os.open(embedded.users_file(data_dir), os.O_RDONLY)
    fcntl.flock(users, fcntl.LOCK_EX)
    embedded.stop(data_dir)


if __name__ == "__main__":
    main()
