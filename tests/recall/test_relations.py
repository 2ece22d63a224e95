"""The relations leg: paths of two steps, warnings before recommendations, one owner's graph and nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memoryhub.models import Relation
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from memoryhub.writing.structured_relations import name_entity, write_relations
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Graph:
    """An owner, and short ways to relate things and to ask."""

    def __init__(self, source: Source, locale: str = "en") -> None:
        self.source = source
        self.owner = make_owner(source, locale=locale).id

    def relate(self, start: str, relation: str, end: str, *, at: datetime = NOON, **given: Any) -> UUID:
        """'product:latte', '' for the owner; an end without a kind is a plain value."""
        from_kind, _, from_name = start.partition(":")
        to_kind, _, to_name = end.rpartition(":")
        ends: dict[str, Any] = {"to_kind": to_kind, "to_name": to_name} if to_kind else {"value": to_name}
        candidate = RelationCandidate(
            relation=relation, from_kind=from_kind, from_name=from_name, valid_from=at, **ends, **given
        )
        [verdict] = write_relations(owner_id=self.owner, relations=[candidate], source=self.source)
        assert verdict.target_id is not None, verdict
        return verdict.target_id

    def intolerant(self, value: str) -> None:
        said = record_event(
            owner_id=self.owner, event=NewEvent(content=value, occurred_at=NOON), source=self.source
        )
        write_field(
            owner_id=self.owner,
            form_type="user_profile",
            field="allergies",
            value=value,
            evidence_event_id=said.results[0].event_id,
            quote=value,
            source=self.source,
        )

    def ask(self, query: str, **given: Any) -> RecallAnswer:
        return recall(
            workspace_id=self.source.workspace_id,
            owner_id=self.owner,
            request=RecallRequest(query=query, **given),
            caller=Caller(agent_id=self.source.agent_id),
        )

    def told(self, query: str, **given: Any) -> list[str]:
        return [entry.text for entry in self.ask(query, **given).served if entry.kind == "relation"]


@pytest.fixture
def graph() -> Graph:
    return Graph(make_source(make_workspace()))


@pytest.fixture
def chinese(graph: Graph) -> Graph:
    return Graph(graph.source, locale="zh-hans")


def test_a_latte_is_not_recommended_to_who_cannot_have_milk(graph: Graph, chinese: Graph) -> None:
    graph.intolerant("lactose intolerance")
    for drink in ("coffee", "latte"):
        graph.relate(f"product:{drink}", "contains", "product:milk")
    answer = graph.ask("recommend me a coffee")
    warned = [entry for entry in answer.served if entry.kind == "relation"]
    assert [entry.text for entry in warned] == [
        "coffee → contains milk → lactose intolerance",
        "latte → contains milk → lactose intolerance",
    ]
    assert {entry.section for entry in warned} == {"rules"}
    assert '"coffee → contains milk → lactose intolerance"' in answer.text
    assert (answer.legs["relations"].state, answer.legs["relations"].found) == ("ok", 2)
    chinese.intolerant("乳糖不耐受")
    for drink in ("咖啡", "拿铁"):
        chinese.relate(f"product:{drink}", "contains", "product:牛奶")
    assert chinese.told("推荐一杯咖啡") == ["咖啡 → 含有牛奶 → 乳糖不耐受", "拿铁 → 含有牛奶 → 乳糖不耐受"]
    assert chinese.told("我的地址是什么") == []


def test_a_condition_and_a_dislike_are_reached_in_two_steps(graph: Graph) -> None:
    graph.intolerant("lactose intolerance")
    graph.relate("product:latte", "belongs_to", "category:coffee")
    graph.relate("product:latte", "contains", "product:foam")
    graph.relate("product:cortado", "contains", "product:milk")
    graph.relate("product:milk", "related_to", "preference:lactose intolerance", impact=3)
    graph.relate("", "dislikes", "product:foam")
    told = graph.told("recommend me a latte, or a cortado")
    assert sorted(told[:2]) == [
        "cortado → contains milk → lactose intolerance",
        "latte → contains foam ← dislikes the owner",
    ]
    assert told[2:] == ["latte → belongs to coffee"]
    assert "coffee ← belongs to latte → contains foam" in graph.told("what do we know about coffee")


def test_products_that_were_complained_about_come_with_their_categories(graph: Graph, chinese: Graph) -> None:
    graph.relate("", "experienced", "product:kettle", resolution="open")
    graph.relate("product:kettle", "belongs_to", "category:kitchen")
    graph.relate("", "prefers", "product:toaster")
    told = graph.told("which products did this owner complain about")
    assert told == ["the owner → had a problem with kettle (open) → belongs to kitchen"]
    chinese.relate("", "experienced", "product:水壶", resolution="open")
    assert chinese.told("用户投诉过哪些产品") == ["用户 → 遇到问题水壶 (open)"]


def test_a_parcel_is_found_from_its_order_and_the_order_from_its_parcel(graph: Graph) -> None:
    graph.relate("order:A-7", "has_tracking", "parcel:SF123456789")
    graph.relate("parcel:SF123456789", "expected_arrival", "2026-03-04")
    graph.relate("order:A-7", "has_status", "shipped")
    assert graph.told("when will order A-7 arrive") == [
        "A-7 → is shipped as SF123456789 → is expected on 2026-03-04",
        "A-7 → has status shipped",
    ]
    assert "SF123456789 ← is shipped as A-7 → has status shipped" in graph.told("where is SF123456789")


def test_the_leg_asks_both_clocks(graph: Graph) -> None:
    graph.relate("order:A-7", "has_status", "paid")
    first = Relation.objects.of(graph.owner).get()
    graph.relate("order:A-7", "has_status", "shipped", at=NOON + timedelta(days=2))
    query = "status of order A-7"
    assert graph.told(query) == ["A-7 → has status shipped"]
    assert graph.told(query, valid_at=NOON + timedelta(days=1)) == ["A-7 → has status paid"]
    assert graph.told(query, valid_at=NOON - timedelta(days=1)) == []
    assert graph.told(query, known_at=first.known_from - timedelta(seconds=1)) == []


def test_two_names_of_one_thing_are_one_thing(graph: Graph) -> None:
    graph.relate("product:拿铁", "contains", "product:milk")
    graph.relate("", "dislikes", "product:latte")
    assert graph.told("tell me about the latte") == ["latte ← dislikes the owner"]
    name_entity(owner_id=graph.owner, kind="product", name="latte", aliases=["拿铁"], source=graph.source)
    # Both are known of: a person has to say that they are one.
    assert graph.told("tell me about the latte") == ["latte ← dislikes the owner"]
    name_entity(
        owner_id=graph.owner, kind="product", name="latte", aliases=["caffè latte"], source=graph.source
    )
    assert graph.told("a caffè latte please") == ["caffè latte ← dislikes the owner"]


def test_no_path_leads_into_the_graph_of_another_owner(graph: Graph, chinese: Graph) -> None:
    """B01: the same names, the same workspace, and nothing of the one is told to the other on any step."""
    graph.intolerant("lactose intolerance")
    graph.relate("product:latte", "belongs_to", "category:coffee")
    chinese.relate("product:latte", "contains", "product:milk")
    chinese.relate("category:coffee", "contains", "product:secret bean")
    chinese.relate("", "dislikes", "category:coffee")
    assert graph.told("recommend me a latte or a coffee") == ["latte → belongs to coffee"]
    answer = graph.ask("recommend me a latte or a coffee")
    assert "secret" not in answer.text
    assert {entry.owner_id for entry in answer.served if entry.kind == "relation"} == {graph.owner}


def test_different_people_of_one_name_and_role_are_kept_apart(graph: Graph) -> None:
    """B40: what one person works on is never told of another one."""
    graph.relate("person:王伟", "works_on", "project:Atlas")
    graph.relate("person:王薇", "works_on", "project:Borealis")
    assert graph.told("王伟在做什么") == ["王伟 → works on Atlas"]
    assert graph.told("王薇在做什么") == ["王薇 → works on Borealis"]
