from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from memoryhub.models import FieldDefinition
from reviews.values import label_of, shown, told


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        (None, "—"),
        ("", "—"),
        (True, "yes"),
        (500000, "500000"),
        (2.0, "2"),
        (0.5, "0.5"),
        (["tea", True], "tea, yes"),
        ({"amount": 500, "currency": "CNY"}, "500 CNY"),
        ({"value": "Leeds", "version": 2}, "Leeds"),
        ({"content": "likes tea", "seq": 3}, "likes tea"),
        ({"a": {"b": "中"}}, '{"a": {"b": "中"}}'),
    ],
)
def test_any_stored_value_becomes_text(stored: Any, text: str) -> None:
    assert shown(stored) == text


@pytest.mark.parametrize(
    ("value_type", "stored", "text"),
    [
        ("choice", "dispatched", "dispatched"),
        ("choice", {"value": "likes", "version": 1}, "likes"),
        ("choice", "made up later", "made up later"),
        ("datetime", "2026-11-16T13:39:21.230789+00:00", "2026-11-16 21:39"),
        ("datetime", "2026-11-16T13:39:21", "2026-11-16T13:39:21"),
        ("datetime", "next week", "next week"),
        ("date", "2026-11-16", "2026-11-16"),
        ("text", "open", "open"),
    ],
)
def test_a_value_is_told_by_the_type_of_its_field(value_type: str, stored: Any, text: str) -> None:
    assert told(stored, FieldDefinition(value_type=value_type), "Asia/Shanghai") == text


def test_choices_and_labels_are_in_the_readers_language() -> None:
    field = FieldDefinition(name="status", label_en="Status", label_zh="状态", value_type="choice")
    with translation.override("zh-hans"):
        assert told("open", field, "UTC") == "待处理"
        assert shown(["茶", False]) == "茶、否"
        assert label_of(field) == "状态"
    assert label_of(field) == "Status"
    assert label_of(FieldDefinition(name="status")) == "status"
