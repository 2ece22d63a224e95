"""Names of forms and sentences: another spelling is the same thing, a look-alike waits for a person."""

from __future__ import annotations

import pytest

from memoryhub.models import Change, FieldVersion, Form, MemoryItem, Owner
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def plan(owner: Owner, source: Source, subject: str, value: str) -> Verdict:
    return write_field(
        owner_id=owner.id,
        form_type="user_profile",
        field="location",
        subject=subject,
        value=value,
        source=source,
    )


def tea(owner: Owner, source: Source, subject: str, value: str) -> Verdict:
    return write_memory(
        owner_id=owner.id, content=f"{subject}: {value}", item_kind="semantic", subject_entity=subject,
        attribute="favourite tea", value=value, source=source,
    )  # fmt: skip


SPELLINGS = [
    ("Atlas", "ＡＴＬＡＳ"),
    ("Atlas", "atlas"),
    ("苏州项目", "蘇州項目"),
    ("蘇州項目", "苏州项目"),
    ("KX-117", "kx-117 "),
]


@pytest.mark.parametrize(("known", "again"), SPELLINGS)
def test_another_spelling_of_a_subject_is_the_same_form(
    owner: Owner, source: Source, known: str, again: str
) -> None:
    assert plan(owner, source, known, "plan A").outcome == "stored"
    assert plan(owner, source, again, "plan B").outcome == "superseded"
    assert [form.subject for form in Form.objects.of(owner.id)] == [known]
    assert FieldVersion.objects.of(owner.id).get(status="active").value == "plan B"


@pytest.mark.parametrize(("known", "again"), SPELLINGS)
def test_another_spelling_of_a_sentences_subject_is_the_same_chain(
    owner: Owner, source: Source, known: str, again: str
) -> None:
    assert tea(owner, source, known, "oolong").outcome == "stored"
    assert tea(owner, source, again, "jasmine").outcome == "superseded"
    assert MemoryItem.objects.of(owner.id).filter(status="active").count() == 1


@pytest.mark.parametrize(
    ("known", "alike"), [("paypal", "p\u0430ypal"), ("B10", "B1O"), ("项目A", "项目\u0410")]
)
def test_a_look_alike_of_a_known_name_waits_for_a_person(
    owner: Owner, source: Source, known: str, alike: str
) -> None:
    plan(owner, source, known, "plan A")
    tea(owner, source, known, "oolong")
    for verdict in (plan(owner, source, alike, "plan B"), tea(owner, source, alike, "jasmine")):
        assert verdict.outcome == "in_review"
        assert verdict.change_id is not None
        assert "lookalike_name" in Change.objects.of(owner.id).get(id=verdict.change_id).gates
    assert FieldVersion.objects.of(owner.id).get(status="active").value == "plan A"


def test_other_names_are_other_forms_and_retire_nothing(owner: Owner, source: Source) -> None:
    for subject in ("Atlas", "Borealis", "项目甲", "项目乙"):
        assert plan(owner, source, subject, "plan A").outcome == "stored"
        assert tea(owner, source, subject, "oolong").outcome == "stored"
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 4
    assert MemoryItem.objects.of(owner.id).filter(status="active").count() == 4


def test_a_value_in_the_other_script_is_the_same_value(owner: Owner, source: Source) -> None:
    assert plan(owner, source, "", "蘇州方案").outcome == "stored"
    assert plan(owner, source, "", "苏州方案").outcome == "reinforced"
    assert FieldVersion.objects.of(owner.id).get().value == "蘇州方案"
