from __future__ import annotations

import pytest
from django.test import RequestFactory

from reviews.shortcuts import ALLOWED, DOES, as_cookie, faults_of, own_keys


def test_the_delivered_keys_hold_and_nothing_is_kept_of_them() -> None:
    assert faults_of({}) == {}
    assert set(DOES) <= ALLOWED
    assert as_cookie({key: key for key in DOES}) == ""


@pytest.mark.parametrize(
    ("chosen", "faults"),
    [
        ({"a": "y", "r": "/", "/": ";"}, {}),
        ({"a": "r", "r": "a"}, {}),
        ({"a": "r"}, {"a": "taken", "r": "taken"}),
        ({"a": "1"}, {"a": "not_a_key"}),
        ({"a": "-"}, {"a": "not_a_key"}),
        ({"a": "yy"}, {"a": "not_a_key"}),
        ({"a": "赞"}, {"a": "not_a_key"}),
    ],
)
def test_each_action_needs_a_key_of_its_own(chosen: dict[str, str], faults: dict[str, str]) -> None:
    assert faults_of(chosen) == faults


@pytest.mark.parametrize("chosen", [{"a": "y"}, {"a": ";", "/": "'", "[": "\\"}, {"?": "/", "/": "?"}])
def test_the_cookie_gives_back_what_was_kept(chosen: dict[str, str]) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["desk_keys"] = as_cookie(chosen)
    assert own_keys(request) == chosen


@pytest.mark.parametrize("cookie", ["", "a=r", "a=%00", "q=y", "<script>", "a=" + "y" * 500])
def test_a_cookie_that_does_not_hold_is_no_cookie(cookie: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["desk_keys"] = cookie
    assert own_keys(request) == {}
