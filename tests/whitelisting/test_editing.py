"""Edits of the whitelist: versioned, explained, refused where stored values would become wrong."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes.deciding import approve
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.models import AuditEntry, FieldDefinition, FieldVersion, Review, WhitelistEdit
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import (
    add_alias,
    create_field,
    create_form_type,
    edit_field,
    edit_form_type,
    restore_field,
    version_of,
)
from tests.builders import make_source, make_workspace
from tests.reviews.reviewing import decider
from tests.whitelisting.conftest import Whitelisted

CITY = "user_profile.location"


def refusal(desk: Whitelisted, name: str, **changes: Any) -> tuple[str, str, dict[str, Any]]:
    before = values_of(desk.find(name))
    with pytest.raises(InvalidInput) as caught:
        desk.edit(name, **changes)
    assert values_of(desk.find(name)) == before
    return caught.value.field, caught.value.code, caught.value.details


def test_an_edit_is_a_version_with_who_when_why_and_both_sides(desk: Whitelisted) -> None:
    desk.edit(CITY, label_en="Home town", review_mode="gate")
    start, edit = WhitelistEdit.objects.filter(field=desk.find(CITY)).order_by("version")
    assert (start.version, start.action, start.before, start.user_id) == (1, "start", None, None)
    assert (edit.version, edit.action, edit.reason, edit.user_id) == (
        2,
        "edit",
        "as told",
        desk.editor.user_id,
    )
    assert edit.before == start.after
    assert {key for key in edit.after if edit.after[key] != edit.before[key]} == {"label_en", "review_mode"}
    entry = AuditEntry.objects.get(action="whitelist.edit")
    assert entry.details == {"version": 2, "columns": ["label_en", "review_mode"]}


def test_an_edit_counts_for_the_next_write(desk: Whitelisted) -> None:
    assert desk.write(CITY, "Leeds").outcome == "stored"
    desk.edit(CITY, review_mode="gate")
    assert desk.write(CITY, "Porto").outcome == "in_review"


def test_an_earlier_version_is_restored_as_a_new_one(desk: Whitelisted) -> None:
    before = values_of(desk.find(CITY))
    desk.edit(CITY, review_mode="gate")
    row = restore_field(
        editor=desk.editor, form_type="user_profile", name="location", expected_version=2, version=1
    )
    assert values_of(row) == before
    newest = WhitelistEdit.objects.filter(field=row).latest("version")
    assert (newest.version, newest.action, newest.restored_version) == (3, "restore", 1)
    with pytest.raises(NotFound):
        restore_field(
            editor=desk.editor, form_type="user_profile", name="location", expected_version=3, version=9
        )


def test_an_edit_of_what_somebody_edited_meanwhile_is_refused(desk: Whitelisted) -> None:
    stale = version_of(desk.find(CITY))
    desk.edit(CITY, label_en="Home town")
    with pytest.raises(VersionMoved):
        edit_field(
            editor=desk.editor,
            form_type="user_profile",
            name="location",
            expected_version=stale,
            values={**values_of(desk.find(CITY)), "label_en": "Town"},
        )


def test_a_change_that_stored_values_would_break_is_refused_with_their_number(desk: Whitelisted) -> None:
    desk.write(CITY, "Leeds")
    desk.write("preferences.attitude", "likes", subject="tea")
    desk.write("preferences.attitude", "likes", subject="fish")
    desk.write("preferences.attitude", "dislikes", subject="rain")
    desk.write("user_profile.budget", 5000)
    assert refusal(desk, CITY, value_type="number") == (
        "value_type",
        "stored_values",
        {"rule": "wrong_type", "count": 1},
    )
    assert refusal(desk, "preferences.attitude", choices=["dislikes", "loves"]) == (
        "choices",
        "stored_values",
        {"rule": "not_a_choice", "count": 2},
    )
    assert refusal(desk, CITY, max_length=3)[2] == {"rule": "too_long", "count": 1}
    assert refusal(desk, "user_profile.budget", maximum=100.0)[2] == {"rule": "out_of_range", "count": 1}
    assert refusal(desk, CITY, multi_valued=True)[:2] == ("multi_valued", "stored_values")


def test_what_no_live_value_uses_may_go(desk: Whitelisted) -> None:
    desk.write("preferences.attitude", "likes", subject="tea")
    desk.edit("preferences.attitude", choices=["likes"])
    desk.edit(CITY, value_type="number")
    assert desk.write(CITY, "Leeds").code == "wrong_type"


def test_the_check_of_stored_values_is_one_statement_however_many_there_are(desk: Whitelisted) -> None:
    counts = []
    for names in (["ann"], [f"n{number}" for number in range(12)]):
        for name in names:
            desk.write("preferences.attitude", "likes", subject=name)
        with CaptureQueriesContext(connection) as captured:
            desk.edit("preferences.attitude", choices=["likes", "dislikes", f"loves {len(names)}"])
        counts.append(len(captured))
    assert counts[0] - 1 == counts[1]  # the first edit also writes down what stood before it


def test_a_deactivated_field_takes_no_more_and_stays_readable(desk: Whitelisted) -> None:
    desk.write(CITY, "Leeds")
    desk.edit(CITY, active=False)
    assert desk.write(CITY, "Porto").code == "field_not_allowed"
    answer = recall(
        workspace_id=desk.workspace.id,
        owner_id=desk.owner.id,
        request=RecallRequest(query="Leeds"),
        caller=Caller(agent_id=desk.source.agent_id),
    )
    assert "Leeds" in answer.text


@pytest.mark.parametrize(
    ("spelling", "taken"), [("ADDRESS", "address"), ("ａｄｄｒｅｓｓ", "address"), ("收貨地址", "收货地址")]
)
def test_an_alias_that_names_another_field_is_refused_however_it_is_spelt(
    desk: Whitelisted, spelling: str, taken: str
) -> None:
    assert taken in desk.find("contact.address").aliases
    field, code, details = refusal(desk, CITY, aliases=[*desk.find(CITY).aliases, spelling])
    assert (field, code, details) == (
        "aliases",
        "alias_taken",
        {"alias": spelling, "field": "contact.address"},
    )
    with pytest.raises(InvalidInput):
        add_alias(editor=desk.editor, field_id=desk.find(CITY).id, alias=spelling)


def test_an_alias_may_name_two_fields_when_that_is_said(desk: Whitelisted) -> None:
    row = desk.find(CITY)
    values = {**values_of(row), "aliases": [*row.aliases, "address"]}
    edit_field(
        editor=desk.editor,
        form_type="user_profile",
        name="location",
        expected_version=1,
        values=values,
        share_aliases=True,
    )
    desk.edit(CITY, label_en="Town")  # and stays
    assert "address" in desk.find(CITY).aliases
    with pytest.raises(InvalidInput):
        desk.edit(CITY, aliases=[*desk.find(CITY).aliases, "Address"])  # twice on one field


def test_two_people_cannot_give_one_alias_to_two_fields_at_once(desk: Whitelisted) -> None:
    ids = [desk.find(CITY).id, desk.find("contact.email").id]
    outcomes: list[str] = []

    def give(field_id: Any) -> None:
        try:
            add_alias(editor=desk.editor, field_id=field_id, alias="burrow")
            outcomes.append("given")
        except InvalidInput as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=give, args=(field_id,)) for field_id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["alias_taken", "given"]


def test_an_agent_of_another_workspace_is_no_writer(desk: Whitelisted) -> None:
    foreign = make_source(make_workspace())
    assert refusal(desk, CITY, writer_agents=[str(foreign.agent_id)])[:2] == ("writer_agents", "unknown")
    desk.edit(CITY, writer_agents=[str(desk.source.agent_id)])
    assert desk.write(CITY, "Leeds").outcome == "stored"
    assert desk.write(CITY, "Porto", source=make_source(desk.workspace)).code == "writer_not_allowed"


def test_new_types_and_fields_are_written_to_at_once(desk: Whitelisted) -> None:
    create_form_type(editor=desk.editor, name="vehicle", values={"label_en": "Vehicle", "label_zh": "车辆"})
    values = {
        **values_of(desk.find(CITY)),
        "label_en": "Plate",
        "label_zh": "车牌",
        "aliases": ["plate", "车牌"],
    }
    create_field(editor=desk.editor, form_type="vehicle", name="plate", values=values)
    assert desk.write("vehicle.plate", "AB-123").outcome == "stored"
    for name, code in (("plate", "taken"), ("Plate!", "bad_name")):
        with pytest.raises(InvalidInput) as caught:
            create_field(editor=desk.editor, form_type="vehicle", name=name, values=values)
        assert caught.value.code == code
    edit_form_type(
        editor=desk.editor,
        name="vehicle",
        expected_version=1,
        values={"label_en": "Car", "label_zh": "汽车"},
    )
    assert FieldDefinition.objects.get(name="plate").form_type.label_en == "Car"


def test_a_foreign_field_is_as_unknown_as_none(desk: Whitelisted) -> None:
    foreign = Whitelisted()
    row = foreign.find(CITY)
    with pytest.raises(NotFound):
        add_alias(editor=desk.editor, field_id=row.id, alias="burrow")


def test_a_proposal_that_the_field_does_not_take_any_more_cannot_be_approved(desk: Whitelisted) -> None:
    desk.edit(CITY, review_mode="gate")
    first = desk.write(CITY, "Leeds")
    assert first.outcome == "in_review" and first.change_id is not None
    desk.edit(CITY, value_type="number")
    review = Review.objects.of(desk.owner.id).get(change_id=first.change_id)
    user = User.objects.create_user("rita")
    with pytest.raises(InvalidInput) as caught:
        approve(decider=decider(user, review))
    assert (caught.value.field, caught.value.code) == ("value", "wrong_type")
    desk.edit(CITY, value_type="text")
    approve(decider=decider(user, review))
    assert FieldVersion.objects.of(desk.owner.id).filter(value="Leeds", status="active").count() == 1
