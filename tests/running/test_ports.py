"""A busy port is said in one sentence, before anything is started."""

from __future__ import annotations

import socket

import pytest

from memoryhub.running.ports import PortUnusable, insist_on_free


def test_a_free_port_passes() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    insist_on_free(host="127.0.0.1", port=port)


def test_a_busy_port_is_named_with_a_way_out() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            PortUnusable, match=rf"Port {port} on 127\.0\.0\.1 is used by another program.*MEMORYHUB_PORT"
        ):
            insist_on_free(host="127.0.0.1", port=port)


def test_an_address_that_is_not_ours_is_named() -> None:
    with pytest.raises(PortUnusable, match=r"Cannot listen on 192\.0\.2\.1"):
        insist_on_free(host="192.0.2.1", port=8000)
