"""Every page of the whitelist and the policies by name, for the walks that open them all."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.urls import reverse

from memoryhub.models import Owner, PolicyVersion, Workspace
from memoryhub.policy_versions import draft_policy
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import Editor, edit_field, find_field
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from reviews.access import enrol
from tests.builders import make_owner, make_source
from tests.reviews.conftest import Desk


@dataclass(frozen=True)
class Stocked:
    """A workspace with writes, a question in vain, an edited field and a proposed policy; `approver` is a second person."""

    source: Source
    owner: Owner
    approver: User
    proposal: PolicyVersion


def stock(desk: Desk, *, writes: int = 3) -> Stocked:
    """Everything as the services make it; the operator proposes."""
    source = make_source(desk.workspace)
    owner = make_owner(source)
    for number in range(writes):
        write(source, owner, f"The bridge has {number} lamps")
        ask(owner, f"my dwelling{'s' * number}")
    write_field(
        owner_id=owner.id,
        form_type="user_profile",
        field="location",
        value="dwelling in Leeds",
        source=source,
    )
    ask(owner, "What is my burrow?")
    row = find_field(desk.workspace.id, "user_profile", "location")
    if row.label_en != "Home town":
        edit_field(
            editor=Editor(workspace_id=desk.workspace.id, user_id=desk.operator.pk, reason="clearer"),
            form_type="user_profile",
            name="location",
            expected_version=1,
            values={**values_of(row), "label_en": "Home town", "label_zh": "家乡", "review_mode": "patrol"},
        )
    return Stocked(source=source, owner=owner, approver=approver(desk), proposal=propose(desk))


def write(source: Source, owner: Owner, content: str) -> None:
    write_memory(owner_id=owner.id, content=content, item_kind="semantic", confidence=0.7, source=source)


def ask(owner: Owner, question: str) -> None:
    recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query=question),
        caller=Caller(),
    )


def propose(desk: Desk, confidence: float = 0.75) -> PolicyVersion:
    return draft_policy(
        workspace_id=desk.workspace.id,
        user_id=desk.operator.pk,
        name="stricter",
        values={"least_confidence": confidence, "top_k": 4},
        reason="too much noise",
        propose=True,
    )


def approver(desk: Desk, name: str = "anna") -> User:
    """One more member of the workspace, who may approve and propose."""
    user, _made = User.objects.get_or_create(username=name)
    user.groups.set(Group.objects.filter(name__in=["approver", "operator"]))
    enrol(user=user, workspace=desk.workspace)
    return user


def whitelist_pages(workspace: Workspace, number: int) -> dict[str, str]:
    """Address by name; `number` is the policy whose page is opened."""
    field = ["user_profile", "location"]
    return {
        "whitelist": reverse("reviews:whitelist"),
        "form-type-new": reverse("reviews:form_type_new"),
        "form-type": reverse("reviews:form_type_edit", args=["contact"]),
        "field-new": reverse("reviews:field_new", args=["contact"]),
        "field": reverse("reviews:whitelist_field", args=field),
        "field-edit": reverse("reviews:field_edit", args=field),
        "misses": reverse("reviews:missed_terms"),
        "policies": reverse("reviews:policies"),
        "policy": reverse("reviews:policy", args=[number]),
        "policy-first": reverse("reviews:policy", args=[1]),
        "policy-new": reverse("reviews:policy_new"),
        "policy-back": reverse("reviews:policy_new") + "?from=1",
    }
