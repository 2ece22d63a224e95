"""Many writers at one moment: threads that start together, each with a database connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connections


def at_once[T](count: int, work: Callable[[int], T]) -> list[T | Exception]:
    """Run `work(0)` to `work(count - 1)` in threads released by one barrier; what each answered or raised, in order."""
    barrier = threading.Barrier(count)
    answers: list[T | Exception] = [RuntimeError("did not run")] * count

    def run(number: int) -> None:
        try:
            barrier.wait(30)
            answers[number] = work(number)
        except Exception as error:  # noqa: BLE001  the test decides what an error means
            answers[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return answers
