"""Only the one or two contexts that matter for a question are served."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.sessions.relevance import Topic, choose

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def topic(context: str, minutes: int, *names: str, words: tuple[str, ...] = ()) -> Topic:
    return Topic(
        context=context,
        names=frozenset(names),
        words=words,
        touched_at=NOON + timedelta(minutes=minutes),
    )


TOPICS = [
    topic("order:A", 1, "number", "address", words=("SF1234567",)),
    topic("order:B", 2, "number", "address", "phone"),
    topic("ticket:T-88", 3, "number", "device", words=("投影仪",)),
    topic("task:写周报", 0, "deadline"),
]


@pytest.mark.parametrize(
    ("query", "contexts", "rule"),
    [
        ("订单A的地址是什么", ("order:A",), "named"),
        ("what is the address of order A?", ("order:A",), "named"),
        ("A 什么时候到", ("order:A",), "named"),
        ("compare orders A and B", ("order:B", "order:A"), "named"),
        ("SF1234567到哪了", ("order:A",), "named"),
        ("投影仪修好了吗", ("ticket:T-88",), "named"),
        ("写周报还剩几天", ("task:写周报",), "named"),
        ("t-88 status?", ("ticket:T-88",), "named"),
        ("我的订单电话是多少", ("order:B",), "slot"),
        ("what phone number did I give for the order", ("order:B",), "slot"),
        ("我的订单怎么样了", ("order:B", "order:A"), "kind"),
        ("订单C的地址", (), "another_named"),
        ("a good idea, what is it?", ("ticket:T-88",), "latest"),
        ("然后呢", ("ticket:T-88",), "latest"),
        ("", ("ticket:T-88", "order:B"), "latest"),
    ],
)
def test_rules_choose(query: str, contexts: tuple[str, ...], rule: str) -> None:
    chosen = choose(TOPICS, query)
    assert (chosen.contexts, chosen.rule) == (contexts, rule)
    assert set(chosen.left_out) == {topic.context for topic in TOPICS} - set(contexts)


def test_the_conversation_itself_is_never_in_the_way() -> None:
    chosen = choose([*TOPICS, topic("", 9, "mood")], "订单A")
    assert chosen.contexts == ("order:A", "")


def test_nothing_gives_nothing() -> None:
    assert choose([], "订单A").contexts == ()
