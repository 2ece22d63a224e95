"""Questions that go wrong in many memories: isolation, time, pointers, the entity gate and the order of layers, one row each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from memoryhub.recall.answers import RecallAnswer
from tests.recall.household import CLOCK, Household, settle
from tests.sessions.talking import REF


@dataclass(frozen=True, kw_only=True)
class Case:
    """`told` must be in the block, `never` must not; the rest is compared where it is given."""

    who: str
    query: str
    asked: dict[str, Any] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    rule: str = ""
    pointer: str = ""
    taken: tuple[str, ...] | None = None
    notes: tuple[str, ...] | None = None
    layers: dict[str, str] = field(default_factory=dict)
    first: str = ""


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


IN_SESSION: dict[str, Any] = {"session_ref": REF}
THEN: dict[str, Any] = {"clock": CLOCK}
OF_ANN = ("上海", "杭州", "500000", "KX-1", "KX-2", "浦东", "徐汇", "投影仪", "坚果", "手续费", "台灯")
OF_BOB = ("Boston", "700", "BX-9", "Elm", "kayak")

CASES: dict[str, Case] = {
    # --- whose memory
    "budget of ann": Case(who="ann", query="预算是多少", told=("500000",), never=OF_BOB),
    "budget of bob": Case(who="bob", query="what is my budget", told=("700",), never=OF_ANN),
    "budget of nobody": Case(who="carl", query="budget 预算 kayak 台灯", never=OF_ANN + OF_BOB),
    "the same order number": Case(who="bob", query="tracking number of SO-1", told=("BX-9",), never=("KX-1", "南京")),
    "the same session name": Case(who="bob", query="address of order A", asked=IN_SESSION, told=("Elm Street 5",), never=("浦东",)),
    "the same session name, ann": Case(who="ann", query="订单A的地址", asked=IN_SESSION, told=("浦东",), never=("Elm", "徐汇")),
    "a session nobody of his opened": Case(who="carl", query="order A", asked=IN_SESSION, never=("Elm", "浦东", "徐汇")),
    "another's words in English": Case(who="ann", query="kayak", never=OF_BOB),
    "another's words in Chinese": Case(who="bob", query="投影仪 台灯 坚果", never=OF_ANN),
    "another's events": Case(who="carl", query="", asked={"kinds": ("event",)}, never=OF_ANN + OF_BOB),
    "another's entity": Case(who="carl", query="SO-1", asked={"entities": ("SO-1", "Atlas")}, never=("KX-1", "BX-9", "Postgre")),
    "another's library": Case(who="bob", query="跨境退货收手续费吗", never=("手续费。", "免收")),
    "his own relations": Case(who="ann", query="推荐拿铁吗", told=("牛奶",)),
    "another's relations": Case(who="bob", query="推荐拿铁吗 recommend 拿铁 contains", never=("牛奶",)),
    "another's relations, in a session": Case(who="carl", query="推荐拿铁吗", asked=IN_SESSION, never=("牛奶",)),
    "another's day": Case(who="carl", query="2026-03-09", never=("kayak", "台灯")),
    # --- time
    "where in January": Case(who="ann", query="住在哪个城市", asked={"valid_at": at(2026, 1, 15)}, told=("杭州",), never=("上海",)),
    "where now": Case(who="ann", query="住在哪个城市", told=("上海",), never=("杭州",)),
    "before anything was known": Case(who="ann", query="住在哪个城市", asked={"known_at": at(2020, 1, 1)}, never=("上海", "杭州")),
    "before anything was true": Case(who="ann", query="住在哪个城市", asked={"valid_at": at(2019, 1, 1)}, never=("上海", "杭州")),
    "yesterday in his zone": Case(who="ann", query="昨天发生了什么", asked=THEN, told=("台灯",), notes=()),
    "yesterday in New York": Case(who="bob", query="what happened yesterday?", asked=THEN, notes=("No events on 2026-03-10",)),
    "the day before in New York": Case(who="bob", query="2026-03-09", asked=THEN, told=("I bought a kayak",), notes=()),
    "a day in UTC is not his": Case(who="ann", query="2026-03-09", asked=THEN, notes=("2026-03-09 没有记录",)),
    "last week's decisions": Case(who="ann", query="上周做了什么决策", asked=THEN, told=("方案A → 方案B",), notes=()),
    "an empty week": Case(who="ann", query="上上周做了什么决策", asked=THEN, never=("方案A →",), notes=("2026-02-23 至 2026-03-01 没有记录",)),
    "only a time": Case(who="ann", query="上周", asked=THEN, told=("方案B",), notes=()),
    "a time ahead": Case(who="ann", query="下周", asked=THEN, notes=()),
    "no words": Case(who="ann", query="  ？ ", told=("坚果",), notes=()),
    # --- pointers
    "just said": Case(who="ann", query="把刚才说的再说一遍", asked=IN_SESSION, pointer="resolved", taken=("另外把会议改到周五",)),
    "just said about": Case(who="ann", query="我刚才说的投影仪", asked=IN_SESSION, pointer="resolved", taken=("我想换一台投影仪",)),
    "just said by bob": Case(who="bob", query="do what I just said", asked=IN_SESSION, pointer="resolved", taken=("Please paint the kayak red",)),
    "just said to nobody": Case(who="carl", query="what I just said", asked=IN_SESSION, pointer="unresolved", taken=()),
    "just said without a session": Case(who="ann", query="刚才说的", pointer="unresolved", taken=()),
    "just said of two orders": Case(who="ann", query="刚才说的那个订单", asked=IN_SESSION, pointer="ambiguous", taken=()),
    "that issue": Case(who="ann", query="那个问题怎么样了", pointer="ambiguous", taken=("INC-2: dispatched",), never=("INC-3",)),
    "that issue then": Case(who="ann", query="那个问题怎么样了", asked={"valid_at": at(2026, 3, 3)}, pointer="resolved", taken=("INC-1: open",)),
    "no issue": Case(who="bob", query="how is that issue going?", pointer="unresolved", taken=()),
    "the usual of nobody": Case(who="bob", query="the usual, please", pointer="unresolved", taken=()),
    # --- the entity gate
    "one order": Case(who="ann", query="订单SO-2寄到哪里", told=("成都",), never=("南京", "KX-1"), rule="other_entity"),
    "both orders": Case(who="ann", query="订单SO-1和SO-2寄到哪里", told=("成都", "南京")),
    "no order": Case(who="ann", query="寄到哪里", told=("成都", "南京")),
    "one product": Case(who="ann", query="产品X200需要换什么", told=("滤芯",), never=("电池",), rule="other_entity"),
    "one person": Case(who="ann", query="王工负责什么采购", told=("合同",), never=("验收",), rule="other_entity"),
    "one project": Case(who="ann", query="项目Atlas用的数据库", told=("PostgreSQL",), never=("MySQL",), rule="other_entity"),
    "another undertaking": Case(who="ann", query="我想了解一下你们的安全策略", never=("权限体系",), rule="other_entity"),
    "the same undertaking": Case(who="ann", query="刚才说的权限体系你给个方案", told=("整改权限体系",)),
    "a rule passes the gate": Case(who="ann", query="订单SO-2里有什么吃的", told=("坚果",)),
    # --- the order of layers
    "session before user": Case(who="ann", query="订单A的地址", asked=IN_SESSION, layers={"session": "answered"}, first="浦东"),
    "user before domain": Case(who="ann", query="住在哪个城市", told=("上海",), never=("总部",), rule="user_beats_domain"),
    "domain where the user has none": Case(who="ann", query="我的通勤方式", told=("班车",), layers={"user": "missed", "domain": "answered"}),
    "policy in force": Case(
        who="ann", query="跨境退货收手续费吗", asked={"min_authority": 4}, told=("免收手续费",), never=("10%", "20%"),
        layers={"domain": "answered"},
    ),
    "never the expired one": Case(who="ann", query="跨境退货收取10%手续费", never=("10%手续费",)),
    "nobody's layers": Case(who="carl", query="what is my budget", layers={"session": "not_asked", "user": "missed", "domain": "not_asked"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def household(committing_module_db: str) -> Household:
    return settle()


def told(answer: RecallAnswer) -> tuple[str, ...]:
    return tuple(target.text for pointer in answer.pointers for target in pointer.taken)


@pytest.mark.parametrize("name", CASES)
def test_it_holds_its_own(household: Household, name: str) -> None:
    case = CASES[name]
    answer = household.ask(case.who, case.query, **case.asked)
    assert [text for text in case.told if text not in answer.text] == [], answer.text
    assert [text for text in case.never if text in answer.text] == [], answer.text
    owners = {household.ann.owner.id, household.bob.owner.id, household.carl.owner.id}
    assert not {entry.owner_id for entry in answer.ranked} & (owners - {answer.owner_id})
    assert answer.tokens <= answer.budget_tokens
    assert not case.rule or answer.excluded_counts.get(case.rule, 0) > 0
    assert not case.pointer or [pointer.state for pointer in answer.pointers] == [case.pointer]
    assert case.taken is None or told(answer) == case.taken
    assert case.notes is None or answer.notes == case.notes
    states = {layer.name: layer.state for layer in answer.layers}
    assert case.layers.items() <= states.items()
    assert not case.first or case.first in next(
        entry.text for entry in answer.served if entry.section != "rules"
    )


def test_there_are_at_least_forty() -> None:
    assert len(CASES) >= 40
