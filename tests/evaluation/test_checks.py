"""A drill's report says that all holds only when every check does."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError

from memoryhub.evaluation.checks import Checks
from memoryhub.management.checking import tell


def test_checks_hold_only_when_there_are_some_and_all_of_them_do() -> None:
    checks = Checks(title="a drill")
    held = [checks.holds]
    checks.expect("sound", 1, 1)
    held.append(checks.holds)
    checks.expect("broken", 1, 2)
    held.append(checks.holds)
    assert held == [False, True, False]
    assert [check["holds"] for check in checks.as_json()["checks"]] == [True, False]


def test_a_command_fails_when_one_does_not_hold() -> None:
    checks = Checks(title="a drill")
    checks.expect("broken", 1, 2)
    with pytest.raises(CommandError, match="not every check held"):
        tell(checks, json_path=None)
