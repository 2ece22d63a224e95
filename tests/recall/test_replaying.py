"""A recall asked again as at its moment: what was true, which policy, whose words; and what it would be now."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from memoryhub.database.scope import scope
from memoryhub.models import FieldDefinition, Recall
from memoryhub.recall.answers import Caller, RecallAnswer
from memoryhub.recall.pipeline import recall
from memoryhub.recall.replaying import request_of
from memoryhub.whitelisting.editing import Editor, add_alias
from tests.builders import put_policy
from tests.recall.stories import Story, begin, texts


def logged(story: Story, asked: RecallAnswer) -> Recall:
    assert asked.recall_id
    with scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="recall"):
        return Recall.objects.of(story.owner.id).get(id=asked.recall_id)


def again(story: Story, asked: RecallAnswer, *, as_then: bool) -> RecallAnswer:
    row = logged(story, asked)
    return recall(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        request=request_of(row, as_then=as_then),
        caller=Caller(),
    )


@pytest.fixture
def story(committing_db: str) -> Story:
    return begin()


def test_then_and_now_differ_in_what_has_changed_since(story: Story) -> None:
    story.field("user_profile.location", "Leeds")
    story.item("Keeps a parrot.")
    story.index()
    question = "Where does she live, and does she keep a parrot?"
    asked = story.recall(question)
    version: Any = FieldDefinition.objects.get(
        form_type__workspace_id=story.source.workspace_id, name="location"
    )
    story.field("user_profile.location", "York", explicit_correction=True)
    story.item("Keeps a grey cat.")
    story.index()
    put_policy(workspace_id=story.source.workspace_id, top_k=0)
    user = User.objects.create_user("eve")
    editor = Editor(workspace_id=story.source.workspace_id, user_id=user.pk, reason="asked for")
    add_alias(editor=editor, field_id=version.id, alias="dwelling")

    then, now = again(story, asked, as_then=True), again(story, asked, as_then=False)
    assert sorted(texts(then)) == sorted(texts(asked))
    assert any("Leeds" in text for text in texts(then)) and "Keeps a parrot." in texts(then)
    assert not any("York" in text or "grey" in text for text in texts(then))
    assert any("York" in text for text in texts(now)) and "Keeps a parrot." not in texts(now)
    assert (then.recall_id, now.recall_id) == (None, None), "a look at the log is not logged as a question"
    assert then.policy_version_id == asked.policy_version_id != now.policy_version_id

    named = story.recall("What is her dwelling?")
    assert named.legs["forms"].found == 1
    assert again(story, named, as_then=True).legs["forms"].found == 1
    row = logged(story, asked)
    row.query = "What is her dwelling?"
    before = recall(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        request=request_of(row, as_then=True),
        caller=Caller(),
    )
    assert before.legs["forms"].found == 0, "then nobody had called the field so"


def test_the_values_of_the_conversation_are_those_of_then(story: Story) -> None:
    from tests.sessions.talking import talk

    chat = talk(story=story)
    chat.put("order:A", "address", "12 Main Street")
    asked = story.recall("What is the address of order A?", session_ref=chat.ref)
    assert any("12 Main Street" in text for text in texts(asked, "session"))
    chat.put("order:A", "address", "7 Oak Lane")
    then, now = again(story, asked, as_then=True), again(story, asked, as_then=False)
    assert texts(then, "session") == texts(asked, "session")
    assert any("7 Oak Lane" in text for text in texts(now, "session"))
