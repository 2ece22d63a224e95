"""Staff logins and their roles."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from memoryhub import staff

pytestmark = pytest.mark.django_db


def test_the_groups_of_the_desk_exist_after_migrating() -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= set(staff.ROLES)


def test_a_login_gets_its_roles_and_a_password_of_its_own() -> None:
    first, password = staff.add_staff(username="lin", roles=["viewer", "reviewer"])
    _, other = staff.add_staff(username="wang", roles=["compliance"])
    assert staff.roles_of(first) == {"viewer", "reviewer"}
    assert first.check_password(password)
    assert len(password) >= 16
    assert password != other
    assert not first.is_superuser


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="root"):
        staff.add_staff(username="lin", roles=["root"])
