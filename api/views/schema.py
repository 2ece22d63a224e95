"""The OpenAPI description and its page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.csp import CSP
from django.utils.decorators import method_decorator
from django.views.decorators.csp import csp_override
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

# Swagger UI writes style attributes; nothing else is loosened, and only on this page.
DOCS_POLICY: dict[str, Any] = {
    **settings.SECURE_CSP,
    "style-src": [CSP.SELF, CSP.UNSAFE_INLINE],
}


class Schema(SpectacularAPIView):
    authentication_classes = []
    permission_classes = []
    http_method_names = ["get", "head"]


@method_decorator(csp_override(DOCS_POLICY), name="dispatch")
class Docs(SpectacularSwaggerSplitView):
    url_name = "schema"
    authentication_classes = []
    permission_classes = []
    http_method_names = ["get", "head"]
