#!/usr/bin/env python
"""Commands of the service. The embedded database is started for those that need one."""

import os
import sys

# Read by the embedder's native code when it is loaded; more threads make a query slower on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

WITHOUT_DATABASE = {
    "", "help", "version", "check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "makemessages",
    "spectacular", "startapp", "up",
}  # fmt: skip


def main() -> None:
    """Run one command."""
    from django.conf import settings
    from django.core.management import execute_from_command_line

    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command not in WITHOUT_DATABASE and not command.startswith("-"):
        from memoryhub.database.embedded import DatabaseUnavailable, ensure_running

        if settings.USES_EMBEDDED_DATABASE:
            try:
                ensure_running(settings.DATA_DIR)
            except DatabaseUnavailable as error:
                sys.exit(str(error))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
