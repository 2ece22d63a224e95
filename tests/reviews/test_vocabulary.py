"""The vocabulary pages: kinds are added and edited in versions, and what is stored keeps its shape."""

from __future__ import annotations

from django.urls import reverse

from memoryhub.models import AuditEntry, RelationKind, VocabularyEdit
from memoryhub.relating.vocabulary import values_of
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured_relations import write_relations
from tests.builders import make_source
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_owner


def sent(kind: RelationKind, **changed: object) -> dict[str, object]:
    """What the edit form posts for a kind as it stands, with what is changed."""
    values = {
        name: "\n".join(value) if isinstance(value, list) and name != "attributes" else value
        for name, value in (values_of(kind) | changed).items()
    }
    return {name: value for name, value in values.items() if value is not False} | {"reason": "clearer"}


def test_a_relation_is_renamed_in_a_version_and_agents_are_told(desk: Desk) -> None:
    client = desk.client()
    kind = RelationKind.objects.get(workspace=desk.workspace, name="experienced")
    address = reverse("reviews:kind_edit", args=["relations", kind.name])
    saved = client.post(address, sent(kind, label_en="complained about") | {"version": "1"})
    assert saved.status_code == 302, saved.content.decode()
    start, edit = VocabularyEdit.objects.filter(relation_kind=kind).order_by("version")
    assert (start.action, edit.action, edit.version, edit.user_id) == ("start", "edit", 2, desk.operator.pk)
    assert edit.before is not None
    assert (edit.before["label_en"], edit.after["label_en"]) == ("had a problem with", "complained about")
    assert AuditEntry.objects.filter(action="vocabulary.edit", object_id=kind.id).count() == 1
    stale = client.post(address, sent(kind, label_en="other") | {"version": "1"})
    assert stale.status_code == 422
    page = client.get(address).content.decode()
    assert "complained about" in page and "clearer" in page
    assert client.get(reverse("reviews:kind_edit", args=["relations", "same_as"])).status_code == 404
    assert client.get(reverse("reviews:kind_edit", args=["odd", "prefers"])).status_code == 404


def test_what_is_stored_keeps_its_shape_and_a_new_kind_can_be_used(desk: Desk) -> None:
    client, owner = desk.client(), make_owner(desk.workspace, "ann")
    source = make_source(workspace_id=desk.workspace.id)
    likes = RelationCandidate(relation="prefers", to_kind="product", to_name="tea")
    write_relations(owner_id=owner.id, relations=[likes], source=source)
    kind = RelationKind.objects.get(workspace=desk.workspace, name="prefers")
    refused = client.post(
        reverse("reviews:kind_edit", args=["relations", "prefers"]),
        sent(kind, single=True) | {"version": "1"},
    )
    assert refused.status_code == 422
    new = {
        "name": "bought", "label_en": "bought", "label_zh": "买过", "target": "entity", "family": "",
        "default_importance": "0.7", "active": "on", "to_kinds": "product", "reason": "orders",
    }  # fmt: skip
    wrong = client.post(reverse("reviews:kind_new", args=["relations"]), new | {"to_kinds": "planet"})
    assert wrong.status_code == 422
    assert client.post(reverse("reviews:kind_new", args=["relations"]), new).status_code == 302
    [verdict] = write_relations(
        owner_id=owner.id,
        relations=[RelationCandidate(relation="bought", to_kind="product", to_name="tea")],
        source=source,
    )
    assert verdict.outcome == "stored"
    thing = {"name": "place", "label_en": "Place", "label_zh": "地点", "active": "on", "reason": "trips"}
    assert client.post(reverse("reviews:kind_new", args=["entities"]), thing).status_code == 302
    assert "Place" in client.get(reverse("reviews:vocabulary")).content.decode()
