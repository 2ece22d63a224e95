"""The worked examples of the source reports, all layers at once, and what a recall over all of them costs.

Where an example has a test of its own it is named here, and this file only holds that it is still there.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured_relations import write_relations
from tests.knowledge.library import Library, open_library
from tests.recall.stories import Story, texts
from tests.sessions.talking import Talk, talk

pytestmark = pytest.mark.django_db

EXAMPLES = {
    "订单 A/B kept apart in a session": "test_session::test_only_the_order_that_is_asked_about_is_told_in_chinese",
    "orders kept apart, in English": "test_session::test_only_the_order_that_is_asked_about_is_told_in_english",
    "address changed and changed back": (
        "test_session::test_a_changed_address_is_told_as_it_is_now_and_changed_back_as_it_was"
    ),
    "跨境退货 by the document in force": (
        "test_documents::test_cross_border_returns_are_answered_by_the_document_in_force_never_by_the_expired_one"
    ),
    "退货是否收手续费, the higher authority first": "test_documents::test_the_higher_authority_is_told_first",
    "the 90-day notice": "test_documents::test_a_document_unverified_for_ninety_days_is_told_with_a_notice",
    "我的预算是多少 through the alias": "test_pipeline::test_an_alias_reaches_its_form_in_chinese",
    "上周做了什么决策 as a timeline": "test_empty_times::test_decisions_of_last_week_are_told_as_a_timeline",
    "权限体系 and 安全策略": "test_gate::test_another_undertaking_is_not_served_and_the_same_one_is",
    "order without ship date → policy": "test_fusing::test_an_order_without_a_ship_date_is_answered_by_the_policy",
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_has_its_test(example: str) -> None:
    module, name = EXAMPLES[example].split("::")
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text())
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def everything() -> tuple[Library, Talk]:
    """One owner with a session about two orders, forms, decisions, an open ticket, relations and a linked library."""
    library = open_library()
    story = Story(library.source, library.user)
    chat = talk(story=story)
    chat.put("order:A", "address", "浦东大道1号")
    chat.put("order:B", "address", "徐汇大道2号")
    story.field("user_profile.budget", 500_000)
    story.field("incident.status", "dispatched", subject="INC-2")
    story.field("order.tracking_number", "KX-1", subject="SO-1")
    story.say("我们项目采用方案A", "改用方案B，预算不够", action="decision")
    story.say("我想换一台投影仪", session_ref=chat.ref)
    story.item("订单SO-1寄到南京")
    story.item("订单SO-2寄到成都")
    write_relations(
        owner_id=library.user.id,
        relations=[
            RelationCandidate(
                relation="contains", from_kind="product", from_name="拿铁", to_kind="product", to_name="牛奶"
            ),
            RelationCandidate(
                relation="belongs_to", from_kind="order", from_name="SO-1", to_kind="project", to_name="Atlas"
            ),
        ],
        source=library.source,
    )
    story.index()
    library.put("# 退货\n\n七天内可以退货，免收手续费。", authority=4)
    return library, chat


def statements(chat: Talk, query: str) -> list[str]:
    """What a recall sends beside transaction control and set_config."""
    with CaptureQueriesContext(connection) as captured:
        chat.story.recall(query, session_ref=chat.ref)
    own = [entry["sql"] for entry in captured.captured_queries if "set_config(" not in entry["sql"]]
    return [sql for sql in own if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]


def test_one_recall_over_all_layers_is_four_statements() -> None:
    """Session, forms, events, items, relations, documents, pointers and the gate; however much of each there is."""
    _library, chat = everything()
    query = "刚才说的，老规矩，还有那个问题怎么样了？订单SO-1什么时候能退货，推荐拿铁吗，上周呢"
    assert len(statements(chat, query)) == 4
    for number in range(30):
        chat.story.item(f"订单SO-{number + 10}寄到第{number}个城市")
        chat.put(f"order:C{number}", "address", f"第{number}街")
    assert len(statements(chat, query)) == 4
    assert len(statements(chat, "")) == 4
    answer = chat.story.recall(query, session_ref=chat.ref)
    assert {
        "session",
        "pointers",
        "gate",
        "relations",
        "documents",
        "forms",
        "events",
        "meaning",
    } <= answer.legs.keys()
    assert {pointer.pointer for pointer in answer.pointers} == {"just_said", "usual", "issue"}


def test_all_layers_answer_together_in_the_order_they_are_believed() -> None:
    _library, chat = everything()
    answer = chat.story.recall("订单A的地址，我的预算是多少，几天内可以退货", session_ref=chat.ref, top_k=10)
    kinds = [entry.kind for entry in answer.served]
    assert kinds.index("slot") < kinds.index("form") < kinds.index("document")
    assert {layer.name: layer.state for layer in answer.layers} == dict.fromkeys(
        ("session", "user", "domain"), "answered"
    )
    assert [layer.confidence for layer in answer.layers] == [0.95, 0.85, 0.70]
    assert not any("徐汇" in text for text in texts(answer))
    assert Counter(entry.phrase for entry in answer.served)["刚才您说"] == 1
