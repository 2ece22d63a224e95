from __future__ import annotations

from typing import Any

from reviews.shortcuts import DOES
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, page_of

KEEP = "/keyboard/keys/"


def keep(client: Any, **own: str) -> Any:
    sent = {f"key_{ord(key)}": key for key in DOES} | {f"key_{ord(key)}": new for key, new in own.items()}
    return client.post(KEEP, sent)


def test_own_keys_are_kept_and_shown_wherever_a_key_is_named(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client = desk.client()
    assert "data-keys" not in client.get(page_of(review)).content.decode()
    assert keep(client, a="y")["Location"] == "/keyboard/"
    page = client.get(page_of(review)).content.decode()
    assert 'data-keys="{&quot;a&quot;: &quot;y&quot;}"' in page
    assert 'data-shortcut="a" aria-keyshortcuts="y"' in page and 'aria-hidden="true">y</kbd>' in page
    client.post(KEEP, {"delivered": "1"})
    assert 'data-shortcut="a" aria-keyshortcuts="a"' in client.get(page_of(review)).content.decode()


def test_two_actions_do_not_share_a_key(desk: Desk) -> None:
    client = desk.client()
    response = keep(client, a="r")
    page = response.content.decode()
    assert response.status_code == 422
    assert page.count("two actions have this key") == 2 and 'role="alert"' in page
    assert keep(client, a="7").status_code == 422
    assert "desk_keys" not in client.cookies


def test_viewers_may_choose_and_a_get_is_refused(desk: Desk) -> None:
    assert keep(desk.client(desk.viewer), j="n", n="j").status_code == 302
    assert desk.client().get(KEEP).status_code == 405
