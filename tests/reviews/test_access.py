"""Who may open what: every address of the desk is listed here with the role it needs."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, reverse

from memoryhub.models import Owner
from reviews.access import may
from reviews.urls import urlpatterns
from tests.reviews.conftest import Desk
from tests.reviews.rows import make_event, make_job, make_owner, make_version

OPEN_TO_ALL = {"login", "logout", "preference"}
ROLES = {
    "home": "viewer",
    "events_per_day": "viewer",
    "owners": "viewer",
    "owner": "viewer",
    "items": "viewer",
    "timeline": "viewer",
    "sessions": "viewer",
    "entities": "viewer",
    "entities_chart": "viewer",
    "entity": "viewer",
    "entity_merge": "operator",
    "entity_split": "operator",
    "vocabulary": "viewer",
    "kind_new": "operator",
    "kind_edit": "operator",
    "links": "viewer",
    "link_new": "operator",
    "link_end": "operator",
    "promote": "reviewer",
    "recall": "viewer",
    "recall_debugger": "viewer",
    "recalls": "viewer",
    "recall_entry": "viewer",
    "recall_judge": "reviewer",
    "recall_stats": "viewer",
    "recall_funnel": "viewer",
    "recall_terms": "viewer",
    "recall_rates": "viewer",
    "recall_session": "viewer",
    "recall_latency": "viewer",
    "diagnose": "viewer",
    "versions": "viewer",
    "event": "viewer",
    "system": "viewer",
    "model_usage": "viewer",
    "try_extraction": "reviewer",
    "keyboard": "viewer",
    "choose_keys": "viewer",
    "requeue": "operator",
    "review_queue": "viewer",
    "review_item": "viewer",
    "review_explain": "viewer",
    "review_viewers": "viewer",
    "review_stats": "viewer",
    "review_flow": "viewer",
    "review_ages": "viewer",
    "review_waits": "viewer",
    "review_reasons": "viewer",
    "review_overturned": "viewer",
    "review_next": "reviewer",
    "review_decide": "reviewer",
    "review_undo": "reviewer",
    "review_claim": "reviewer",
    "review_release": "reviewer",
    "review_bulk": "reviewer",
    "review_bulk_decide": "reviewer",
    "review_bulk_undo": "reviewer",
    "review_counted": "viewer",
    "move_agents": "operator",
    "changes": "viewer",
    "changes_export": "operator",
    "incidents_export": "operator",
    "change": "viewer",
    "change_set": "viewer",
    "memories": "viewer",
    "memories_chart": "viewer",
    "memories_export": "operator",
    "memories_withdraw": "operator",
    "memories_reverify": "reviewer",
    "save_list_view": "viewer",
    "delete_list_view": "viewer",
    "memory": "viewer",
    "compare": "viewer",
    "memory_edit": "reviewer",
    "memory_key": "operator",
    "procedure_new": "reviewer",
    "procedure_edit": "reviewer",
    "rollbacks": "viewer",
    "rollback": "viewer",
    "rollback_csv": "viewer",
    "rollback_new": "viewer",
    "rollback_button": "operator",
    "rollback_execute": "operator",
    "blast_radius": "viewer",
    "blast_radius_file": "viewer",
    "suspects": "viewer",
    "incidents": "viewer",
    "incident": "viewer",
    "incident_chart": "viewer",
    "incident_csv": "viewer",
    "incident_json": "viewer",
    "whitelist": "viewer",
    "whitelist_field": "viewer",
    "missed_terms": "viewer",
    "form_type_new": "operator",
    "form_type_edit": "operator",
    "field_new": "operator",
    "field_edit": "operator",
    "field_restore": "operator",
    "make_alias": "operator",
    "policies": "viewer",
    "policy": "viewer",
    "policy_new": "operator",
    "policy_move": "operator",
    "policy_decide": "approver",
    "policy_trials": "viewer",
    "policy_trial": "viewer",
    "policy_trial_chart": "viewer",
    "policy_try": "operator",
    "policy_trial_move": "operator",
    "policy_trial_decide": "approver",
    "repeats": "viewer",
    "documents": "viewer",
    "documents_stale": "viewer",
    "document": "viewer",
    "document_new": "operator",
    "document_new_version": "operator",
    "document_act": "operator",
    "document_verify": "reviewer",
    "incident_new": "operator",
    "incident_scope": "operator",
    "incident_close": "operator",
    "incident_attach": "operator",
}


def owner_pages(owner: Owner) -> list[str]:
    event = make_event(owner)
    version = make_version(owner, event_id=event.id)
    names = ("owner", "items", "timeline", "sessions", "entities", "links", "recall", "diagnose")
    return [reverse(f"reviews:{name}", args=[owner.id]) for name in names] + [
        reverse("reviews:versions", args=[owner.id, version.form_id, "location"]),
        reverse("reviews:event", args=[owner.id, event.id]),
    ]


def test_every_address_is_listed_with_its_role() -> None:
    found = {}
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        found[pattern.name] = getattr(pattern.callback, "staff_role", None)
    assert {name for name, role in found.items() if role is None} == OPEN_TO_ALL
    assert {name: role for name, role in found.items() if role} == ROLES


@pytest.mark.parametrize(
    ("held", "role", "allowed"),
    [
        ({"viewer"}, "viewer", True),
        ({"compliance"}, "viewer", True),
        (set(), "viewer", False),
        ({"viewer"}, "operator", False),
        ({"operator"}, "operator", True),
        ({"admin"}, "operator", True),
    ],
)
def test_what_a_role_allows(held: set[str], role: str, allowed: bool) -> None:
    assert may(held, role) is allowed


def test_anonymous_people_are_sent_to_the_login_page(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for address in [reverse("reviews:home"), reverse("reviews:system"), *owner_pages(owner)]:
        response = Client().get(address)
        assert response.status_code == 302
        assert response["Location"].startswith("/login/?next=")


def test_members_may_look(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for address in owner_pages(owner):
        assert desk.client(desk.viewer).get(address).status_code == 200, address


def test_a_stranger_gets_the_same_answer_as_for_an_unknown_owner(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    stranger = desk.client(desk.stranger)
    for address in owner_pages(owner):
        foreign = stranger.get(address)
        unknown = stranger.get(address.replace(str(owner.id), str(uuid4())))
        assert (foreign.status_code, unknown.status_code) == (404, 404)
        assert without_token(foreign.content).replace(str(owner.id).encode(), b"") == without_ids(
            unknown, address, owner
        )


def without_token(content: bytes) -> bytes:
    import re

    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)


def without_ids(response: Any, address: str, owner: Owner) -> bytes:
    unknown_id = response.request["PATH_INFO"].split("/")[2]
    return without_token(response.content).replace(unknown_id.encode(), b"")


def test_a_page_of_another_owners_row_is_not_found(desk: Desk) -> None:
    mine, other = make_owner(desk.workspace, "a"), make_owner(desk.workspace, "b")
    event = make_event(other)
    version = make_version(other, event_id=event.id)
    client = desk.client()
    assert client.get(reverse("reviews:event", args=[mine.id, event.id])).status_code == 404
    assert (
        client.get(reverse("reviews:versions", args=[mine.id, version.form_id, "location"])).status_code
        == 404
    )
    assert (
        client.get(reverse("reviews:versions", args=[other.id, version.form_id, "nothing"])).status_code
        == 404
    )


def test_lists_hold_only_the_own_workspace(desk: Desk) -> None:
    make_event(make_owner(desk.workspace, "ours"), "our words")
    make_event(make_owner(desk.elsewhere, "foreign"), "foreign words")
    for address in ("/", "/owners/"):
        page = desk.client().get(address).content.decode()
        assert "ours" in page
        assert "foreign" not in page


def test_a_refused_role_is_named(desk: Desk) -> None:
    job = make_job(desk.workspace, state="parked")
    response = desk.client(desk.viewer).post(reverse("reviews:requeue", args=[job.id]))
    assert response.status_code == 403
    assert "operator" in response.content.decode()


def test_without_a_workspace_nothing_is_shown(desk: Desk) -> None:
    lost = User.objects.create_user("lost")
    response = desk.client(lost).get("/")
    assert response.status_code == 403
    assert "no workspace" in response.content.decode()


def test_without_a_role_nothing_is_shown(desk: Desk) -> None:
    desk.viewer.groups.clear()
    assert desk.client(desk.viewer).get("/").status_code == 403


def test_an_erasing_owner_is_gone(desk: Desk) -> None:
    owner = make_owner(desk.workspace, display_name="Somebody Known")
    addresses = owner_pages(owner)
    Owner.objects.filter(id=owner.id).update(state="erasing")
    for address in addresses:
        response = desk.client().get(address)
        assert response.status_code == 410
        assert "Somebody" not in response.content.decode()


def test_the_only_workspace_needs_no_enrolment(committing_db: str) -> None:
    from memoryhub.staff import add_staff
    from memoryhub.workspaces import create_workspace

    create_workspace(slug="one", name="The only one")
    create_workspace(slug="bench", name="Scratch", is_scratch=True)
    user, _password = add_staff(username="solo", roles=["viewer"])
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert "The only one" in client.get("/").content.decode()
