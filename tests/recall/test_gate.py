"""The hard entity gate: what is only about another thing of the kind that was named stays out, with the rule named."""

from __future__ import annotations

import pytest

from memoryhub.language.names import name_key, skeleton
from memoryhub.models import Entity, EntityKind, Recall
from memoryhub.models.entity import SAME_AS
from memoryhub.recall.gate import RULE, Asked, Bound, asked_names
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured_relations import write_relations
from tests.recall.stories import Story, begin, texts
from tests.sessions.talking import talk

ORDERS = {"order": frozenset({"so-2"})}


def bound(text: str = "", **names: str) -> Bound:
    return Bound(names={kind: frozenset({name}) for kind, name in names.items()}, text=text)


@pytest.mark.parametrize(
    ("memory", "kind"),
    [
        (bound(order="so-1"), "order"),
        (bound(order="so-2"), ""),
        (bound("the parcels of SO-1 and SO-2 came together", order="so-1"), ""),
        (bound(ticket="t-1"), ""),
        (bound("a quiet evening"), ""),
    ],
)
def test_only_another_thing_of_the_named_kind_is_kept_out(memory: Bound, kind: str) -> None:
    assert Asked(names=ORDERS).keeps_out(memory) == kind


def test_nothing_named_keeps_nothing_out() -> None:
    assert asked_names("what is my address?").keeps_out(bound(order="so-1")) == ""


def test_the_question_names_before_the_session_and_the_session_where_the_question_does_not() -> None:
    asked = asked_names("订单SO-2的地址", contexts=["order:SO-1", "ticket:T-9"])
    assert asked.names == {"order": {"so-2"}, "ticket": {"t-9"}}
    assert asked.of_session == {"ticket"}
    assert asked_names("订单A以外，其他订单呢", contexts=["ticket:T-9"]).of_session == frozenset()
    assert asked_names("list all my orders", contexts=["order:SO-1"]).names == {}


def test_a_thing_known_by_name_needs_no_word_beside_it() -> None:
    assert asked_names("how is Borealis going?", subjects=[("project", "Borealis")]).names == {
        "project": {"borealis"}
    }
    assert asked_names("the borealishment", subjects=[("project", "Borealis")]).names == {}


# --- end to end -----------------------------------------------------------------------------------------------------

NEAR_OTHERS = [
    (
        "zh-hans",
        "上周要整改权限体系",
        "我想了解一下你们的安全策略",
        "刚才说的权限体系你给个方案",
    ),
    (
        "en",
        "Last week we had to rework the permission system",
        "I would like to know more about your security policy",
        "What plan do you suggest for the permission system I just mentioned?",
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("locale", "said", "other", "same"), NEAR_OTHERS)
def test_another_undertaking_is_not_served_and_the_same_one_is(
    locale: str, said: str, other: str, same: str
) -> None:
    story = begin(locale=locale)
    (event_id,) = story.say(said)
    story.item(said, item_kind="episodic")
    story.index()
    answer = story.recall(other, top_k=50)
    assert not any(said in text for text in texts(answer))
    assert answer.excluded_counts[RULE] == answer.legs["gate"].found >= 2
    assert event_id in {entry.target_id for entry in answer.excluded if entry.rule == RULE}
    row = Recall.objects.of(story.owner.id).get(id=str(answer.recall_id))
    assert row.legs["gate"]["note"] == "project named in the question"
    assert any(said in text for text in texts(story.recall(same)))


def orders(locale: str) -> Story:
    story = begin(locale=locale)
    for number, city in (("SO-1", "Leeds"), ("SO-2", "Porto")):
        story.field("order.tracking_number", f"KX-{number[-1]}", subject=number)
        story.item(f"订单{number}寄到{city}" if locale.startswith("zh") else f"Order {number} goes to {city}")
    story.index()
    return story


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "query"), [("zh-hans", "订单SO-2寄到哪里"), ("en", "What city goes order SO-2 to?")]
)
def test_another_order_is_not_told(locale: str, query: str) -> None:
    answer = orders(locale).recall(query, top_k=50)
    assert "Porto" in answer.text
    assert "Leeds" not in answer.text
    assert "KX-1" not in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize(("locale", "query"), [("zh-hans", "寄到哪里"), ("en", "What city goes it to?")])
def test_the_open_context_of_the_session_names_the_order(locale: str, query: str) -> None:
    chat = talk(story=orders(locale))
    chat.put("order:SO-2", "status", "shipped")
    answer = chat.story.recall(query, session_ref=chat.ref, top_k=50)
    assert "Porto" in answer.text
    assert "Leeds" not in answer.text
    assert answer.legs["gate"].note == "order of the session"
    assert "Leeds" in chat.story.recall(query, top_k=50).text, "without the session nothing names it"


@pytest.mark.django_db
def test_a_thing_of_the_vocabulary_is_told_apart_by_its_name_alone() -> None:
    story = begin()
    kinds = {kind.name: kind for kind in EntityKind.objects.filter(workspace_id=story.source.workspace_id)}
    for kind, name in (("product", "Lumina"), ("product", "Vesper"), ("category", "Lamps")):
        Entity.objects.create(
            owner=story.owner,
            workspace_id=story.source.workspace_id,
            kind=kinds[kind],
            name=name,
            key=name_key(name),
            skeleton=skeleton(name),
        )
    for said in (
        "The Lumina needs a new battery",
        "The Vesper needs a new battery",
        "All Lamps need a battery",
    ):
        story.item(said)
    story.index()
    answer = story.recall("Does Lumina need a new battery?", top_k=20)
    assert "The Vesper needs a new battery" not in texts(answer)
    assert {"The Lumina needs a new battery", "All Lamps need a battery"} <= set(texts(answer))
    assert answer.legs["gate"].note == "product named in the question"
    product = EntityKind.objects.filter(id=kinds["product"].id)

    def told() -> list[str]:
        return texts(story.recall("Does Lumina need a new battery?", top_k=20))

    product.update(separates=False)
    assert "The Vesper needs a new battery" in told(), "staff let the kind go"
    product.update(separates=True)
    assert "The Vesper needs a new battery" not in told()
    merged = RelationCandidate(
        relation=SAME_AS, from_kind="product", from_name="Vesper", to_kind="product", to_name="Lumina"
    )
    (verdict,) = write_relations(owner_id=story.owner.id, relations=[merged], source=story.source)
    assert verdict.outcome == "stored"
    assert "The Vesper needs a new battery" in told(), "two names of one thing"


@pytest.mark.django_db
def test_rules_and_safety_values_pass_the_gate() -> None:
    story = orders("zh-hans")
    story.say("我对坚果过敏")
    assert any("坚果" in text for text in texts(story.recall("订单SO-2里有什么"), "rules"))
