"""Whether two questions are about one subject: by field, words, names and meaning; never across codes or things."""

from __future__ import annotations

import numpy as np
import pytest

from memoryhub.models import new_id
from memoryhub.recall.knowing import Field
from memoryhub.recall.same_subject import same_subject, subject_of
from memoryhub.starter_fields import STARTER_FIELDS

FIELDS = tuple(
    Field(new_id(), f.form_type, f.name, f.label_en, f.label_zh, tuple(f.aliases), False, f.multi_valued)
    for f in STARTER_FIELDS
)


def sign(earlier: str, later: str, cosine: float | None = None) -> str | None:
    vectors = None if cosine is None else (np.array([1.0, 0.0]), np.array([cosine, 0.0]))
    found = same_subject(
        subject_of(earlier, fields=FIELDS), subject_of(later, fields=FIELDS), vectors=vectors
    )
    return found[0] if found else None


@pytest.mark.parametrize(
    ("earlier", "later", "wanted"),
    [
        ("我的预算是多少", "预算还剩多少钱", "same_field"),
        ("What is my budget?", "How much budget do I have left?", "same_field"),
        ("我的預算是多少", "预算到底多少", "same_field"),
        ("How do I export my data?", "Export of my data", "same_words"),
        ("发票怎么开", "请问发票怎么开呢？", "same_words"),
        ("Where is order B-77?", "Order B-77 still not here", "same_names"),
        ("我的预算是多少", "我的生日是哪天", None),
        ("订单A123到哪了", "订单B456到哪了", None),
        ("Where is order B-77?", "Where is order C-12?", None),
        ("How do I reset my password?", "Which cards do you accept?", None),
        ("", "发票怎么开", None),
        ("What?", "什么？", None),
    ],
)
def test_one_subject_or_two(earlier: str, later: str, wanted: str | None) -> None:
    assert sign(earlier, later) == wanted
    assert sign(later, earlier) == wanted


def test_the_meaning_decides_what_words_leave_open_and_nothing_else() -> None:
    assert sign("密码忘了怎么办", "如何重置密码", 0.9) == "meaning"
    assert sign("密码忘了怎么办", "如何重置密码", 0.8) is None
    assert sign("退货要收手续费吗", "退货手续费怎么算", 0.75) == "meaning"
    assert sign("Where is order B-77?", "Where is order C-12?", 0.99) is None
    assert sign("我的预算是多少", "我的生日是哪天", 0.99) is None


def test_names_that_the_caller_gives_keep_things_apart() -> None:
    one, other = (subject_of("How is the delivery going?", entities=[name]) for name in ("Atlas", "Borealis"))
    assert same_subject(one, other) is None
    assert same_subject(one, one) == ("same_words", 1.0)
