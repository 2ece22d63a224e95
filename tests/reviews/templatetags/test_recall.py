"""How the question was taken is told in the reader's words, not in the codes that agents read."""

from __future__ import annotations

from uuid import UUID

from django.utils import translation

from memoryhub.recall.answers import Layer, PointerAnswer, RecallAnswer
from reviews.templatetags.recall import explained

ANSWER = RecallAnswer(
    recall_id=None,
    owner_id=UUID(int=1),
    notes=("没有 2026-05-03 的记录。",),
    layers=(Layer(name="user", state="answered", confidence=0.85),),
    pointers=(PointerAnswer(pointer="usual", words="老规矩", state="unresolved"),),
)


def test_codes_are_told_in_words() -> None:
    with translation.override("en"):
        told = dict(explained(ANSWER))
    assert told["layers"] == "layer: the owner's own memory · state: had the answer · confidence: 0.85"
    assert told["pointers"] == "pointer: the usual · words: 老规矩 · state: means nothing that is known"
    assert told["notes"] == "没有 2026-05-03 的记录。"


def test_in_chinese_too() -> None:
    with translation.override("zh-hans"):
        told = dict(explained(ANSWER))
    assert told["layers"].startswith("层: 归属者自己的记忆 · ")
    assert "not_asked" not in str(told) and "answered" not in str(told)
