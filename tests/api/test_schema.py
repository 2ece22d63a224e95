"""The OpenAPI description: valid, complete, with an example for everything, and its page under our CSP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from django.urls import URLPattern, get_resolver
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from tests.api.clients import AgentClient

pytestmark = pytest.mark.django_db
OPEN = {"health_live", "health_ready"}
WITHOUT_OWNER = {"recall", "recalls_diagnose", "extractions_try", "state_check"}
"""Posts that write nothing of an owner's."""


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    GENERATOR_STATS.reset()
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS, "the schema is made without a warning"
    return made


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_it_is_valid_openapi(schema: dict[str, Any]) -> None:
    validate_schema(schema)  # type: ignore[no-untyped-call]


def test_every_address_and_method_is_in_it(schema: dict[str, Any]) -> None:
    described = {operation["operationId"] for _, _, operation in operations(schema)}
    views = [
        pattern.callback.view_class  # type: ignore[attr-defined]
        for pattern in get_resolver("api.urls").url_patterns
        if isinstance(pattern, URLPattern) and pattern.name not in ("schema", "docs", "unknown")
    ]
    offered = sum(hasattr(view, name) for view in views for name in ("get", "post", "put", "patch", "delete"))
    assert len(described) == offered


def test_operation_ids_do_not_change(schema: dict[str, Any]) -> None:
    assert sorted(operation["operationId"] for _, _, operation in operations(schema)) == [
        "blast_radius_get", "changes_get", "changes_list", "changesets_get", "changesets_list", "changesets_rollback", "context_get",
        "documents_add_version", "documents_archive", "documents_get", "documents_import", "documents_list", "documents_publish",
        "documents_verify", "documents_version", "documents_versions", "entities_get", "entities_list", "entities_name",
        "events_get", "events_list", "events_record", "events_record_batch", "extractions_try", "form_types_list", "forms_get", "forms_list",
        "forms_outdated", "forms_remove", "forms_rollback", "forms_versions", "forms_write", "health_live", "health_ready",
        "keys_get", "keys_rotate", "memories_edit", "memories_get", "memories_history", "memories_list",
        "memories_rollback", "memories_write", "memories_write_batch", "operations_get", "owners_change",
        "owners_get", "owners_links_end", "owners_links_list", "owners_links_make", "owners_list", "owners_promote", "owners_put", "policies_list", "questions_answer", "questions_expire", "questions_get", "questions_list",
        "recall", "recalls_diagnose", "recalls_feedback", "recalls_get", "recalls_list", "relations_list", "relations_write", "reviews_get",
        "reviews_list", "sessions_end",
        "sessions_get", "sessions_list", "sessions_open", "sessions_outcome", "sessions_replace_slots", "sessions_restore",
        "sessions_set_slots", "state_check", "suspects_list", "vocabulary_get",
    ]  # fmt: skip


def test_enums_have_names_of_their_own(schema: dict[str, Any]) -> None:
    names = [name for name in schema["components"]["schemas"] if name.endswith("Enum")]
    assert names
    assert not [name for name in names if any(character.isdigit() for character in name)]


def test_every_request_and_answer_has_an_example_that_fits_its_schema(schema: dict[str, Any]) -> None:
    for path, method, operation in operations(schema):
        contents = {"request": operation.get("requestBody", {}).get("content", {})}
        contents |= {status: answer.get("content", {}) for status, answer in operation["responses"].items()}
        for what, content in contents.items():
            for media in content.values():
                examples = media.get("examples", {})
                assert examples, f"{method} {path} {what}"
                for example in examples.values():
                    whole = {**media["schema"], "components": schema["components"]}
                    jsonschema.Draft202012Validator(whole).validate(example["value"])


def test_every_status_has_the_one_error_shape(schema: dict[str, Any]) -> None:
    for _, method, operation in operations(schema):
        errors = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        if operation["operationId"] not in OPEN:
            assert {"400", "401", "403", "405", "406", "500", "503"} <= set(errors)
            assert operation["security"] == [{"ApiKey": []}]
            assert method == "get" or {"423"} <= set(errors) or operation["operationId"] in WITHOUT_OWNER
            for answer in errors.values():
                content = answer["content"]["application/json"]["schema"]
                assert content == {"$ref": "#/components/schemas/ErrorBody"}


def test_bodies_know_their_fields_and_no_others(schema: dict[str, Any]) -> None:
    for _, _, operation in operations(schema):
        for media in operation.get("requestBody", {}).get("content", {}).values():
            name = media["schema"]["$ref"].rsplit("/", 1)[1]
            assert schema["components"]["schemas"][name]["additionalProperties"] is False


def test_the_description_and_its_page_are_open_to_anyone(nobody: AgentClient) -> None:
    assert nobody.get("/api/schema/").status_code == 200
    page = nobody.get("/api/docs/")
    assert page.status_code == 200
    assert "<script>" not in page.content.decode()
    policy = page["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-inline" not in nobody.get("/api/v1/owners/")["Content-Security-Policy"]
