"""Whether the web server's address is free, asked before anything else is started."""

from __future__ import annotations

import errno
import socket


class PortUnusable(RuntimeError):
    """The address cannot be listened on; the message is one sentence for a person."""


def insist_on_free(*, host: str, port: int) -> None:
    """Raises PortUnusable when another program listens there or the address is not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # Without this a port just left by our own last run would count as busy for a minute.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortUnusable(
                    f"Port {port} on {host} is used by another program: stop it, or choose another with MEMORYHUB_PORT."
                ) from None
            raise PortUnusable(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None
