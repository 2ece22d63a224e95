"""The whitelist pages: what they show, how they edit, and how they refuse."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.urls import reverse

from memoryhub.models import FieldDefinition, FormType, WhitelistEdit
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import find_field, version_of
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source
from tests.reviews.conftest import Desk

FIELD = ["user_profile", "location"]
EDIT = reverse("reviews:field_edit", args=FIELD)
PAGE = reverse("reviews:whitelist_field", args=FIELD)


def row(desk: Desk) -> FieldDefinition:
    return find_field(desk.workspace.id, *FIELD)


def posted(field: FieldDefinition, **changes: Any) -> dict[str, Any]:
    """The form of a field as a browser sends it."""
    sent: dict[str, Any] = {}
    for name, value in {**values_of(field), **changes}.items():
        if isinstance(value, list):
            lines = name in ("aliases", "choices")
            sent[name] = "\n".join(value) if lines else value
        elif value is True:
            sent[name] = "on"
        elif value not in (None, False):
            sent[name] = value
    return {"version": version_of(field), "reason": "as told", "save": "1", **sent}


def city_of_somebody(desk: Desk, value: str = "Leeds") -> None:
    source = make_source(desk.workspace)
    write_field(
        owner_id=make_owner(source).id, form_type=FIELD[0], field=FIELD[1], value=value, source=source
    )


def test_the_list_names_every_field_in_the_readers_language(desk: Desk) -> None:
    client = desk.client(desk.viewer)
    page = client.get(reverse("reviews:whitelist")).content.decode()
    assert "Budget limit" in page and "tech stack" in page
    assert "Add a field" not in page
    client.cookies.load({"django_language": "zh-hans"})
    assert "预算上限" in client.get(reverse("reviews:whitelist")).content.decode()


def test_a_field_is_edited_and_its_history_says_so(desk: Desk) -> None:
    client = desk.client()
    answer = client.post(EDIT, posted(row(desk), label_en="Home town", review_mode="gate"))
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    page = client.get(PAGE).content.decode()
    assert "<ins>Home town</ins>" in page and "as told" in page and "olga" in page
    assert "<ins>waits for a person</ins>" in page


def test_looking_changes_nothing_and_says_what_would_have_changed(desk: Desk) -> None:
    city_of_somebody(desk)
    city_of_somebody(desk)
    sent = posted(row(desk), review_mode="gate", reason="")
    del sent["save"]
    answer = desk.client().post(EDIT, {**sent, "look": "1"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "2 more would wait for review, 2 fewer stored" in page
    assert "/changes/" in page
    assert row(desk).review_mode == "patrol"


def test_what_stored_values_would_break_is_refused_with_their_number(desk: Desk) -> None:
    city_of_somebody(desk)
    sent = posted(row(desk), value_type="number")
    for way in ("save", "look"):
        answer = desk.client().post(EDIT, {**{k: v for k, v in sent.items() if k != "save"}, way: "1"})
        assert answer.status_code == 422
        assert "1 stored value would break this: it is not of this type" in answer.content.decode()
    assert row(desk).value_type == "text"


def test_a_taken_alias_is_refused_and_what_was_typed_is_kept(desk: Desk) -> None:
    answer = desk.client().post(EDIT, posted(row(desk), aliases=["town", "收貨地址"]))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“收貨地址” names the field contact.address already." in page
    assert "town\n收貨地址" in page
    shared = posted(row(desk), aliases=["town", "收貨地址"]) | {"share_aliases": "on"}
    assert desk.client().post(EDIT, shared).status_code == 302


def test_a_stale_form_is_refused(desk: Desk) -> None:
    stale = posted(row(desk), label_en="Town")
    desk.client().post(EDIT, posted(row(desk), label_en="Home town"))
    answer = desk.client().post(EDIT, stale)
    assert answer.status_code == 422
    assert "Somebody changed this" in answer.content.decode()
    assert row(desk).label_en == "Home town"


def test_without_a_reason_nothing_is_saved(desk: Desk) -> None:
    answer = desk.client().post(EDIT, posted(row(desk), label_en="Town", reason=" "))
    assert answer.status_code == 422
    assert not WhitelistEdit.objects.exists()


def test_an_earlier_version_is_restored(desk: Desk) -> None:
    client = desk.client()
    client.post(EDIT, posted(row(desk), label_en="Home town"))
    restore = reverse("reviews:field_restore", args=FIELD)
    assert client.post(restore, {"version": 2, "to": 1, "reason": ""}).status_code == 422
    assert client.post(restore, {"version": 1, "to": 1, "reason": "no"}).status_code == 422
    assert client.post(restore, {"version": 2, "to": 9, "reason": "no"}).status_code == 404
    assert client.post(restore, {"version": 2, "to": 1, "reason": "back"}).status_code == 302
    assert row(desk).label_en == "Location"


def test_form_types_and_fields_are_added(desk: Desk) -> None:
    client = desk.client()
    new = reverse("reviews:form_type_new")
    labels = {"label_en": "Vehicle", "label_zh": "车辆", "reason": "we sell cars"}
    assert client.post(new, {"name": "Vehicle", **labels}).status_code == 422
    assert client.post(new, {"name": "vehicle", **labels}).status_code == 302
    assert client.post(new, {"name": "vehicle", **labels}).status_code == 422
    add = reverse("reviews:field_new", args=["vehicle"])
    field = posted(FieldDefinition(), name="plate", label_en="Plate", label_zh="车牌")
    assert client.post(add, field).status_code == 302
    assert FieldDefinition.objects.get(name="plate").form_type.name == "vehicle"
    rename = reverse("reviews:form_type_edit", args=["vehicle"])
    assert client.post(rename, {**labels, "label_en": "Car", "version": 1}).status_code == 302
    assert FormType.objects.get(name="vehicle").label_en == "Car"
    assert client.post(rename, {**labels, "label_en": "Bus", "version": 1}).status_code == 422


def test_a_field_of_another_workspace_is_not_found(desk: Desk) -> None:
    stranger = desk.client(desk.stranger)
    FormType.objects.create(workspace=desk.workspace, name="ours", label_en="O", label_zh="O")
    for address in (
        reverse("reviews:form_type_edit", args=["ours"]),
        reverse("reviews:field_new", args=["ours"]),
        reverse("reviews:whitelist_field", args=["user_profile", "nothing"]),
        reverse("reviews:field_edit", args=["nothing", "location"]),
    ):
        assert stranger.get(address).status_code == 404
    assert stranger.post(reverse("reviews:make_alias"), {"field": uuid4(), "term": "x"}).status_code == 302


def test_a_viewer_edits_nothing(desk: Desk) -> None:
    viewer = desk.client(desk.viewer)
    assert viewer.post(EDIT, posted(row(desk), label_en="Town")).status_code == 403
    assert viewer.post(reverse("reviews:make_alias"), {}).status_code == 403


def test_hostile_labels_aliases_and_reasons_are_shown_as_text(desk: Desk) -> None:
    payload = "<script>alert(1)</script>"
    client = desk.client()
    client.post(EDIT, posted(row(desk), label_en=payload, aliases=[payload], reason=payload))
    for address in (
        reverse("reviews:whitelist"),
        PAGE,
        EDIT,
        reverse("reviews:form_type_edit", args=["user_profile"]),
    ):
        page = client.get(address).content.decode()
        assert payload not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in client.get(PAGE).content.decode()


def test_refusals_are_told_in_the_readers_language(desk: Desk) -> None:
    client = desk.client()
    client.cookies.load({"django_language": "zh-hans"})
    city_of_somebody(desk)
    for changes, said in (
        ({"aliases": ["address"]}, "“address”已指向字段 contact.address。"),
        ({"aliases": ["town", "TOWN"]}, "“TOWN”重复了。"),
        ({"max_length": 5000}, "应在 1 与 2000 之间。"),
        ({"value_type": "number"}, "已存的 1 个值会违反此规则：不属于此类型。"),
        ({}, "不会有任何变化。"),
    ):
        assert said in client.post(EDIT, posted(row(desk), **changes)).content.decode()
