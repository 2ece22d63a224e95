"""Time passes: values run out, and a conversation nobody goes on with ends by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.models import MemoryItem, Owner, Session, SessionSlot
from memoryhub.sessions.asking import NewSlot
from memoryhub.sessions.expiring import Expired, expire_sessions
from tests.recall.stories import begin
from tests.sessions.talking import Talk, talk

pytestmark = pytest.mark.django_db


def after(chat: Talk, minutes: int) -> Expired:
    """What a run so many minutes from now does."""
    return expire_sessions(
        workspace_id=chat.story.source.workspace_id, now=datetime.now(UTC) + timedelta(minutes=minutes)
    )


def test_values_run_out_and_the_session_ends_when_nobody_speaks_in_it() -> None:
    chat = talk()
    chat.put("order:A", "gift_wrap", "red", importance=0.7)
    assert after(chat, 29) == Expired()
    assert after(chat, 31) == Expired(slots=1)
    assert chat.versions("order:A", "gift_wrap") == [("red", "deprecated", "timeout")]
    assert after(chat, 61) == Expired(sessions=1)
    session = Session.objects.of(chat.story.owner.id).get()
    assert (session.state, session.ended_by) == ("ended", "timeout")
    assert after(chat, 61) == Expired(), "a second run finds nothing"


def test_what_ran_out_last_is_kept_for_good_all_the_same() -> None:
    chat = talk()
    chat.put("order:A", "gift_wrap", "red", importance=0.7)
    after(chat, 61)
    after(chat, 61)
    assert MemoryItem.objects.of(chat.story.owner.id).get().content == "A · gift wrap: red"
    assert SessionSlot.objects.of(chat.story.owner.id).get().fate == "promoted"


def test_a_session_with_something_standing_goes_on() -> None:
    chat = talk()
    chat.put_all(NewSlot(context="task:7", name="deadline", value="Friday", lifetime_seconds=86_400))
    assert after(chat, 120) == Expired()


def test_frozen_owners_are_left_as_they_are() -> None:
    chat = talk()
    chat.put("order:A", "address", "浦东")
    Owner.objects.filter(id=chat.story.owner.id).update(state="frozen")
    assert after(chat, 61) == Expired()


def test_one_workspace_is_swept_at_a_time() -> None:
    mine, other = talk(), talk(story=begin())
    for chat in (mine, other):
        chat.put("order:A", "address", "浦东")
    assert after(mine, 31) == Expired(slots=1)
    assert other.versions("order:A", "address")[0][1] == "active"
