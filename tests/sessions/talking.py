"""A conversation told through the real services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoryhub.database.scope import scope
from memoryhub.models import SessionSlot
from memoryhub.sessions.asking import NewSlot
from memoryhub.sessions.looking import SessionView, read_session
from memoryhub.sessions.opening import open_session
from memoryhub.sessions.setting import SlotResult, set_slots
from tests.recall.stories import Story, begin

REF = "chat-1"


@dataclass
class Talk:
    """One session of one owner. `story` is how events are said in it."""

    story: Story
    ref: str = REF

    def put(self, context: str, name: str, value: Any, **given: Any) -> SlotResult:
        return self.put_all(NewSlot(context=context, name=name, value=value, **given))[0]

    def put_all(
        self, *slots: NewSlot, replace: bool = False, now: datetime | None = None
    ) -> list[SlotResult]:
        return set_slots(
            owner_id=self.story.owner.id,
            given=self.ref,
            slots=slots,
            source=self.story.source,
            now=now or datetime.now(UTC),
            replace=replace,
        )

    def say(self, *texts: str, **given: Any) -> None:
        """Say it now, each text as an event of its own."""
        said = {"session_ref": self.ref, "occurred_at": datetime.now(UTC), **given}
        self.story.say(*texts, index=False, **said)

    def look(self, query: str | None = None) -> SessionView:
        with scope(workspace_id=self.story.source.workspace_id, owners=[self.story.owner.id], purpose="test"):
            view = read_session(owner_id=self.story.owner.id, given=self.ref, query=query)
        assert view is not None
        return view

    def values(self, context: str) -> dict[str, Any]:
        """What stands in a context, by name."""
        found = [each for each in self.look().contexts if each.context == context]
        return {slot.name: slot.value for each in found for slot in each.slots}

    def versions(self, context: str, name: str) -> list[tuple[Any, str, str]]:
        """(value, state, reason) of every version, oldest first."""
        rows = SessionSlot.objects.of(self.story.owner.id).filter(context=context, name=name)
        return [(row.value, row.state, row.reason) for row in rows.order_by("version")]


def talk(*, story: Story | None = None, ref: str = REF, locale: str = "") -> Talk:
    """An open session of a new owner, or of the owner of `story`."""
    story = story or begin(locale=locale)
    open_session(owner_id=story.owner.id, ref=ref, source=story.source)
    return Talk(story, ref)
