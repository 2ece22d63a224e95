"""Vendored front-end files are exactly what their manifests say."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from memoryhub.management.commands.vendor_static import without_source_map

ROOT = Path(settings.BASE_DIR)
FOLDERS = (ROOT / "static" / "vendor", ROOT / "tests" / "vendor")


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_every_file_has_the_hash_of_its_manifest(folder: Path) -> None:
    for package in manifest(folder)["packages"]:
        assert package["version"]
        assert package["licence"]
        for entry in package["files"]:
            content = (folder / entry["file"]).read_bytes()
            assert hashlib.sha256(content).hexdigest() == entry["sha256"], entry["file"]


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_nothing_else_lies_there(folder: Path) -> None:
    listed = {entry["file"] for package in manifest(folder)["packages"] for entry in package["files"]}
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert present - {"manifest.json", "__init__.py"} == listed


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_each_package_brings_its_licence(folder: Path) -> None:
    for package in manifest(folder)["packages"]:
        assert any(entry["file"].endswith("LICENSE") for entry in package["files"]), package["name"]


def test_no_file_points_at_a_source_map_that_is_not_shipped() -> None:
    for path in (ROOT / "static").rglob("*.*"):
        if path.suffix in (".js", ".css"):
            assert b"sourceMappingURL" not in path.read_bytes(), path


def test_every_vendored_icon_is_used() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
    used = set(re.findall(r'{% icon "([a-z0-9-]+)" %}', pages))
    assert used == {path.stem for path in (FOLDERS[0] / "bootstrap-icons").glob("*.svg")}


def test_hashed_names_can_be_made_for_production(tmp_path: Path) -> None:
    hashed = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}}
    with override_settings(STATIC_ROOT=tmp_path, STORAGES={**settings.STORAGES, **hashed}):
        call_command("collectstatic", interactive=False, verbosity=0)
    names = json.loads((tmp_path / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    assert names["desk/desk.css"] != "desk/desk.css"


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (b"a{}\n/*# sourceMappingURL=a.css.map */", b"a{}\n"),
        (b"run();\n//# sourceMappingURL=a.js.map\n", b"run();\n"),
        (
            b"run(); // sourceMappingURL is only a word here",
            b"run(); // sourceMappingURL is only a word here",
        ),
    ],
)
def test_vendoring_drops_only_the_pointer_to_a_source_map(content: bytes, left: bytes) -> None:
    assert without_source_map(content) == left
