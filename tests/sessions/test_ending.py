"""Ending a session: what is kept for good and with which evidence, what is cleared, and the account of it."""

from __future__ import annotations

import pytest

from memoryhub.exceptions import NotFound, WrongMove
from memoryhub.models import AuditEntry, Change, FieldVersion, MemoryItem, Session, SessionSlot
from memoryhub.sessions.asking import NewSlot
from memoryhub.sessions.ending import end_session
from memoryhub.sessions.opening import open_session
from tests.builders import put_policy
from tests.recall.stories import begin
from tests.sessions.talking import Talk, talk
from tests.threads import at_once

rolls_back = pytest.mark.django_db


def end(chat: Talk) -> dict[tuple[str, str], tuple[str, str]]:
    """End it; what became of the last version of each name."""
    end_session(owner_id=chat.story.owner.id, given=chat.ref, source=chat.story.source)
    rows = SessionSlot.objects.of(chat.story.owner.id).order_by("version")
    return {(row.context, row.name): (row.fate, row.fate_code) for row in rows}


@rolls_back
def test_what_admission_accepts_is_kept_and_the_rest_is_cleared_with_the_reason() -> None:
    chat = talk(locale="zh-hans")
    (event_id,) = chat.story.say("嗯，订单 SO-77 显示已发货", session_ref="elsewhere")
    chat.put("order:SO-77", "status", "shipped", event_id=event_id, quote="订单 SO-77 显示已发货")
    chat.put("", "mood", "in a hurry")
    chat.put("order:SO-77", "gift_wrap", "red paper", importance=0.7)
    fates = end(chat)
    assert fates["order:SO-77", "status"][0] == "promoted"
    assert fates["", "mood"] == ("dropped", "low_importance")
    assert fates["order:SO-77", "gift_wrap"][0] == "promoted"
    owner_id = chat.story.owner.id
    stored = FieldVersion.objects.of(owner_id).get(field__name="status", status="active")
    assert (stored.value, stored.form.subject, stored.event_id) == ("shipped", "SO-77", event_id)
    item = MemoryItem.objects.of(owner_id).get(status="active", attribute="gift_wrap")
    assert (item.content, item.subject_entity) == ("SO-77 · gift wrap: red paper", "so-77")
    kept = SessionSlot.objects.of(owner_id).get(name="gift_wrap")
    assert kept.target_id == item.id
    assert kept.change_id is not None
    made = Change.objects.of(owner_id).get(id=kept.change_id).change_set
    assert (made.act, made.session_ref) == ("promote_slot", chat.ref), "found by a rollback of the session"


@rolls_back
def test_nothing_of_the_values_is_left() -> None:
    chat = talk()
    chat.put("order:A", "address", "浦东")
    chat.put("order:A", "address", "徐汇", quote="")
    end(chat)
    rows = SessionSlot.objects.of(chat.story.owner.id).order_by("version")
    assert [(row.value, row.value_key, row.quote, row.reason, row.fate_code) for row in rows] == [
        (None, "", "", "user_correction", "user_correction"),
        (None, "", "", "ended", "low_importance"),
    ]
    assert all(row.cleared_at for row in rows)
    session = Session.objects.of(chat.story.owner.id).get()
    assert (session.state, session.ended_by) == ("ended", "request")
    assert AuditEntry.objects.filter(action="session.ended", object_id=session.id).count() == 1


@rolls_back
def test_a_weighty_value_without_evidence_waits_for_a_person() -> None:
    chat = talk()
    chat.put("", "allergies", "peanuts")
    assert end(chat)["", "allergies"][0] == "in_review"
    change = Change.objects.of(chat.story.owner.id).get(state="proposed")
    assert SessionSlot.objects.of(chat.story.owner.id).get().change_id == change.id


