"""The people of the desk: what roles there are, and logins that hold them."""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterable

from django.contrib.auth.models import Group, User
from django.db import transaction

ROLES = ("viewer", "reviewer", "operator", "compliance", "approver", "admin")
"""Django groups. A person may hold several; what each may do stands in `reviews/access.py`."""


ALPHABET = string.ascii_letters + string.digits
PASSWORD_LENGTH = 20


def ensure_groups(*, using: str = "default") -> None:
    """Make the groups that are missing."""
    present = set(Group.objects.using(using).values_list("name", flat=True))
    for name in ROLES:
        if name not in present:
            Group.objects.using(using).create(name=name)


@transaction.atomic
def add_staff(*, username: str, roles: Iterable[str], password: str | None = None) -> tuple[User, str]:
    """A staff login with these roles. Returns it with its password, a random one unless given.

    Raises ValueError for an unknown role; django.db.IntegrityError when the name is taken.
    """
    wanted = set(roles)
    if unknown := wanted - set(ROLES):
        raise ValueError(f"Unknown roles: {', '.join(sorted(unknown))}.")
    chosen = password or "".join(secrets.choice(ALPHABET) for _ in range(PASSWORD_LENGTH))
    user = User.objects.create_user(username=username, password=chosen, is_staff=True)
    user.groups.set(Group.objects.filter(name__in=wanted))
    return user, chosen


def roles_of(user: User) -> set[str]:
    """The roles a person holds."""
    return set(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
