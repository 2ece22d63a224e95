from __future__ import annotations

import pytest

from tests.changes.world import World


@pytest.fixture
def world(db: None) -> World:
    return World()
