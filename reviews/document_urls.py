"""Addresses of the library."""

from django.urls import URLPattern, path

from reviews.views.document import document, document_act, document_verify
from reviews.views.document_upload import document_new, document_new_version
from reviews.views.documents import documents, documents_stale

DOCUMENT = "owners/<uuid:owner_id>/documents/<uuid:document_id>/"

urlpatterns: list[URLPattern] = [
    path("documents/", documents, name="documents"),
    path("documents/stale/", documents_stale, name="documents_stale"),
    path("documents/new/", document_new, name="document_new"),
    path(DOCUMENT, document, name="document"),
    path(f"{DOCUMENT}act/", document_act, name="document_act"),
    path(f"{DOCUMENT}verify/", document_verify, name="document_verify"),
    path(f"{DOCUMENT}new-version/", document_new_version, name="document_new_version"),
]
