"""What a key may do: each view says as data which scope each of its methods needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from api.authentication import Caller


class HasScope(BasePermission):
    """Closed unless the view names a scope for the method and the key has it."""

    def has_permission(self, request: Request, view: Any) -> bool:
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method.lower() not in view.http_method_names or not hasattr(view, method.lower()):
            return True  # 405 follows, whoever asks
        needed: str | None = view.scopes.get(method)
        if needed is None or not isinstance(request.user, Caller) or not request.user.may(needed):
            raise missing_scope(needed)
        request.user = replace(request.user, acting_under=needed)
        return True


def missing_scope(name: str | None) -> PermissionDenied:
    """403 that names the scope."""
    return PermissionDenied(f"the key lacks the scope {name}", code="missing_scope")
