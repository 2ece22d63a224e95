"""The program that reads one hostile file: bytes in, text and passages out, within bounds of memory and time.

`python -m memoryhub.knowledge.reading_process html|pdf`. A file that makes it run over is refused by whoever
started it; nothing of it reaches the server's own process but JSON.
"""

from __future__ import annotations

import json
import resource
import sys

from memoryhub.knowledge.limits import FileRefused
from memoryhub.knowledge.reading import as_json, read_here

CPU_SECONDS = {"pdf": 20, "html": 6}
MEMORY_BYTES = 2 * 1024**3


def main() -> int:
    seconds = CPU_SECONDS[sys.argv[1]]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = sys.stdin.buffer.read()
    try:
        answer = as_json(read_here(content, media=sys.argv[1]))
    except FileRefused as refusal:
        fault = {"code": refusal.code, "message": str(refusal), "is_too_large": refusal.is_too_large}
        answer = json.dumps({"fault": fault})
    sys.stdout.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
