"""Where the server may be sent by a setting: 30 addresses that must not be called, and the few that may."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from memoryhub.language.chat import ChatClient, ChatUnavailable
from memoryhub.language.endpoints import (
    EndpointRefused,
    check_literal,
    open_connection,
    parse_endpoint,
    resolve,
)
from memoryhub.language.exchange import ExchangeFailed, Provider, post_json
from tests.model_server import KEY, Reply, running_model_server

REFUSED = [
    ("file:///etc/passwd", "scheme"),
    ("gopher://127.0.0.1:6379/_INFO", "scheme"),
    ("ftp://example.com/v1", "scheme"),
    ("dict://127.0.0.1:11211/stats", "scheme"),
    ("javascript:alert(1)", "scheme"),
    ("//example.com/v1", "scheme"),
    ("example.com/v1", "scheme"),
    ("http://user:secret@example.com/v1", "userinfo"),
    ("http://example.com@169.254.169.254/v1", "userinfo"),
    ("http:///v1", "host"),
    ("http://[fe80::1%25eth0]/v1", "host"),
    ("http://exa mple.com/v1", "control_character"),
    ("http://example.com\\@127.0.0.1/v1", "control_character"),
    ("http://example.com/v1\r\nX-Header: 1", "control_character"),
    ("http://example.com:99999/v1", "port"),
    ("http://example.com:0/v1", "port"),
    ("http://example.com/v1?next=http://127.0.0.1", "query"),
    ("http://2130706433/v1", "odd_address"),
    ("http://0x7f000001/v1", "odd_address"),
    ("http://0177.0.0.1/v1", "odd_address"),
    ("http://127.1/v1", "odd_address"),
    ("http://169.254.169.254/latest/meta-data", "metadata_address"),
    ("http://[::ffff:169.254.169.254]/v1", "metadata_address"),
    ("http://[fd00:ec2::254]/v1", "metadata_address"),
    ("http://[64:ff9b::a9fe:a9fe]/v1", "metadata_address"),
    ("http://100.100.100.200/v1", "metadata_address"),
    ("http://0.0.0.0/v1", "metadata_address"),
    ("http://[fe80::1]/v1", "metadata_address"),
]
PRIVATE = [
    "http://127.0.0.1/v1",
    "http://[::1]/v1",
    "http://[::ffff:127.0.0.1]/v1",
    "http://10.0.0.8/v1",
    "http://192.168.1.1/v1",
    "http://172.16.0.1/v1",
    "http://100.64.0.1/v1",
    "http://[fd12::1]/v1",
    "http://localhost/v1",
]


def code_of(url: str, *, allow_private: bool) -> str:
    """What refuses the address; '' when it may be called."""
    try:
        resolve(parse_endpoint(url), allow_private=allow_private)
    except EndpointRefused as error:
        return error.code
    return ""


@pytest.mark.parametrize(("url", "code"), REFUSED)
def test_these_are_refused_whatever_the_settings_say(url: str, code: str) -> None:
    assert code_of(url, allow_private=True) == code


@pytest.mark.parametrize("url", PRIVATE)
def test_private_addresses_need_the_setting(url: str) -> None:
    assert code_of(url, allow_private=False) == "private_address"
    if url != "http://localhost/v1":
        check_literal(parse_endpoint(url), allow_private=True)


def test_public_addresses_may_be_called() -> None:
    for url in ("https://93.184.215.14/v1", "http://[2606:2800:220:1::]/v1/"):
        assert code_of(url, allow_private=False) == ""


def names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """A name server that answers in turn, and then with the last answer for ever."""
    left = list(answers)

    def getaddrinfo(host: str, port: int, *args: Any, **options: Any) -> list[Any]:
        found = left.pop(0) if len(left) > 1 else left[0]
        family = {4: socket.AF_INET, 6: socket.AF_INET6}
        return [(family[ip_address(text).version], socket.SOCK_STREAM, 6, "", (text, port)) for text in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_one_bad_address_among_those_of_a_name_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, ["93.184.215.14", "169.254.169.254"])
    assert code_of("http://models.example/v1", allow_private=True) == "metadata_address"
    names(monkeypatch, ["93.184.215.14", "10.0.0.1"])
    assert code_of("http://models.example/v1", allow_private=False) == "private_address"


def test_a_name_that_changes_its_mind_is_connected_where_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names(monkeypatch, ["93.184.215.14"], ["169.254.169.254"])
    connection = open_connection(
        parse_endpoint("http://rebinding.example/v1"), timeout=1, allow_private=False
    )
    assert connection.host == "93.184.215.14"


def test_a_redirect_is_an_error_and_nothing_is_sent_on() -> None:
    with running_model_server() as server, running_model_server() as elsewhere:
        server.replies = [Reply(status=307, headers={"Location": f"{elsewhere.url}/chat/completions"})]
        provider = Provider(
            endpoint=parse_endpoint(server.url), model="m", key=KEY, timeout=5, allow_private=True
        )
        with pytest.raises(ExchangeFailed, match="http_307") as caught:
            post_json(provider, "/chat/completions", {})
        assert elsewhere.seen == []
        assert KEY not in repr(caught.value) + repr(provider) + repr(ChatClient(provider=provider))


def test_a_refused_endpoint_is_never_connected_to_and_counts_as_unavailable() -> None:
    with running_model_server() as server:
        provider = Provider(
            endpoint=parse_endpoint(server.url), model="m", key=KEY, timeout=5, allow_private=False
        )
        with pytest.raises(ChatUnavailable, match="endpoint_refused"):
            ChatClient(provider=provider).ask(instructions="i", question="q")
        assert server.seen == []
