"""What people say, through the real write path, as it stands at the desk afterwards."""

from __future__ import annotations

from django.urls import reverse

from tests.builders import make_source
from tests.recall.stories import begin
from tests.reviews.conftest import Desk


def test_a_change_of_mind_is_a_fact_a_chain_and_a_timeline(desk: Desk) -> None:
    source = make_source(desk.workspace)
    story = begin(source=source, ref="project", kind="project", locale="zh-hans", time_zone="Asia/Shanghai")
    first, _second, third = story.say(
        "我们决定用方案A", "改用方案B，预算不够", "还是方案A吧，成本问题，对比过B和C"
    )
    client = desk.client()
    facts = client.get(reverse("reviews:owner", args=[story.owner.id]))
    (form,) = facts.context["facts"].forms
    (fact,) = form.facts
    assert (fact.version.value, fact.versions) == ("方案A", 3)
    assert "<mark>" in facts.content.decode()
    chain = client.get(
        reverse("reviews:versions", args=[story.owner.id, form.form.id, fact.version.field.name])
    )
    values = [row.version.value for row in chain.context["chain"].page.rows]
    assert values == ["方案A", "方案B", "方案A"]
    timeline = client.get(reverse("reviews:timeline", args=[story.owner.id])).content.decode()
    assert timeline.index("还是方案A吧") < timeline.index("改用方案B") < timeline.index("我们决定用方案A")
    assert "成本问题" in timeline
    assert "<del>方案B</del>" in timeline
    event = client.get(reverse("reviews:event", args=[story.owner.id, third])).content.decode()
    assert "replaced the earlier value" in event
    assert first != third


def test_what_waits_for_a_person_and_what_was_refused_is_counted_and_shown(desk: Desk) -> None:
    story = begin(source=make_source(desk.workspace), ref="customer", locale="zh-hans")
    story.say("以后别推荐咖啡了", "昨天很生气")
    overview = desk.client().get("/").context["overview"]
    assert overview.proposed == 1
    assert ("mood", 1) in overview.refused
    facts = desk.client().get(reverse("reviews:owner", args=[story.owner.id])).content.decode()
    assert "Waiting for a person" in facts
    assert "a standing prohibition" in facts
