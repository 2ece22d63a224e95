"""Whether the web server answers yet."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable


def wait_for_answer(
    *, host: str, port: int, path: str, seconds: float, is_given_up: Callable[[], bool]
) -> bool:
    """Ask until the server answers, the time is over, or `is_given_up` says that waiting makes no sense.

    A refusal (of our host name, of plain http) is an answer too; only errors of the server are not.
    """
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not listened on
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_given_up():
        if _answers(target, port, path):
            return True
        time.sleep(0.1)
    return False


def _answers(host: str, port: int, path: str) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": "localhost"})
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()
