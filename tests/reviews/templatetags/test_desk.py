from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from memoryhub.models import Event

AT = datetime(2026, 11, 20, 16, 30, tzinfo=UTC)


def rendered(source: str, **context: object) -> str:
    return Template("{% load desk %}" + source).render(Context(context))


def test_an_icon_is_hidden_from_screen_readers() -> None:
    assert 'aria-hidden="true"' in rendered('{% icon "house" %}')


def test_a_badge_is_escaped() -> None:
    assert "<b>" not in rendered('{% badge code "status" %}', code="<b>")


@pytest.mark.parametrize(
    ("form", "text"), [("full", "2026-11-21 00:30"), ("clock", "00:30"), ("day", "2026-11-21")]
)
def test_a_moment_is_told_in_its_zone(form: str, text: str) -> None:
    html = rendered('{% moment at "Asia/Shanghai" form %}', at=AT, form=form)
    assert f">{text}</time>" in html
    assert 'datetime="2026-11-20T16:30:00+00:00"' in html


def test_a_moment_that_never_came_is_a_dash() -> None:
    assert rendered("{% moment at %}", at=None) == "—"


def test_how_long_ago_is_told_in_the_readers_language() -> None:
    earlier = timezone.now() - timedelta(hours=3, minutes=5)
    assert "3\xa0hours ago" in rendered('{% moment at "UTC" "ago" %}', at=earlier)
    with translation.override("zh-hans"):
        assert "小时前" in rendered('{% moment at "UTC" "ago" %}', at=earlier)
    assert "just now" in rendered('{% moment at "UTC" "ago" %}', at=timezone.now())


def test_marked_text_is_escaped_inside_and_outside_the_mark() -> None:
    html = rendered("{% marked text quotes %}", text="<a> & <b>", quotes=[("<b>", None)])
    assert html == "&lt;a&gt; &amp; <mark>&lt;b&gt;</mark>"


def test_the_gist_of_an_event_without_words_is_what_it_did() -> None:
    assert rendered("{{ event|gist:9 }}", event=Event(content="one two three")) == "one two …"
    assert (
        rendered("{{ event|gist:9 }}", event=Event(action="change", field_name="status")) == "change · status"
    )


def test_grounds_come_from_the_event_first_and_then_from_its_words() -> None:
    read = {"reason": "read", "alternatives": ["B"]}
    show = "{% with why=event|grounds %}{{ why.reason }} {{ why.alternatives|join:'+' }}{% endwith %}"
    assert rendered(show, event=Event(learned=read)) == "read B"
    assert rendered(show, event=Event(learned=read, reason="sent", alternatives=["C", "D"])) == "sent C+D"
    assert rendered(show, event=Event(learned=[])) == " "
