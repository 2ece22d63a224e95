"""How much of the long tests a run does: `make test` a part, `make test-deep` all of it."""

from __future__ import annotations

import os

FULL = os.environ.get("MEMORYHUB_TEST_REPEATS") == "full"
