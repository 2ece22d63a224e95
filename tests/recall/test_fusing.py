"""Session beats user beats domain for one field; an empty layer is a miss; every line says how far and on what it is to be believed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryhub.models import FieldDefinition, FormType, new_id
from memoryhub.policies import Policy
from memoryhub.recall.answers import RecallAnswer
from memoryhub.recall.forms import FormRow
from memoryhub.recall.fusing import confidence_of, fuse, is_empty
from tests.builders import make_link, put_policy
from tests.knowledge.library import Library, open_library
from tests.recall.candidates import NOW, OWNER
from tests.recall.stories import Story, begin, texts
from tests.sessions.talking import Talk, talk

TEAM = new_id()


def row(value: Any, **given: Any) -> FormRow:
    values: dict[str, Any] = {
        "owner_id": OWNER, "id": new_id(), "holds": True, "form_type": "user_profile", "subject": "", "field_id": new_id(),
        "field": "budget", "label_en": "Budget", "label_zh": "预算", "value_type": "money", "safety": False,
        "key_attribute": False, "multi_valued": False, "version": 1, "value": value, "importance": 0.7, "confidence": 0.9,
        "basis": "stated", "trust_tier": 3, "valid_from": NOW, "valid_until": None, "last_confirmed_at": None, "quote": "",
        "event_id": None, "reason": "", "alternatives": (), "role": "user", "action": "", "being_confirmed": False,
    }  # fmt: skip
    return FormRow(**{**values, **given})


def test_a_linked_value_gives_way_to_the_owners_own_of_the_same_field_only() -> None:
    own, of_team, elsewhere = row(5), row(9, owner_id=TEAM), row(7, owner_id=TEAM, field="location")
    fused = fuse([own, of_team, elsewhere], owner_id=OWNER)
    assert fused.forms == [own, elsewhere]
    assert [(entry.target_id, entry.rule) for entry in fused.excluded] == [(of_team.id, "user_beats_domain")]
    assert fuse([of_team], owner_id=OWNER).forms == [of_team]
    assert fuse([row(5, subject="home"), of_team], owner_id=OWNER).excluded == ()


def test_rules_safety_values_and_members_of_a_list_stand_beside_the_owners_own() -> None:
    own = row("x")
    for special in ({"safety": True}, {"form_type": "business_rule"}, {"multi_valued": True}):
        general = row("y", owner_id=TEAM, **special)
        assert fuse([replace(own, form_type=general.form_type), general], owner_id=OWNER).excluded == ()


def test_an_empty_value_is_no_evidence_and_leaves_room_for_the_next_layer() -> None:
    nothings: tuple[object, ...] = (None, "", "  ", [])
    for nothing in nothings:
        assert is_empty(nothing)
        of_team = row(9, owner_id=TEAM)
        fused = fuse([row(nothing), of_team], owner_id=OWNER)
        assert fused.forms == [of_team]
        assert [entry.rule for entry in fused.excluded] == ["empty"]
    assert not is_empty(0)
    assert not is_empty(False)


def test_a_guess_is_believed_no_more_than_it_was_guessed() -> None:
    given: dict[str, Any] = {"asked": OWNER, "policy": Policy(), "confidence": 0.6}
    assert confidence_of(owner_id=OWNER, basis="stated", **given) == 0.85
    assert confidence_of(owner_id=OWNER, basis="inferred", **given) == 0.6
    assert confidence_of(owner_id=TEAM, basis="stated", **given) == 0.70


# --- end to end -----------------------------------------------------------------------------------------------------


def layers(answer: RecallAnswer) -> dict[str, str]:
    return {layer.name: layer.state for layer in answer.layers}


def with_ship_date(library: Library) -> Talk:
    """An order of which the ship date is not known, and a policy that says when orders are shipped."""
    order = FormType.objects.get(workspace_id=library.source.workspace_id, name="order")
    FieldDefinition.objects.create(
        form_type=order, name="ship_date", label_en="Ship date", label_zh="发货时间", value_type="text",
        aliases=["发货", "shipped"],
    )  # fmt: skip
    language = "zh" if library.user.locale.startswith("zh") else "en"
    library.put(
        "# 发货\n\n下单后48小时内发货。"
        if language == "zh"
        else "# Shipping\n\nOrders are shipped within 48 h.",
        authority=4,
    )
    chat = talk(story=Story(library.source, library.user))
    chat.story.field("order.status", "paid", subject="SO-77")
    chat.put("order:SO-77", "status", "paid", said_by="system")
    return chat


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "query", "answer_is", "introduced"),
    [
        ("zh-hans", "订单SO-77什么时候发货", "48小时", "按规定一般"),
        ("en", "When is order SO-77 shipped?", "48 h", "by policy, usually"),
    ],
)
def test_an_order_without_a_ship_date_is_answered_by_the_policy(
    locale: str, query: str, answer_is: str, introduced: str
) -> None:
    chat = with_ship_date(open_library(locale=locale))
    answer = chat.story.recall(query, session_ref=chat.ref)
    assert layers(answer) == {"session": "missed", "user": "missed", "domain": "answered"}
    (line,) = [entry for entry in answer.served if entry.kind == "document"]
    assert answer_is in line.text
    assert (line.confidence, line.phrase) == (0.70, introduced)
    chat.story.field("order.ship_date", "5 May", subject="SO-77")
    answer = chat.story.recall(query, session_ref=chat.ref)
    assert layers(answer)["user"] == "answered"
    assert any("5 May" in text for text in texts(answer, "forms"))
    chat.put(
        "order:SO-77", "ship_date", "7 May", form_type="order", form_subject="SO-77", field_name="ship_date"
    )
    answer = chat.story.recall(query, session_ref=chat.ref)
    assert layers(answer)["session"] == "answered"
    assert "7 May" in answer.text
    assert "5 May" not in answer.text
    assert answer.excluded_counts["session_beats_user"] >= 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "query", "session", "user"),
    [
        ("zh-hans", "订单A的地址和我住的城市", "刚才您说", "自 2026-01-01 起的记录"),
        ("en", "address of order A and the city I live in", "as you just said", "on record since 2026-01-01"),
    ],
)
def test_lines_carry_their_layers_confidence_and_a_ready_phrase(
    locale: str, query: str, session: str, user: str
) -> None:
    story = begin(locale=locale, time_zone="Asia/Shanghai")
    story.field("user_profile.location", "杭州", valid_from=NOW.replace(month=1, day=1, hour=1))
    chat = talk(story=story)
    chat.put("order:A", "address", "浦东")
    answer = story.recall(query, session_ref=chat.ref)
    told = {entry.section: (entry.confidence, entry.phrase) for entry in answer.served}
    assert told["session"] == (0.95, session)
    assert told["forms"] == (0.85, user)
    assert f"0.95, {session}" in answer.text
    since = (
        "自 2026-01-01 09:00 +08:00 起的记录"
        if locale.startswith("zh")
        else "on record since 2026-01-01 09:00"
    )
    assert since in answer.text
    put_policy(workspace_id=story.source.workspace_id, confidence_user=0.8)
    assert " 0.80 · " in story.recall(query).text


@pytest.mark.django_db
def test_a_teams_value_counts_until_the_owner_has_his_own() -> None:
    story = begin()
    team = begin(source=story.source, kind="team")
    team.field("user_profile.location", "Oslo")
    make_link(story.owner, team.owner)
    first = story.recall("which city")
    assert [(entry.text, entry.confidence) for entry in first.served] == [("Location: Oslo", 0.70)]
    assert layers(first) == {"session": "not_asked", "user": "missed", "domain": "answered"}
    story.field("user_profile.location", "Porto")
    then = story.recall("which city")
    assert [(entry.text, entry.confidence) for entry in then.served] == [("Location: Porto", 0.85)]
    assert then.excluded_counts["user_beats_domain"] == 1
