"""Every code that is stored has a word at the desk."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import models
from django.utils import translation

from memoryhub import models as stored
from memoryhub.recall import answers, events
from memoryhub.starter_fields import STARTER_FIELDS
from memoryhub.writing import candidates
from reviews.labels import WORDS, tone_for, word_for

ROOT = Path(settings.BASE_DIR)


@pytest.mark.parametrize(
    ("vocabulary", "choices"),
    [
        ("owner_kind", stored.Owner.Kind),
        ("owner_state", stored.Owner.State),
        ("role", stored.Event.Role),
        ("event_state", stored.Event.State),
        ("tier", stored.Event.Tier),
        ("tier", stored.FieldVersion.Tier),
        ("status", stored.FieldVersion.Status),
        ("status", stored.MemoryItem.Status),
        ("basis", stored.Basis),
        ("item_kind", stored.MemoryItem.Kind),
        ("change_state", stored.Change.State),
        ("target", stored.Change.Target),
        ("job_state", stored.Job.State),
    ],
)
def test_every_choice_of_a_column_has_a_word(vocabulary: str, choices: type[models.TextChoices]) -> None:
    assert set(choices.values) <= WORDS[vocabulary].keys()


@pytest.mark.parametrize(
    ("vocabulary", "literal"),
    [
        ("outcome", candidates.Outcome),
        ("entry_kind", answers.Kind),
        ("section", answers.Section),
        ("certainty", answers.Certainty),
    ],
)
def test_every_value_of_a_literal_type_has_a_word(vocabulary: str, literal: Any) -> None:
    assert set(literal.__value__.__args__) <= WORDS[vocabulary].keys()


def test_every_reason_of_the_write_path_has_a_word() -> None:
    makers = {"Verdict", "Admission", "Settlement", "Refusal"}
    codes = set(_keyword_texts("memoryhub/writing", "code", of=makers))
    codes |= set(_keyword_texts("memoryhub/writing", "fault"))
    codes |= {code for maker in makers for code in _positional_texts("memoryhub/writing", maker)}
    assert codes - WORDS["reason"].keys() == set()


def test_every_rule_of_the_read_path_has_a_word() -> None:
    assert set(_keyword_texts("memoryhub/recall", "rule")) - WORDS["rule"].keys() == set()
    assert set(_positional_texts("memoryhub/recall", "leave_out", at=2)) - WORDS["rule"].keys() == set()
    standings = set(events.Standing.__value__.__args__) - {"stands", "partly_superseded"}
    assert standings - WORDS["rule"].keys() == set()
    assert set(_keyword_texts("memoryhub/recall", "note")) - WORDS["leg_note"].keys() == set()


def test_every_kind_of_job_and_choice_of_a_field_has_a_word() -> None:
    kinds = {
        kind
        for folder in ("memoryhub/jobs", "memoryhub/writing")
        for kind in _keyword_texts(folder, "kind", of={"enqueue"})
    }
    assert kinds - WORDS["job_kind"].keys() == set()
    choices = {choice for field in STARTER_FIELDS for choice in field.choices}
    assert choices - WORDS["choice"].keys() == set()


def _calls(folder: str) -> Iterator[ast.Call]:
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def _keyword_texts(folder: str, name: str, *, of: Collection[str] = ()) -> Iterator[str]:
    for call in _calls(folder):
        if of and _name(call) not in of:
            continue
        for keyword in call.keywords:
            if keyword.arg == name:
                yield from _texts(keyword.value)


def _positional_texts(folder: str, function: str, *, at: int = 0) -> Iterator[str]:
    for call in _calls(folder):
        if _name(call) == function and len(call.args) > at:
            yield from _texts(call.args[at])


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts an expression may become: itself, or the two sides of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def test_a_code_without_a_word_is_shown_as_it_is() -> None:
    assert word_for("never_heard_of", "reason") == "never_heard_of"
    assert tone_for("never_heard_of", "status") == "bg-neutral"


def test_a_family_of_codes_shares_its_word() -> None:
    assert word_for("secret:api_key", "reason") == "a secret (api_key)"
    with translation.override("zh-hans"):
        assert word_for("secret:api_key", "reason") == "机密 (api_key)"
