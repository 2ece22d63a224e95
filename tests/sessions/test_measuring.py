"""The hit rate of the session layer: what counts, and when somebody should look."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.database.scope import scope
from memoryhub.sessions.measuring import HitRate, session_hit_rate
from tests.recall.stories import begin
from tests.sessions.talking import talk

pytestmark = pytest.mark.django_db


def rate_of(workspace_id: object, *, days_later: int = 0) -> HitRate:
    now = datetime.now(UTC) + timedelta(days=days_later)
    with scope(workspace_id=workspace_id, owners="workspace", purpose="desk"):  # type: ignore[arg-type]
        return session_hit_rate(workspace_id=workspace_id, now=now)  # type: ignore[arg-type]


def test_recalls_in_a_session_with_values_are_counted_and_no_others() -> None:
    chat = talk()
    story, workspace_id = chat.story, chat.story.source.workspace_id
    story.recall("order A", session_ref=chat.ref)
    chat.put("order:A", "address", "12 Main Street")
    assert rate_of(workspace_id) == HitRate(asked=0, hits=0)
    story.recall("address of order A", session_ref=chat.ref)
    story.recall("address of order B", session_ref=chat.ref)
    story.recall("address of order A")
    story.recall("address of order A", session_ref=chat.ref, evaluation=True)
    other = talk(story=begin())
    other.put("order:A", "address", "x")
    other.story.recall("address of order A", session_ref=other.ref)
    assert rate_of(workspace_id) == HitRate(asked=2, hits=1)
    assert rate_of(workspace_id, days_later=8) == HitRate(asked=0, hits=0)


@pytest.mark.parametrize(
    ("asked", "hits", "low"), [(20, 16, False), (20, 15, True), (19, 0, False), (0, 0, False)]
)
def test_a_rate_is_low_below_eighty_percent_of_enough_recalls(asked: int, hits: int, low: bool) -> None:
    assert HitRate(asked=asked, hits=hits).is_low is low
