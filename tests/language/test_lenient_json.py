"""Lists of entries in what models write."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.lenient_json import Entries, read_entries

A = {"event": 1, "content": 'braces } ] in "text", and \\ too', "entities": ["x", "y"]}
B = {"event": 2, "content": "用户住在苏州", "entities": []}
ONE, TWO = json.dumps(A), json.dumps(B, ensure_ascii=False)
LIST = f"[{ONE}, {TWO}]"


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        f"```json\n{LIST}\n```",
        f"```\n{LIST}",
        f"Here {{as asked}} is [the] list:\n{LIST}\nI hope {{this}} [helps].",
        f'She said "fine [sic] and 5" tall: {LIST}',
        f"[{ONE}, {TWO},]",
        f"[{ONE[:-1]},}}, {TWO},\n]",
        f'{{"memories": {LIST}}}',
        f'{{"memories": {LIST}, "count": 2}}',
        f"{ONE}\n{TWO}",
        f"{ONE},\n{TWO}",
        f'<think>maybe [{{"draft": 1}}]</think>\n{LIST}',
        f"以下是结果：\n{LIST}\n完毕。",
    ],
)
def test_form_is_put_up_with(text: str) -> None:
    assert read_entries(text) == Entries((A, B))


@pytest.mark.parametrize(
    "text", [f"[{ONE}, {TWO[:-20]}", f"[{ONE}, {TWO[:1]}", f"```json\n[{ONE},", f'{{"a": [{ONE}, {TWO[:9]}']
)
def test_what_stands_whole_before_a_cut_is_kept_and_the_cut_is_said(text: str) -> None:
    assert read_entries(text) == Entries((A,), is_cut=True)


@pytest.mark.parametrize("text", ["[", "[ \n", f"[{ONE[:20]}", "```json\n["])
def test_a_cut_before_the_first_end_leaves_nothing_but_says_so(text: str) -> None:
    assert read_entries(text) == Entries((), is_cut=True)


@pytest.mark.parametrize(
    "text",
    ["", " ", "I'm sorry, I can't help with that.", "{}", "null", "[see above]", "{not json}", "<think>[{}]"],
)
def test_no_list_is_not_an_empty_list(text: str) -> None:
    assert read_entries(text) is None


@pytest.mark.parametrize("text", ["[]", "Nothing to remember: []", '{"memories": []}', "```json\n[]\n```"])
def test_an_empty_list_is_an_answer(text: str) -> None:
    assert read_entries(text) == Entries(())


def test_strings_in_place_of_objects_are_told_apart() -> None:
    found = read_entries('["likes tea", "lives in Suzhou"]')
    assert found is not None
    assert found.values == ("likes tea", "lives in Suzhou")
    assert not found.has_objects


def test_an_entry_that_cannot_be_read_stands_as_its_text_among_the_others() -> None:
    assert read_entries(f"[{ONE}, {{'event': 3}}, {TWO}]") == Entries((A, "{'event': 3}", B))


@given(st.text(alphabet='[]{}",:\\ab1\n ', max_size=80))
def test_it_never_raises(text: str) -> None:
    found = read_entries(text)
    assert found is None or isinstance(found.values, tuple)


@given(st.integers(0, len(LIST) - 1))
def test_no_cut_of_a_list_passes_for_a_whole_one(length: int) -> None:
    found = read_entries(LIST[:length])
    assert found is None or found.is_cut
    assert found is None or all(value in (A, B) for value in found.values)


@pytest.mark.parametrize("piece", ["[", "[{", '"', '[{"a":"', '{"a":[1,2,', "{[", "<think>"])
def test_hostile_answers_take_little_time(piece: str) -> None:
    start = time.monotonic()
    read_entries(piece * 200_000)
    assert time.monotonic() - start < 3
