"""Three owners whose stories a new installation shows: told as events, so that they walk the real path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from memoryhub.writing.candidates import Role


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One event of a story, `ago` before the demo is made."""

    ago: timedelta
    text: str
    session: str
    role: Role = "user"
    action: str = "message"
    actor: str = ""
    after: Any = None
    before: Any = None
    field: tuple[str, str, str] = ("", "", "")
    """Form type, subject and field that a tool's value is about."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    ref: str
    kind: str
    display_name: str
    locale: str
    time_zone: str
    events: tuple[Said, ...]


def _at(days: float, minutes: int = 0) -> timedelta:
    return timedelta(days=days, minutes=-minutes)


CUSTOMER = Story(
    ref="u-1024",
    kind="user",
    display_name="张敏",
    locale="zh-hans",
    time_zone="Asia/Shanghai",
    events=(
        Said(ago=_at(21), session="s-101", text="你好，我叫张敏，我是你们的VIP客户"),
        Said(ago=_at(21, 1), session="s-101", text="我对坚果过敏"),
        Said(ago=_at(21, 2), session="s-101", text="我的收货地址是幸福路1号"),
        Said(ago=_at(21, 3), session="s-101", text="老规矩，发顺丰，包裹放门卫"),
        Said(ago=_at(14), session="s-102", text="三号会议室的投影仪坏了，帮我报修，工单号 T-3021"),
        Said(ago=_at(14, 1), session="s-102", role="assistant", text="已为您派单，工程师明天上午到"),
        Said(
            ago=_at(14, 2),
            session="s-102",
            role="tool",
            action="change",
            actor="dispatch",
            text="工单 T-3021 已派单",
            before="open",
            after="dispatched",
            field=("incident", "T-3021", "status"),
        ),
        Said(ago=_at(9), session="s-103", text="昨天很生气"),
        Said(ago=_at(8), session="s-103", text="今天其实也能理解"),
        Said(ago=_at(6), session="s-104", text="刚才说错了，我的收货地址是幸福路8号"),
        Said(ago=_at(5), session="s-105", text="我就是靠咖啡续命的，血管里流的都是咖啡，开玩笑的"),
        Said(ago=_at(4), session="s-106", text="我的快递单号是SF123456789，预计明天到"),
        Said(ago=_at(2), session="s-107", text="以后别推荐咖啡了"),
    ),
)

ENGINEER = Story(
    ref="u-ada",
    kind="user",
    display_name="Ada",
    locale="en",
    time_zone="Europe/Lisbon",
    events=(
        Said(ago=_at(60), session="s-201", text="Hi, my name is Ada and I live in Porto"),
        Said(ago=_at(60, 2), session="s-201", text="Our backend is written in Node.js"),
        Said(ago=_at(45), session="s-202", text="I prefer short answers"),
        Said(
            ago=_at(30), session="s-203", text="We moved from Node.js to Python because of the data libraries"
        ),
        Said(ago=_at(20), session="s-204", text="I moved to Lisbon last week"),
        Said(ago=_at(12), session="s-205", text="My favourite tea is oolong"),
        Said(ago=_at(3), session="s-206", text="These days my favourite tea is jasmine"),
        Said(ago=_at(1), session="s-207", text="I can't stand pop-up windows"),
    ),
)

PROJECT = Story(
    ref="p-aurora",
    kind="project",
    display_name="极光项目",
    locale="zh-hans",
    time_zone="Asia/Shanghai",
    events=(
        Said(ago=_at(28), session="s-301", text="我们决定用方案A"),
        Said(ago=_at(27), session="s-301", text="项目预算上限是五十万"),
        Said(ago=_at(18), session="s-302", text="改用方案B，预算不够"),
        Said(ago=_at(7), session="s-303", text="还是方案A吧，成本问题，对比过B和C"),
        Said(ago=_at(6), session="s-303", text="任何推荐都不能包含坚果成分"),
    ),
)

STORIES = (CUSTOMER, ENGINEER, PROJECT)
