from __future__ import annotations

import pytest

from memoryhub.models import new_id
from memoryhub.recall.asking import Question, ask, mentions
from memoryhub.recall.knowing import Field
from memoryhub.starter_fields import STARTER_FIELDS
from tests.recall.candidates import NOW

FIELDS = tuple(
    Field(
        new_id(),
        field.form_type,
        field.name,
        field.label_en,
        field.label_zh,
        field.aliases,
        field.safety,
        field.multi_valued,
    )
    for field in STARTER_FIELDS
)
NAMES = {field.id: f"{field.form_type}.{field.name}" for field in FIELDS}


def asked(text: str) -> Question:
    return ask(text=text, entities=(), fields=FIELDS, now=NOW, zone="Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("预算", {"user_profile.budget", "project_config.max_budget"}),
        ("预算是多少", {"user_profile.budget", "project_config.max_budget"}),
        ("预算上限是多少", {"project_config.max_budget"}),
        ("what is the BUDGET?", {"user_profile.budget", "project_config.max_budget"}),
        ("budgets of last year", {"user_profile.budget", "project_config.max_budget"}),
        ("我的ｖｉｐ等级", {"user_profile.membership"}),
        ("那台设备报修派单了没有", {"incident.device", "incident.subject", "incident.status"}),
        (
            "tech stack",
            {"project_config.programming_language", "project_config.framework", "project_config.database"},
        ),
        ("有什么零食推荐", set()),
        ("the petition was planned", set()),
        ("I am unlikely to be delivered", set()),
    ],
)
def test_aliases_name_their_fields_in_both_languages(text: str, named: set[str]) -> None:
    assert {NAMES[field_id] for field_id in asked(text).fields} == named


def test_times_codes_and_names_are_read() -> None:
    question = asked("What did Anna Lee say about SR-0521 last week?")
    assert {"Anna Lee", "SR-0521"} <= set(question.names)
    assert [(time.start.isoformat(), time.end.isoformat()) for time in question.times] == [
        ("2026-05-24T16:00:00+00:00", "2026-05-31T16:00:00+00:00")
    ]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("为什么改用方案B", "history"),
        ("最近怎么样", "recent"),
        ("派单了没有", "promise"),
        ("why did we switch?", "history"),
    ],
)
def test_the_intent_is_read(text: str, intent: str) -> None:
    assert intent in asked(text).intents


def test_a_latin_name_must_stand_as_a_word_and_a_chinese_one_may_stand_anywhere() -> None:
    assert mentions("where is al?", "Al")
    assert not mentions("where is alice?", "Al")
    assert mentions("张伟的电话", "张伟")
    assert not mentions("anything", " ")


def test_a_question_without_words_is_a_question() -> None:
    assert asked("").tokens == ()
    assert asked("?!…").fields == {}


def test_no_fields_at_all_is_fine() -> None:
    assert ask(text="budget", entities=("X",), fields=(), now=NOW, zone="UTC").names == ("X",)
