"""Grants are worked out from the models, and are all there is."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection, connections

from memoryhub.database.roles import apply_grants, privileges, role
from memoryhub.models import AuditEntry, Event
from memoryhub.models.base import OwnerModel

GRANTED = """
SELECT c.relname, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a, pg_roles r
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND r.oid = a.grantee AND r.rolname = %s
"""


def granted(name: str) -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(GRANTED, [role(name)])
        return set(cursor.fetchall())


@pytest.mark.django_db
def test_no_owner_table_may_be_deleted_from_by_anyone_but_the_eraser() -> None:
    tables = {model._meta.db_table for model in apps.get_models() if issubclass(model, OwnerModel)}
    assert tables
    for name in ("app", "staff", "searcher", "auditor"):
        assert not {
            table for table, may in granted(name) if table in tables and may in ("DELETE", "TRUNCATE")
        }
    assert tables <= {table for table, may in granted("eraser") if may == "DELETE"}


@pytest.mark.django_db
def test_events_and_audit_entries_are_never_updated_as_a_whole() -> None:
    for model in (Event, AuditEntry):
        rights = {may for table, may in granted("app") if table == model._meta.db_table}
        assert rights >= {"SELECT", "INSERT"}
        assert "UPDATE" not in rights


@pytest.mark.django_db
def test_nothing_is_granted_to_everybody() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c, aclexplode(c.relacl) a"
            " WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = 0"
        )
        assert cursor.fetchall() == []


@pytest.mark.django_db
def test_the_searcher_and_the_auditor_only_read() -> None:
    for name in ("searcher", "auditor"):
        assert {may for _, may in granted(name)} == {"SELECT"}


def test_the_models_say_what_the_runtime_may_do() -> None:
    assert privileges(AuditEntry, "app") == ("SELECT", "INSERT")
    assert privileges(AuditEntry, "auditor") == ("SELECT",)
    assert privileges(apps.get_model("sessions", "Session"), "eraser") == ()


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="no role"):
        role("admin")


def test_grants_take_back_what_was_given_by_hand(committing_db: str) -> None:
    with connections["admin"].cursor() as cursor:
        cursor.execute("GRANT DELETE ON memoryhub_event TO mh_app")
    assert ("memoryhub_event", "DELETE") in granted("app")
    assert apply_grants(connections["admin"]) > 20
    assert ("memoryhub_event", "DELETE") not in granted("app")
