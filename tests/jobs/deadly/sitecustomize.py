"""Put on a worker's PYTHONPATH by a test: it dies as by a crash in native code, or fails, when it reads a certain text.

Nothing of ours is replaced. The interpreter tells when a function starts (PEP 669); whoever starts to screen a text with one
of the markers in it is gone before anything else can happen.
"""

from __future__ import annotations

import os
import signal
import sys
from types import CodeType
from typing import Any

TOOL = 4
DIES, FAILS = "ends the process that reads it", "cannot be read by anybody"


def _function_starts(code: CodeType, offset: int) -> Any:
    if code.co_name != "screen" or not code.co_filename.endswith("screening.py"):
        return sys.monitoring.DISABLE
    text = str(sys._getframe(1).f_locals.get("text"))
    if DIES in text:
        with open(os.environ["DEADLY_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{os.getpid()}\n")
        os.kill(os.getpid(), signal.SIGKILL)
    if FAILS in text:
        raise RuntimeError(text)
    return None


sys.monitoring.use_tool_id(TOOL, "deadly")
sys.monitoring.register_callback(TOOL, sys.monitoring.events.PY_START, _function_starts)
sys.monitoring.set_events(TOOL, sys.monitoring.events.PY_START)
