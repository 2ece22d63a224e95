"""Passages keep together what belongs together: rows, entries, sentences; and nothing is lost between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.knowledge.blocks import markdown_blocks, plain_blocks, sentences
from memoryhub.knowledge.limits import PASSAGE_TOKENS, FileRefused
from memoryhub.knowledge.passages import cut_passages
from memoryhub.language.counting import count_tokens

ROW = "| 地区{0} | 免收手续费，需提供完整包装和发票 | {0} 天 |"


def test_a_table_is_cut_between_rows_and_each_piece_has_its_head() -> None:
    rows = [ROW.format(number) for number in range(40)]
    text = "# 费用\n\n| 地区 | 手续费 | 时限 |\n|---|---|---|\n" + "\n".join(rows)
    passages = cut_passages(markdown_blocks(text))
    assert len(passages) > 2
    told: list[str] = []
    for passage in passages:
        lines = passage.text.splitlines()
        assert lines[:2] == ["| 地区 | 手续费 | 时限 |", "|---|---|---|"]
        assert passage.path == ("费用",) and passage.tokens <= PASSAGE_TOKENS
        told += lines[2:]
    assert told == rows


def test_a_list_is_cut_between_entries_with_what_is_nested_in_them() -> None:
    entries = [f"- Step {number}: pack the parcel well\n  - with paper\n  - and tape" for number in range(30)]
    passages = cut_passages(markdown_blocks("\n".join(entries)))
    assert len(passages) > 1
    assert all(
        passage.text.startswith("- Step") and passage.text.endswith("and tape") for passage in passages
    )
    assert "\n".join(passage.text for passage in passages) == "\n".join(entries)


def test_a_code_block_is_no_heading_and_stays_in_one_piece() -> None:
    passages = cut_passages(markdown_blocks("# A\n\n```\n# not B\n| not | a table |\n```"))
    assert [(passage.path, passage.text) for passage in passages] == [
        (("A",), "```\n# not B\n| not | a table |\n```")
    ]


def test_headings_of_the_same_depth_replace_each_other() -> None:
    text = "# A\n\n### C\n\none\n\n## B\n\ntwo\n\nUnderlined\n==========\n\nthree"
    assert [passage.path for passage in cut_passages(markdown_blocks(text))] == [
        ("A", "C"),
        ("A", "B"),
        ("Underlined",),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("七天退货。运费自理！真的吗？好；行", ["七天退货。", "运费自理！", "真的吗？", "好；", "行"]),
        ("Free returns. Costs 1.5 USD! Really?", ["Free returns. ", "Costs 1.5 USD! ", "Really?"]),
        ("他说“免费。”然后走了。", ["他说“免费。”", "然后走了。"]),
    ],
)
def test_sentences_end_where_chinese_and_english_end_them(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


def test_a_sentence_without_an_end_is_cut_all_the_same() -> None:
    passages = cut_passages(plain_blocks("退货" * 2_000))
    assert all(passage.tokens <= PASSAGE_TOKENS for passage in passages)
    assert "".join(passage.text for passage in passages) == "退货" * 2_000


def test_a_row_longer_than_anybody_reads_is_refused() -> None:
    with pytest.raises(FileRefused) as caught:
        cut_passages(markdown_blocks("| a |\n|---|\n| " + "长" * 9_000 + " |"))
    assert caught.value.code == "unit_too_long"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="退货。！a b.\n?1", max_size=400), max_size=8))
def test_no_word_of_prose_is_lost_or_told_twice(paragraphs: list[str]) -> None:
    text = "\n\n".join(paragraphs)
    passages = cut_passages(plain_blocks(text))
    assert "".join("".join(passage.text for passage in passages).split()) == "".join(text.split())
    assert all(passage.tokens == count_tokens(passage.text) for passage in passages)
