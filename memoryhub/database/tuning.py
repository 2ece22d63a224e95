"""The embedded server's configuration file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1024 * 1024
MAX_CONNECTIONS = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """What differs between clusters. `is_durable=False` is for tests: a crash of the machine may lose the cluster."""

    shared_buffers_mb: int
    max_connections: int = MAX_CONNECTIONS
    is_durable: bool = True


def for_this_machine() -> Tuning:
    """A quarter of the memory for the buffer cache, between 128 MB and 4 GB."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Tuning(shared_buffers_mb=max(128, min(4096, memory // 4 // MEGABYTE)))


FOR_TESTS = Tuning(shared_buffers_mb=128, is_durable=False)


def as_configuration(tuning: Tuning, *, socket_folder: Path) -> str:
    """The text of `memoryhub.conf`, read after postgresql.conf."""
    settings: dict[str, str | int] = {
        "listen_addresses": "",
        "unix_socket_directories": f'"{socket_folder}"',
        "unix_socket_permissions": "0700",
        "shared_buffers": f"{tuning.shared_buffers_mb}MB",
        "max_connections": tuning.max_connections,
        "timezone": "UTC",
        # A failing statement must not write the values of a row into the log.
        "log_error_verbosity": "terse",
        "log_parameter_max_length": 0,
        "log_parameter_max_length_on_error": 0,
        "log_min_error_statement": "panic",
        "log_statement": "none",
        "logging_collector": "on",
        "log_directory": "log",
        "log_filename": "postgresql-%a.log",
        "log_rotation_age": "1d",
        "log_truncate_on_rotation": "on",
        "autovacuum_vacuum_insert_scale_factor": "0.02",
        # Data lies on flash and mostly in memory; at 4 the planner reads all of an owner's rows to find sixty.
        "random_page_cost": "1.1",
        # Statements here take milliseconds; compiling one would take longer than running it.
        "jit": "off",
    }
    if not tuning.is_durable:
        settings |= {
            "fsync": "off",
            "full_page_writes": "off",
            "synchronous_commit": "off",
            "max_wal_size": "2GB",
        }
    return "".join(f"{name} = '{value}'\n" for name, value in settings.items())
