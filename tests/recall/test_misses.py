"""Questions that name no field, as terms somebody could make aliases of."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.models import FieldDefinition, Owner, Workspace
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.misses import MissedTerm, missed_terms, terms_of
from memoryhub.recall.pipeline import recall
from memoryhub.whitelisting.editing import Editor, add_alias
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What's my dwelling?", ["dwelling"]),
        ("what is the wifi password", ["wifi password"]),
        ("我的月供是多少", ["月供"]),
        ("請問我的門牌在哪裡", ["门牌"]),
        ("order A-1042 of 2026", ["order"]),
        ("请问 wifi 密码是什么？", ["wifi", "密码"]),
        ("please tell me who i am", []),
        ("red green blue yellow", ["red", "green", "blue", "yellow"]),
        ("", []),
    ],
)
def test_a_term_is_what_is_left_without_the_asking(question: str, terms: list[str]) -> None:
    assert terms_of(question) == terms


def ask(owner: Owner, question: str) -> int:
    """The number of lines of the forms leg."""
    answer = recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query=question),
        caller=Caller(),
    )
    return answer.legs["forms"].found


def found(workspace: Workspace) -> dict[str, MissedTerm]:
    since = timezone.now() - timedelta(days=30)
    return {row.term: row for row in missed_terms(workspace_id=workspace.id, since=since)}


def test_misses_are_counted_until_an_alias_answers_them(committing_db: str) -> None:
    workspace = make_workspace()
    source = make_source(workspace)
    ann, bob = make_owner(source), make_owner(source)
    write_field(owner_id=ann.id, form_type="user_profile", field="location", value="Leeds", source=source)
    for owner in (ann, ann, bob):
        assert ask(owner, "What is my dwelling?") == 0
    ask(ann, "Which city do I live in?")
    term = found(workspace)["dwelling"]
    assert (term.asked, len(term.owners)) == (3, 2)
    assert term.unanswered >= 1  # Bob has nothing at all
    assert "city" not in found(workspace)
    city = FieldDefinition.objects.get(form_type__workspace=workspace, name="location")
    user = User.objects.create_user("editor")
    editor = Editor(workspace_id=workspace.id, user_id=user.pk, reason="asked for")
    add_alias(editor=editor, field_id=city.id, alias=term.term)
    assert ask(ann, "What is my dwelling?") == 1
    assert "dwelling" not in found(workspace)


def test_a_field_that_was_told_all_the_same_is_suggested(committing_db: str) -> None:
    workspace = make_workspace()
    source = make_source(workspace)
    owner = make_owner(source)
    write_field(
        owner_id=owner.id,
        form_type="user_profile",
        field="location",
        value="dwelling in Leeds",
        source=source,
    )
    ask(owner, "my dwelling")
    term = found(workspace)["dwelling"]
    assert term.suggested == FieldDefinition.objects.get(form_type__workspace=workspace, name="location").id


def test_a_traditional_question_finds_a_simplified_alias(committing_db: str) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    write_field(owner_id=owner.id, form_type="user_profile", field="budget", value=5000, source=source)
    assert ask(owner, "我的預算是多少") == 1


def test_looking_costs_as_many_statements_for_many_as_for_one(committing_db: str) -> None:
    workspace = make_workspace()
    owner = make_owner(make_source(workspace))
    counts = []
    for words in (["dwelling"], ["burrow", "lodge", "hearth", "den"]):
        for word in words:
            ask(owner, f"my {word}")
        with CaptureQueriesContext(connection) as captured:
            assert set(words) <= set(found(workspace))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_another_workspaces_questions_are_not_seen(committing_db: str) -> None:
    owner = make_owner(make_source(make_workspace()))
    ask(owner, "my dwelling")
    assert found(make_workspace()) == {}
