"""Which order, ticket or parcel a sentence names, in Chinese and in English."""

from __future__ import annotations

import pytest

from memoryhub.sessions.contexts import is_context, kinds_in, named_in, normal_context

NAMED = {
    "订单A的地址是浦东": ["order:A"],
    "订单号是SO-2026-77，什么时候到": ["order:SO-2026-77"],
    "我想问订单A和B到哪了": ["order:A", "order:B"],
    "order A is late": ["order:A"],
    "the address of order #1203": ["order:1203"],
    "orders A and B": ["order:A", "order:B"],
    "工单T-88还没处理": ["ticket:T-88"],
    "what about ticket t-88?": ["ticket:T-88"],
    "我的快递单号是SF123456789": ["parcel:SF123456789"],
    "tracking number is SF123456789": ["parcel:SF123456789"],
    "任务3完成了吗": ["task:3"],
    "I want to order a pizza": [],
    "my order arrived": [],
    "in order to win": [],
    "我的订单到了": [],
    "订单已经取消": [],
}


@pytest.mark.parametrize("text", NAMED)
def test_a_code_behind_its_word_names_a_context(text: str) -> None:
    assert [mention.context for mention in named_in(text)] == NAMED[text]


def test_the_kind_is_heard_without_a_code() -> None:
    assert kinds_in("我的订单到哪了") == {"order"}
    assert kinds_in("where is my parcel") == {"parcel"}
    assert kinds_in("good morning") == set()


def test_a_context_is_empty_or_a_kind_and_a_name() -> None:
    assert all(map(is_context, ("", "order:A", "task:写周报", "ticket:T 88")))
    assert not any(
        map(is_context, ("order", "order:", ":A", "Order:A", "order: A", "order:A ", "o" * 40 + ":x"))
    )


def test_one_code_has_one_spelling() -> None:
    assert normal_context("order:so-1") == normal_context("order:ＳＯ-1") == "order:SO-1"
    assert normal_context("task:写周报") == "task:写周报"
