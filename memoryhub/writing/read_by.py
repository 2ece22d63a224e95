"""The name of what read an event: the rules by a digest of their source, a model by its name and the prompt it was given."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def rules_version() -> str:
    """`rules-` and 8 hexadecimal digits over the source of the rules: another digest is another reading of the same words."""
    digest = hashlib.sha256()
    for source in [HERE / "extraction.py", *sorted((HERE / "rules").glob("*.py"))]:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return f"rules-{digest.hexdigest()[:8]}"


def model_version(*, model: str, prompt: str) -> str:
    """For example `qwen3-8b / extraction-zh-1`."""
    return f"{model} / {prompt}"
