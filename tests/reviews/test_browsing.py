"""Walks through the desk: without scripts, with htmx, and when something goes wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.reviews.browsing import PHONE, Watched, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.story import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_everything_works_without_scripts(
    desk: Desk, browser: Browser, live_server: LiveServer, width: int
) -> None:
    tell(desk.workspace)
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": width, "height": 800}
    )
    sign_in(context, live_server.url, desk.operator)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Owners").click()
    page.get_by_label("Reference", exact=True).fill("user-")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#results")).to_contain_text("30 owners")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("[data-row]")).to_have_count(5)
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("link", name="cust-张伟-0817").click()
    page.get_by_role("link", name="2 versions").click()
    page.get_by_role("link", name="Timeline").click()
    page.get_by_label("Said by").select_option("assistant")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.locator("summary", has_text="Theme").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_title(re.compile("时间线"))
    expect(page.locator("h1")).to_have_text("张伟")
    page.goto("/system/")
    page.get_by_role("button", name="重新排队").click()
    expect(page.locator("main")).to_contain_text("任务已重新排队")
    page.locator("summary", has_text="账户").click()
    page.get_by_role("button", name="退出登录").click()
    page.wait_for_url("**/login/")
    context.close()


def test_filtering_replaces_only_the_list_and_keeps_the_focus(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    tell(desk.workspace)
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    tab.open("/owners/")
    tab.page.evaluate("window.sameDocument = true")
    tab.page.get_by_label("Reference", exact=True).fill("user-")
    tab.page.keyboard.press("Enter")
    tab.page.locator("#results", has_text="30 owners").wait_for()
    assert tab.page.evaluate("window.sameDocument") is True
    expect(tab.page).to_have_url(re.compile(re.escape("/owners/?q=user-&kind=&state=") + "$"))
    expect(tab.page.locator("#filter_q")).to_be_focused()
    expect(tab.page.locator("#announcements")).to_have_text("30 owners")
    tab.page.get_by_role("link", name="Next").click()
    tab.page.locator("text=user-0029").wait_for()
    tab.page.go_back()
    tab.page.locator("text=user-0000").wait_for()
    assert "<html" in tab.page.content()
    assert tab.troubles == []
    context.close()


def test_one_banner_says_what_went_wrong_and_the_typed_text_stays(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    tell(desk.workspace)
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    page = context.new_page()
    page.goto("/owners/")
    page.route("**/owners/?**", lambda route: route.fulfill(status=500, body="<h1>secret trace</h1>"))
    page.get_by_label("Reference", exact=True).fill("user-")
    page.keyboard.press("Enter")
    banner = page.get_by_role("alert")
    expect(banner).to_contain_text("500")
    assert "secret trace" not in page.content()
    expect(page.get_by_label("Reference", exact=True)).to_have_value("user-")
    page.unroute("**/owners/?**")
    page.route("**/owners/?**", lambda route: route.abort())
    page.keyboard.press("Enter")
    page.locator("text=No connection").wait_for()
    context.close()


def test_an_expired_session_leads_to_the_login_page(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    page = context.new_page()
    page.goto("/owners/")
    context.clear_cookies()
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**/login/**")
    context.close()


def test_the_system_theme_is_followed(desk: Desk, browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(base_url=live_server.url, color_scheme="dark")
    page = context.new_page()
    page.goto("/login/")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "light")
    context.close()


def test_the_chart_is_drawn_only_when_it_comes_into_view(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    tell(desk.workspace)
    context = browser.new_context(base_url=live_server.url, viewport={"width": PHONE, "height": 500})
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    loaded: list[str] = []
    tab.page.on("request", lambda request: loaded.append(request.url))
    tab.open("/")
    assert not any("plotly" in url for url in loaded)
    tab.page.locator("[data-chart]").scroll_into_view_if_needed()
    tab.page.locator(".chart .bars").wait_for()
    tab.page.wait_for_load_state("networkidle")
    assert tab.page.evaluate("window.violations") == []
    context.close()
