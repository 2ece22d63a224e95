"""A real embedder process that misbehaves on certain texts: it aborts, raises, or answers nonsense."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import numpy as np

from memoryhub.language.embedders.interface import Vectors
from memoryhub.language.embedders.process import end_with_parent, own_stdout, serve

WRONG = {
    "SHORT": np.ones((1, 4)),
    "NAN": np.full((2, 4), np.nan),
    "ZERO": np.zeros((2, 4)),
    "WIDE": np.ones((2, 5)),
}


def embed(texts: Sequence[str], is_query: bool) -> Vectors:
    print("a library that prints")
    for text in texts:
        if text == "CRASH":
            os.abort()
        if text == "RAISE":
            raise ValueError(text)
        if text in WRONG:
            return np.asarray(WRONG[text], dtype=np.float32)
    return np.array([[len(text), 1, ord(text[0]), 2] for text in texts], dtype=np.float32)


if __name__ == "__main__":
    answers = own_stdout()
    end_with_parent()
    serve(embed, sys.stdin.buffer, answers)
