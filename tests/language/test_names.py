"""One key for each name, and look-alikes told from spellings."""

from __future__ import annotations

import pytest

from memoryhub.language.names import is_lookalike, name_key, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KX-117", "kx-117"),
        ("ＫＸ－１１７", "KX-117"),
        ("蘇州", "苏州"),
        ("Atlas\u200b", "atlas"),
        (" 預算 ", "预算"),
    ],
)
def test_spellings_of_a_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert not is_lookalike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("p\u0430ypal", "paypal"), ("B1O", "B10"), ("KX-11l", "KX-111"), ("Аtlas", "Atlas"), ("Zoё", "Zoé")],
)
def test_look_alikes_have_one_skeleton_and_two_keys(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert is_lookalike(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("KX-117", "KX-118"), ("苏州", "杭州"), ("Ann", "Anna"), ("方案A", "方案B")]
)
def test_other_names_are_other_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert not is_lookalike(one, other)
