"""Three owners with alike names, orders and sessions, told once for many questions (test_hold_your_own)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoryhub.recall.answers import RecallAnswer
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured_relations import write_relations
from tests.builders import make_link
from tests.knowledge.library import LONG_AGO, Library
from tests.recall.stories import Story, begin
from tests.sessions.talking import Talk, talk

CLOCK = datetime(2026, 3, 11, 4, 0, tzinfo=UTC)
"""A Wednesday noon in Shanghai, midnight in New York."""


@dataclass
class Household:
    """ann speaks Chinese in Shanghai, bob English in New York, carl has nothing; all in one workspace."""

    ann: Story
    bob: Story
    carl: Story

    def ask(self, who: str, query: str, **asked: Any) -> RecallAnswer:
        story: Story = getattr(self, who)
        return story.recall(query, **{"top_k": 8, **asked})


def settle() -> Household:
    ann = begin(ref="ann", locale="zh-hans", time_zone="Asia/Shanghai")
    bob = begin(source=ann.source, ref="ann-b", locale="en", time_zone="America/New_York")
    carl = begin(source=ann.source, ref="an", locale="en")
    _tell_ann(ann)
    _tell_bob(bob)
    _publish(ann)
    for story in (ann, bob):
        story.index()
    return Household(ann, bob, carl)


def _day(month: int, day: int, hour: int = 4) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def _tell_ann(ann: Story) -> None:
    ann.field("user_profile.location", "杭州", valid_from=_day(1, 1))
    ann.field("user_profile.location", "上海", valid_from=_day(2, 1))
    ann.field("user_profile.budget", 500_000)
    ann.say("我对坚果过敏", occurred_at=_day(1, 5), index=False)
    for number, parcel, city in (("SO-1", "KX-1", "南京"), ("SO-2", "KX-2", "成都")):
        ann.field("order.tracking_number", parcel, subject=number)
        ann.item(f"订单{number}寄到{city}")
    for number, status, day in (("INC-1", "open", 1), ("INC-2", "dispatched", 5), ("INC-3", "solved", 8)):
        ann.field("incident.status", status, subject=number, valid_from=_day(3, day))
    for text in (
        "产品X200需要换滤芯", "产品X300需要换电池", "王工负责采购合同", "李工负责采购验收", "项目Atlas用的数据库是PostgreSQL",
        "项目Borealis用的数据库是MySQL", "上周要整改权限体系",
    ):  # fmt: skip
        ann.item(text, item_kind="episodic")
    ann.say("我们项目采用方案A", occurred_at=_day(3, 3), action="decision", index=False)
    ann.say("改用方案B，预算不够", occurred_at=_day(3, 5), action="decision", index=False)
    ann.say(
        "深夜买了一盏台灯", occurred_at=datetime(2026, 3, 9, 16, 30, tzinfo=UTC), index=False
    )  # the tenth there
    drink = RelationCandidate(
        relation="contains", from_kind="product", from_name="拿铁", to_kind="product", to_name="牛奶"
    )
    write_relations(owner_id=ann.owner.id, relations=[drink], source=ann.source)
    chat = talk(story=ann)
    chat.put("order:A", "address", "浦东大道1号")
    chat.put("order:B", "address", "徐汇大道2号")
    ann.say("我想换一台投影仪", session_ref=chat.ref, index=False)
    ann.say("另外把会议改到周五", session_ref=chat.ref, index=False)


def _tell_bob(bob: Story) -> None:
    bob.field("user_profile.location", "Boston")
    bob.field("user_profile.budget", 700)
    bob.field("order.tracking_number", "BX-9", subject="SO-1")
    bob.item("Order SO-1 goes to Elm Street")
    bob.item("The budget of bob is for a kayak")
    bob.say("I bought a kayak", occurred_at=_day(3, 9, 20), index=False)
    chat = Talk(bob)
    talk(story=bob)
    chat.put("order:A", "address", "Elm Street 5")
    bob.say("Please paint the kayak red", session_ref=chat.ref, index=False)


def _publish(ann: Story) -> None:
    """A library that ann is linked to and bob is not: a policy in force, the one before it, and somebody's note."""
    domain = begin(source=ann.source, ref="shop", kind="domain")
    library = Library(ann.source, domain.owner, ann.owner)
    old = library.take("# 跨境退货\n\n跨境退货收取10%手续费。", authority=5, effective_from=LONG_AGO)
    library.publish(old)
    new = library.take(
        "# 跨境退货\n\n跨境退货免收手续费。",
        authority=4,
        document_id=old.document_id,
        effective_from=_day(1, 1),
    )
    library.publish(new)
    library.put("# 跨境退货\n\n听说跨境退货要收20%手续费。", title="随手记", authority=1)
    domain.field("user_profile.location", "总部")
    domain.field("user_profile.commute", "班车")
    make_link(ann.owner, domain.owner)
