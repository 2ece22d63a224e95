"""A native model in its own child process: started when needed, restarted after a crash, safe after fork.

A plain subprocess, not multiprocessing: the daemonic workers of the job queue may not have such children.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from memoryhub.language.embedders.frames import read_frame, write_frame
from memoryhub.language.embedders.interface import MAX_BATCH, EmbeddingUnavailable, Vectors, checked
from memoryhub.language.embedders.window import embeddable

START_SECONDS = 30.0
ANSWER_SECONDS = 120.0
PASSED_ON = frozenset(
    {"PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP"}
)
_instances: weakref.WeakSet[NativeModel] = weakref.WeakSet()
_children_of_the_parent: list[subprocess.Popen[bytes]] = []


class NativeModel:
    """Raw vectors of length 1 from a model that `embedders/process.py` knows, one request at a time."""

    def __init__(self, model: str, dims: int, *, command: Sequence[str] = ()) -> None:
        self.dims = dims
        self._command = tuple(command) or (
            sys.executable,
            "-m",
            "memoryhub.language.embedders.process",
            model,
        )
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        _instances.add(self)

    def embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """Vectors of shape (n, dims) of the cleaned and capped texts. Raises EmbeddingUnavailable."""
        capped = [embeddable(text) for text in texts]
        batches = [
            self._embed_batch(capped[start : start + MAX_BATCH], query)
            for start in range(0, len(capped), MAX_BATCH)
        ]
        return np.concatenate(batches) if batches else np.empty((0, self.dims), dtype=np.float32)

    def close(self) -> None:
        """End the child; the next request starts another."""
        with self._lock:
            self._end_child()

    def _embed_batch(self, texts: list[str], query: bool) -> Vectors:
        with self._lock:
            header, body = self._ask({"texts": texts, "query": query})
        if "shape" not in header:
            raise EmbeddingUnavailable(f"the embedder process reported {header.get('error', 'nonsense')}")
        rows = np.frombuffer(body, dtype=np.float32)
        if rows.size != np.prod(header["shape"]):
            raise EmbeddingUnavailable("the embedder process sent a broken answer")
        return checked(rows.reshape(header["shape"]), count=len(texts), dims=self.dims)

    def _ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """One exchange; a child that was found dead before it got the request is replaced once."""
        fresh = self._child is None or self._child.poll() is not None
        try:
            return self._exchange(request)
        except (EOFError, OSError, ValueError) as error:
            self._end_child()
            if not fresh and isinstance(error, BrokenPipeError):
                return self._ask(request)
            raise EmbeddingUnavailable("the embedder process ended while it worked") from error

    def _exchange(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        child = self._running_child()
        requests, answers = _pipes(child)
        deadline = threading.Timer(ANSWER_SECONDS, child.kill)
        deadline.start()
        try:
            write_frame(requests, request)
            return read_frame(answers)
        finally:
            deadline.cancel()

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self._end_child()
            self._child = self._started()
        return self._child

    def _started(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,
        )
        deadline = threading.Timer(START_SECONDS, child.kill)
        deadline.start()
        try:
            read_frame(_pipes(child)[1])
        except BaseException:
            child.kill()
            _reap(child)
            raise
        finally:
            deadline.cancel()
        return child

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            _reap(child)

    def _forget_child(self) -> None:
        """After a fork the child is the other process's: let go of its pipes, start our own when asked."""
        self._lock = threading.Lock()
        child, self._child = self._child, None
        if child is not None:
            for pipe in _pipes(child):
                os.close(pipe.fileno())
            _children_of_the_parent.append(child)


def _environment() -> dict[str, str]:
    """What native code that reads hostile text needs, and none of our secrets.

    Two OpenMP threads on a busy machine spin against each other (p95 over 800 ms instead of 24), so there is one.
    """
    kept = {name: value for name, value in os.environ.items() if name in PASSED_ON}
    path = os.pathsep.join(path for path in sys.path if path)
    return kept | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if child.stdin is None or child.stdout is None:
        raise EOFError("the embedder process has no pipes")
    return child.stdin, child.stdout


def _reap(child: subprocess.Popen[bytes]) -> None:
    child.wait()
    for pipe in _pipes(child):
        try:
            pipe.close()
        except OSError:
            continue  # unsent bytes to a dead child


def _forget_children() -> None:
    for instance in list(_instances):
        instance._forget_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_children)
