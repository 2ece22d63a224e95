"""What is told of two long texts: the changes with a little around them, and how much was left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.document_diffing import MOST_LINES, document_diff


def test_changes_are_told_with_their_lines_and_the_rest_is_counted() -> None:
    lines = [f"Line {number}.\n" for number in range(40)]
    after = [*lines[:20], "Line twenty is free.\n", *lines[21:]]
    [hunk] = document_diff("".join(lines), "".join(after))
    assert hunk.skipped == 17
    told = {(piece.kind, piece.text) for piece in hunk.pieces if piece.kind != "same"}
    assert ("gone", "20") in told
    assert any(kind == "new" and "free" in text for kind, text in told)


def test_the_same_text_has_no_changes_and_a_huge_one_is_told_whole() -> None:
    assert document_diff("a\nb", "a\nb") == []
    [hunk] = document_diff("x\n" * (MOST_LINES + 1), "y")
    assert [piece.kind for piece in hunk.pieces] == ["gone", "new"]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from(["a\n", "b\n", "c d\n"]), max_size=12),
    st.lists(st.sampled_from(["a\n", "b\n", "e\n"]), max_size=12),
)
def test_every_new_and_gone_line_is_told(before: list[str], after: list[str]) -> None:
    hunks = document_diff("".join(before), "".join(after))
    pieces = [piece for hunk in hunks for piece in hunk.pieces]
    skipped = sum(hunk.skipped for hunk in hunks)
    old = "".join(piece.text for piece in pieces if piece.kind != "new").count("\n")
    assert old + skipped <= len(before)
    if before != after:
        assert any(piece.kind != "same" for piece in pieces)
