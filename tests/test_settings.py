"""Settings: all documented, and refused when they are unsafe or make no sense."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys

import pytest
from django.conf import settings
from pytest_django import Settings

from memoryhub.checks import check_queue
from tests.programs import environment, manage

PRODUCTION = {
    "MEMORYHUB_ENV": "production",
    "MEMORYHUB_ALLOWED_HOSTS": "memoryhub.example",
    "MEMORYHUB_SECRET_KEY": secrets.token_urlsafe(64),
}


def variables_read() -> set[str]:
    source = (settings.BASE_DIR / "memoryhub" / "settings.py").read_text(encoding="utf-8")
    return set(re.findall(r"env\.\w+\(\s*\"(\w+)\"", source))


def variables_documented() -> list[str]:
    readme = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([A-Z_]+)` \|", readme, flags=re.MULTILINE)


def test_the_readme_lists_every_variable_once_and_no_other() -> None:
    assert sorted(variables_documented()) == sorted(variables_read())


def test_no_other_module_reads_variables_of_ours() -> None:
    modules = [
        path for name in ("memoryhub", "api", "reviews") for path in (settings.BASE_DIR / name).rglob("*.py")
    ]
    readers = {
        path.name
        for path in modules
        if re.search(r"environ(\.get\(|\[)\"(MEMORYHUB|DATABASE)_", path.read_text("utf-8"))
    }
    assert readers == set()


def test_production_settings_pass_the_deployment_check() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"MEMORYHUB_SECRET_KEY": ""}, "MEMORYHUB_SECRET_KEY must be set in production"),
        ({"MEMORYHUB_SECRET_KEY": "changeme"}, "memoryhub.E004"),
        ({"MEMORYHUB_DEBUG": "true"}, "memoryhub.E003"),
        ({"MEMORYHUB_ALLOWED_HOSTS": "*"}, "memoryhub.E005"),
        ({"MEMORYHUB_ALLOWED_HOSTS": ""}, "memoryhub.E005"),
        ({"MEMORYHUB_ENV": "staging"}, "must be development, production or test"),
        ({"MEMORYHUB_EMBEDDER": "magic"}, "memoryhub.E001"),
        ({"MEMORYHUB_EXTRACTOR": "magic"}, "memoryhub.E006"),
        ({"MEMORYHUB_EXTRACTOR": "model"}, "memoryhub.E007"),
        ({"MEMORYHUB_CHAT_URL": "http://10.0.0.8/v1"}, "memoryhub.E008"),
        ({"MEMORYHUB_EMBEDDER_URL": "https://user:pw@models.example/v1"}, "memoryhub.E008"),
        (
            {"MEMORYHUB_CHAT_TIMEOUT": "30", "MEMORYHUB_CHAT_URL": "https://models.example/v1"},
            "memoryhub.E009",
        ),
        ({"MEMORYHUB_CHAT_CONCURRENCY": "0"}, "memoryhub.E019"),
        ({"MEMORYHUB_CHAT_OPTIONS": "[1]"}, "memoryhub.E021"),
        ({"MEMORYHUB_JOB_RETRY": "60"}, "memoryhub.E013"),
        ({"MEMORYHUB_WEB_WORKERS": "4", "MEMORYHUB_WEB_THREADS": "32"}, "memoryhub.E020"),
    ],
)
def test_unsafe_production_settings_refuse_to_start(changes: dict[str, str], said: str) -> None:
    done = manage("check", **{**PRODUCTION, **changes})
    assert done.returncode != 0
    assert said in done.stderr


def test_the_web_server_refuses_to_start_with_a_warning_of_the_deployment_check(committing_db: str) -> None:
    code = "from memoryhub.wsgi import application"
    done = run_python(code, **{**PRODUCTION, "MEMORYHUB_TLS": "false"})
    assert done.returncode != 0
    assert "security.W008" in done.stderr


def test_the_web_server_starts_with_safe_settings(committing_db: str) -> None:
    done = run_python("from memoryhub.wsgi import application", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def run_python(code: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR, env=environment(**changes), text=True, capture_output=True, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ({"workers": 0}, 10),
        ({"timeout": 0}, 11),
        ({"queue_limit": 0}, 12),
        ({"retry": 129}, 13),
        ({"queue_limit": 40}, 13),
        ({"max_attempts": 0}, 14),
        ({"ack_failures": True}, 15),
        ({"catch_up": True}, 16),
        ({"bulk": 5}, 17),
        ({"orm": "admin"}, 18),
    ],
)
def test_a_queue_that_could_lose_or_repeat_jobs_is_an_error(
    settings: Settings, change: dict[str, object], number: int
) -> None:
    safe = {**settings.Q_CLUSTER, "workers": 2, "queue_limit": 2, "timeout": 60, "retry": 130}
    settings.Q_CLUSTER = safe
    assert check_queue(None) == []
    settings.Q_CLUSTER = {**safe, **change}
    assert f"memoryhub.E{number:03d}" in [error.id for error in check_queue(None)]
