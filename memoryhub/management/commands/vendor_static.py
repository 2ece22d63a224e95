"""Take the front-end files named in a manifest from their npm packages again, and write their hashes down.

Only for upgrades: edit the version in the manifest, run this with npm installed, commit the result. The service itself
never fetches anything, and a test compares every vendored file with its manifest.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

MANIFESTS = ("static/vendor/manifest.json", "tests/vendor/manifest.json")
SOURCE_MAP = re.compile(rb"\n?(/\*# sourceMappingURL=[^*]*\*/|//# sourceMappingURL=\S*)\s*\Z")


def without_source_map(content: bytes) -> bytes:
    """The same file without its trailing source-map comment: the map is not shipped, and a hashed static storage refuses a missing one."""
    return SOURCE_MAP.sub(b"\n", content)


def pack(*, name: str, version: str, folder: Path) -> tarfile.TarFile:
    """The npm package as an open archive. Raises CalledProcessError when npm cannot get it."""
    run = subprocess.run(
        ["npm", "pack", f"{name}@{version}", "--silent"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return tarfile.open(folder / run.stdout.strip().splitlines()[-1])


def vendor_package(*, package: dict[str, Any], target: Path) -> None:
    """Write each listed file of one package below `target` and its SHA-256 into the manifest entry."""
    with tempfile.TemporaryDirectory() as folder:
        archive = pack(name=package["name"], version=package["version"], folder=Path(folder))
        for entry in package["files"]:
            member = archive.extractfile(f"package/{entry['source']}")
            if member is None:
                raise FileNotFoundError(f"{package['name']} has no file {entry['source']}")
            content = without_source_map(member.read())
            path = target / entry["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            entry["sha256"] = hashlib.sha256(content).hexdigest()


class Command(BaseCommand):
    help = "Refresh the vendored front-end files from npm and update the hashes in their manifests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", help="name of one package")

    def handle(self, *args: Any, only: str | None = None, **options: Any) -> None:
        for name in MANIFESTS:
            path = Path(settings.BASE_DIR) / name
            manifest = json.loads(path.read_text(encoding="utf-8"))
            for package in manifest["packages"]:
                if only in (None, package["name"]):
                    self.stdout.write(f"{package['name']} {package['version']}")
                    vendor_package(package=package, target=path.parent)
            path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