@rolls_back
def test_the_trust_of_whoever_set_a_value_counts_not_of_whoever_ends() -> None:
    chat, trusted = talk(), begin().source
    chat.story.source = type(trusted)(
        workspace_id=chat.story.source.workspace_id, trust_tier=1, agent_id=chat.story.source.agent_id
    )
    chat.put("order:A", "gift_wrap", "red paper", importance=0.7)
    chat.story.source = type(trusted)(
        workspace_id=chat.story.source.workspace_id, trust_tier=4, agent_id=chat.story.source.agent_id
    )
    assert end(chat)["order:A", "gift_wrap"] == ("in_review", "low_trust")


@rolls_back
def test_a_secret_never_goes_further() -> None:
    chat = talk()
    chat.put("order:A", "note", "my password is hunter2hunter2", importance=0.9)
    assert end(chat)["order:A", "note"] == ("dropped", "secret")


@rolls_back
def test_what_an_event_settled_is_not_settled_again() -> None:
    chat = talk(locale="zh-hans")
    chat.say("我的快递单号是SF123456789，预计明天到")
    before = set(FieldVersion.objects.of(chat.story.owner.id).values_list("id", "confirmations"))
    assert end(chat)["parcel:SF123456789", "tracking_number"][0] == "promoted"
    assert set(FieldVersion.objects.of(chat.story.owner.id).values_list("id", "confirmations")) == before


@rolls_back
def test_a_corrected_value_is_not_promoted() -> None:
    chat = talk()
    chat.put("order:A", "status", "lost")
    chat.put("order:A", "status", None)
    assert end(chat)["order:A", "status"] == ("dropped", "user_correction")
    assert not FieldVersion.objects.of(chat.story.owner.id).exists()


@rolls_back
def test_a_used_up_quota_drops_the_rest_with_that_reason() -> None:
    chat = talk()
    put_policy(workspace_id=chat.story.source.workspace_id, writes_per_hour_of_owner=2)
    chat.put_all(
        NewSlot(context="order:A", name="gift_wrap", value="red", importance=0.7),
        NewSlot(context="order:B", name="gift_wrap", value="blue", importance=0.7),
    )
    assert sorted(end(chat).values()) == [("dropped", "quota_exceeded"), ("promoted", "stored")]


@rolls_back
def test_an_ended_session_does_not_end_twice_and_its_name_can_be_used_again() -> None:
    chat = talk()
    chat.put("order:A", "address", "浦东")
    end(chat)
    with pytest.raises(WrongMove):
        end(chat)
    again, is_new = open_session(owner_id=chat.story.owner.id, ref=chat.ref, source=chat.story.source)
    assert is_new
    assert chat.look().id == again.id
    assert chat.values("order:A") == {}


@rolls_back
def test_another_owners_session_is_an_unknown_one() -> None:
    chat = talk()
    other = begin(source=chat.story.source)
    with pytest.raises(NotFound):
        end_session(owner_id=other.owner.id, given=chat.ref, source=chat.story.source)


def test_ending_and_setting_at_once_lose_nothing(committing_db: str) -> None:
    chat = talk()
    chat.put("order:A", "gift_wrap", "red", importance=0.7)

    def act(number: int) -> str:
        if number:
            return chat.put("order:A", "gift_wrap", "blue", importance=0.7).outcome
        return end(chat)["order:A", "gift_wrap"][0]

    ended, written = at_once(2, act)
    assert ended == "promoted"
    kept = MemoryItem.objects.of(chat.story.owner.id).get(status="active").content
    assert kept == ("A · gift wrap: blue" if written == "set" else "A · gift wrap: red")
    assert written == "set" or isinstance(written, WrongMove)


def test_of_two_that_end_it_at_once_one_does(committing_db: str) -> None:
    chat = talk()
    chat.put("order:A", "gift_wrap", "red", importance=0.7)
    answers = at_once(2, lambda _: end(chat))
    assert sorted(type(answer).__name__ for answer in answers) == ["WrongMove", "dict"]
    assert MemoryItem.objects.of(chat.story.owner.id).count() == 1
