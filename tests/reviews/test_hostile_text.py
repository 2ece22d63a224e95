"""B48: stored text is shown as text. Every column that an agent can fill holds a payload, and every page is opened in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memoryhub.models import Owner, Workspace
from tests.repeats import FULL
from tests.reviews.browsing import Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.rows import (
    make_change,
    make_event,
    make_item,
    make_job,
    make_owner,
    make_review,
    make_version,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "javascript:alert(3)",
    '"><svg onload=alert(4)>',
    "' autofocus onfocus=alert(5) x='",
    "{{ 7|add:'7' }}{% now 'Y' %}",
    "<iframe srcdoc='<script>alert(6)</script>'></iframe>",
    "&lt;b&gt;<b hx-get='/logout/' hx-trigger='load'>",
)
TEXT = " ".join(PAYLOADS)


def hostile_owner(workspace: Workspace, ref: str) -> Owner:
    """An owner whose every text, code, key and list is a payload."""
    owner = make_owner(workspace, ref, display_name=TEXT[:200], time_zone=PAYLOADS[0][:60], locale="<b>")
    verdict = {
        "outcome": PAYLOADS[0],
        "kind": PAYLOADS[1],
        "code": PAYLOADS[2],
        "field": PAYLOADS[3],
        "details": {TEXT: TEXT},
    }
    first = make_event(owner, TEXT, session_ref="s")
    event = make_event(
        owner,
        TEXT,
        actor=TEXT[:200],
        subject=TEXT[:200],
        action=PAYLOADS[0][:40],
        session_ref=TEXT[:200],
        before={TEXT: [TEXT]},
        after=TEXT,
        reason=TEXT,
        alternatives=list(PAYLOADS),
        form_type=PAYLOADS[0][:60],
        form_subject=TEXT[:200],
        field_name=PAYLOADS[4][:60],
        metadata={TEXT: {TEXT: [TEXT]}},
        outcome=[verdict],
        learned={"reason": TEXT, "alternatives": [TEXT]},
        caused_by_id=first.id,
        idempotency_key=TEXT[:255],
    )
    evidence: dict[str, Any] = {"event_id": event.id, "quote": PAYLOADS[0], "quote_start": 0}
    make_version(owner, TEXT, subject=TEXT[:200], **evidence)
    make_version(
        owner, {"amount": TEXT, "currency": TEXT}, subject=TEXT[:200], field="user_profile.budget", **evidence
    )
    make_version(
        owner,
        [TEXT, {TEXT: TEXT}],
        subject=TEXT[:200],
        field="user_profile.pet",
        quote=TEXT,
        event_id=event.id,
    )
    make_item(
        owner, TEXT, entities=list(PAYLOADS), subject_entity=TEXT[:200], metadata={TEXT: TEXT}, **evidence
    )
    for state in ("proposed", "applied"):
        change = make_change(
            owner,
            state=state,
            form_type=PAYLOADS[0][:60],
            form_subject=TEXT[:200],
            field_name=PAYLOADS[4][:60],
            before={"value": TEXT},
            after={TEXT: TEXT},
            gates=[payload[:40] for payload in PAYLOADS],
            reason_code=PAYLOADS[0][:40],
            action="<i>",
            event_id=event.id,
            quote=TEXT,
        )
        make_review(change, kind="proposal" if state == "proposed" else "patrol", note=TEXT)
    make_job(workspace, owner=owner, kind=PAYLOADS[0][:40], state="parked", error_code=PAYLOADS[1][:60])
    half_approved(owner, event_id=event.id)
    return owner


def half_approved(owner: Owner, **evidence: Any) -> None:
    """A change of one payload to another, which a first person edited into a third: both diffs of the review page."""
    proposed = make_change(
        owner,
        state="proposed",
        before={"value": TEXT},
        after={"value": f"new {TEXT}"},
        quote=PAYLOADS[0],
        **evidence,
    )
    edited = {"edited": f"{TEXT} edited", "action": "approve_first", "note": TEXT}
    make_review(proposed, state="second_review", is_top_class=True, first_user_id=1, step=edited)


@pytest.mark.browser
@pytest.mark.deep
@pytest.mark.parametrize("language", ["zh-hans", "en"] if FULL else ["zh-hans"])
def test_payloads_are_shown_as_text_on_every_page(
    desk: Desk, browser: Browser, live_server: LiveServer, language: str
) -> None:
    owner = hostile_owner(desk.workspace, TEXT[:200])
    context = browser.new_context(base_url=live_server.url)
    prefer(context, live_server.url, language=language)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    for name, address in all_pages(owner).items():
        tab.open(address)
        assert tab.troubles == [], name
        assert (
            tab.page.locator("img, iframe, main script, svg[onload], [onerror], [onfocus], main b").count()
            == 0
        ), name
        for link in tab.page.locator("a[href]").evaluate_all("links => links.map(link => link.href)"):
            assert link.startswith(live_server.url), link
    tab.open(all_pages(owner)["timeline"])
    shown = tab.page.locator("main").inner_text()
    for payload in PAYLOADS[:6]:
        assert payload in shown
    context.close()
