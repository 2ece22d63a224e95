import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.fence import (
    RECALL_FENCE,
    blank_recalled_blocks,
    recalled_spans,
    strip_recalled_blocks,
)


def block(nonce: str, inner: str) -> str:
    return f"{RECALL_FENCE.opens_with(nonce)}\n{inner}\n{RECALL_FENCE.closes_with(nonce)}"


def test_the_markers_are_those_of_the_contract() -> None:
    assert block("abc123", "x") == "<<<memoryhub:abc123\nx\nmemoryhub:abc123>>>"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"before {block('n0nce1', 'secret')} after", "before  after"),
        (f"{block('aaaaaa', '1')}between{block('bbbbbb', '2')}", "between"),
        ("cut off <<<memoryhub:aaaaaa\nthe rest was lost", "cut off "),
        (f"nested {block('aaaaaa', 'memoryhub:bbbbbb>>> still inside')}", "nested "),
        ("no fence <<< memoryhub", "no fence <<< memoryhub"),
    ],
)
def test_recalled_blocks_are_cut(text: str, kept: str) -> None:
    assert strip_recalled_blocks(text) == kept


@given(st.text(max_size=80), st.text(max_size=80), st.from_regex(r"[A-Za-z0-9_-]{6,20}", fullmatch=True))
def test_blanking_keeps_every_offset(before: str, inner: str, nonce: str) -> None:
    text = before + block(nonce, inner)

    blanked = blank_recalled_blocks(text)

    assert len(blanked) == len(text)
    for start, end in recalled_spans(text):
        assert not blanked[start:end].strip()


def test_a_flood_of_openings_is_read_in_bounded_time() -> None:
    text = "<<<memoryhub:abcdef " * 800

    assert strip_recalled_blocks(text) == ""
