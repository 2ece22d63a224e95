"""The words of a diagnosis, and the way it draws."""

from __future__ import annotations

from typing import get_args
from uuid import uuid4

import pytest

from api.serializers.diagnosing import FINDING_KINDS
from memoryhub.diagnosing.answers import HOWS, STEPS, Finding
from memoryhub.recall.answers import Kind
from reviews.diagnosis_words import as_way, code_in_words
from reviews.labels import WORDS


def test_every_step_kind_and_way_of_finding_has_a_word() -> None:
    assert set(STEPS) <= WORDS["diagnosis_step"].keys()
    assert set(HOWS) <= WORDS["found_by"].keys()
    assert set(FINDING_KINDS) <= WORDS["finding_kind"].keys()
    assert set(get_args(Kind.__value__)) - {"event", "item"} <= set(FINDING_KINDS)


def test_the_way_is_passed_up_to_the_step_that_lost_it() -> None:
    way = as_way("superseded")
    assert [state for _step, state in way] == ["passed"] * 5 + ["lost"] + ["ahead"] * 5
    assert as_way("served")[-1] == ("served", "reached")


@pytest.mark.parametrize(
    ("step", "code", "word"),
    [
        ("screened", "greeting", "a greeting"),
        ("outranked", "top_k", "beyond the number of fragments"),
        ("expired_or_cold", "expired", "expired"),
        ("served", "forms", "form"),
        ("filtered", "unheard_of", "unheard_of"),
    ],
)
def test_a_code_is_said_in_the_words_of_its_step(step: str, code: str, word: str) -> None:
    finding = Finding(step=step, code=code, target_id=uuid4())  # type: ignore[arg-type]
    assert code_in_words(finding) == word
