"""Fails a test on a statement that names an owner's table without saying whose rows it means.

A transaction opened for a whole workspace (listings, the desk, sweeps) may name the workspace instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper

from memoryhub.models.base import OwnerModel

_OPENS_SCOPE = "set_config('app.scope'"
_spans_workspace: dict[int, bool] = {}


class StatementWithoutOwner(AssertionError):
    """The statement would read or change rows of every owner."""


@cache
def owner_tables() -> re.Pattern[str]:
    """Matches the name of any table whose model is an OwnerModel."""
    names = [model._meta.db_table for model in apps.get_models() if issubclass(model, OwnerModel)]
    return re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b")


def insist_on_owner(
    execute: Callable[..., Any], statement: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """A Django execute wrapper."""
    connection: BaseDatabaseWrapper = context["connection"]
    text = str(statement)
    if _OPENS_SCOPE in text and params:
        _spans_workspace[id(connection)] = params[-1] == "workspace"
    if owner_tables().search(text) and not _names_owner(text, connection):
        raise StatementWithoutOwner(text)
    return execute(statement, params, many, context)


def _names_owner(text: str, connection: BaseDatabaseWrapper) -> bool:
    return "owner_id" in text or (_spans_workspace.get(id(connection), False) and "workspace_id" in text)


def watch(sender: Any, connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Receiver of `connection_created`: put the wrapper on each runtime connection, in whatever thread."""
    if connection.alias == "default" and insist_on_owner not in connection.execute_wrappers:
        connection.execute_wrappers.append(insist_on_owner)
