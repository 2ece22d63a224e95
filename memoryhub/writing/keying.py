"""Mark a sentence as a key attribute, which never fades, or take the mark off: a change like any other, that can be rolled back."""

from __future__ import annotations

from uuid import UUID

from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.models import MemoryItem
from memoryhub.models.memory import USUAL_DECAY_RATE
from memoryhub.writing.acts import Act
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.editing import edit_in_place, find_standing
from memoryhub.writing.source import Source
from memoryhub.writing.structured import close_act, open_act


@run_again_when_busy
def mark_key_attribute(
    *, owner_id: UUID, item_id: UUID, expected_seq: int, is_key: bool, source: Source, reason: str = ""
) -> Verdict:
    """Let the standing item never fade, or fade again at the rate of its kind. Marked so already: 'reinforced', `unchanged`.

    Raises NotFound, VersionMoved when `expected_seq` is not the item's, and the owner errors.
    """
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        settling = open_act(owner_id, source, name="mark_key_attribute", evidence_event_id=None, text="")
        settling.act.reason = reason
        lock_items(act=settling.act)
        item = find_standing(owner_id, item_id, expected_seq)
        if item.key_attribute == is_key:
            verdict = Verdict(outcome="reinforced", kind="item", code="unchanged", target_id=item.memory_id)
        else:
            verdict = _mark(item, is_key=is_key, act=settling.act)
        close_act(settling)
    return verdict


def _mark(item: MemoryItem, *, is_key: bool, act: Act) -> Verdict:
    labels = {"entities": list(item.entities), "metadata": item.metadata}
    before = {**labels, "key_attribute": item.key_attribute, "decay_rate": item.decay_rate}
    after = {**labels, "key_attribute": is_key, "decay_rate": 0.0 if is_key else USUAL_DECAY_RATE}
    code = "marked_key" if is_key else "unmarked_key"
    change = edit_in_place(item, before=before, after=after, act=act, reason_code=code)
    return Verdict(outcome="stored", kind="item", code=code, target_id=item.memory_id, change_id=change.id)
