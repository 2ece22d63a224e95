"""`/api/v1/sessions/`: the working memory of one conversation over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.models import MemoryItem, Owner, Session, SessionSlot
from tests.api.clients import AgentClient, error_of

pytestmark = pytest.mark.django_db
SESSIONS = "/api/v1/sessions/"
CHAT = f"{SESSIONS}chat-1/"
OWNER = {"owner": "ann"}


def opened(agent: AgentClient, session: str = "chat-1") -> dict[str, Any]:
    answer = agent.post(SESSIONS, {**OWNER, "session": session})
    assert answer.status_code in (200, 201), answer.content
    body: dict[str, Any] = answer.json()
    return body


def set_slots(agent: AgentClient, *slots: dict[str, Any], method: str = "PATCH", path: str = CHAT) -> Any:
    return agent.send(method, f"{path}slots/", {**OWNER, "slots": list(slots)})


def address(context: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"context": context, "name": "address", "value": value, **more}


def look(agent: AgentClient, query: str | None = None, path: str = CHAT) -> dict[str, Any]:
    answer = agent.get(path, {**OWNER, **({} if query is None else {"query": query})})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def standing(body: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{context['context']}.{slot['name']}": slot["value"]
        for context in body["contexts"]
        for slot in context["slots"]
    }


def test_a_session_is_opened_once_and_found_by_its_name_and_by_its_id(agent: AgentClient) -> None:
    first = agent.post(SESSIONS, {**OWNER, "session": "chat-1"})
    again = agent.post(SESSIONS, {**OWNER, "session": "chat-1"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    by_id = look(agent, path=f"{SESSIONS}{first.json()['id']}/")
    assert by_id == look(agent)
    assert (by_id["session"], by_id["state"], by_id["contexts"]) == ("chat-1", "open", [])


def test_orders_are_kept_apart_and_an_address_is_changed_and_changed_back(agent: AgentClient) -> None:
    opened(agent)
    set_slots(agent, address("order:A", "浦东"), address("order:B", "徐汇"))
    set_slots(agent, address("order:A", "静安"))
    back = agent.post(f"{CHAT}restore/", {**OWNER, "context": "order:A", "name": "address"})
    assert back.json() == {
        "context": "order:A", "name": "address", "outcome": "restored", "version": 3, "held_for": "",
    }  # fmt: skip
    body = look(agent)
    assert standing(body) == {"order:A.address": "浦东", "order:B.address": "徐汇"}
    (order_a,) = [context for context in body["contexts"] if context["name"] == "A"]
    assert [(slot["value"], slot["state"], slot["reason"]) for slot in order_a["history"]] == [
        ("浦东", "deprecated", "user_correction"),
        ("静安", "deprecated", "restored"),
        ("浦东", "active", ""),
    ]
    assert order_a["history"][2]["restored_version"] == 1


def test_a_query_is_answered_with_the_contexts_that_matter(agent: AgentClient) -> None:
    opened(agent)
    set_slots(agent, *(address(f"order:{name}", f"street {name}") for name in "ABC"))
    body = look(agent, "订单B的地址是哪里")
    assert standing(body) == {"order:B.address": "street B"}
    assert body["chosen"] == {"rule": "named", "contexts": ["order:B"], "left_out": ["order:A", "order:C"]}
    assert look(agent, "what is the address of order X?")["contexts"] == []


def test_putting_says_all_that_holds_in_the_contexts_that_are_named(agent: AgentClient) -> None:
    opened(agent)
    set_slots(
        agent,
        address("order:A", "x"),
        {**address("order:A", "138"), "name": "phone"},
        address("order:B", "y"),
    )
    answer = set_slots(agent, address("order:A", "z"), method="PUT")
    assert [(slot["name"], slot["outcome"]) for slot in answer.json()["slots"]] == [
        ("address", "set"),
        ("phone", "removed"),
    ]
    assert standing(look(agent)) == {"order:A.address": "z", "order:B.address": "y"}


@pytest.mark.parametrize(
    ("slot", "field", "code"),
    [
        ({"context": "order"}, "slots[0].context", "bad_context"),
        ({"name": "Address"}, "slots[0].name", "bad_name"),
        ({"value": ["a"]}, "slots[0].value", "invalid"),
        ({"value": {"a": 1}}, "slots[0].value", "invalid"),
        ({"value": "x" * 1001}, "slots[0].value", "text_too_long"),
        ({"said_by": "ghost"}, "slots[0].said_by", "invalid_choice"),
        ({"lifetime_seconds": 1}, "slots[0].lifetime_seconds", "min_value"),
        ({"importance": 2}, "slots[0].importance", "max_value"),
        ({"version": -1}, "slots[0].version", "min_value"),
        ({"colour": "red"}, "slots[0].colour", "unknown_field"),
        ({"event": "nonsense"}, "slots[0].event", "invalid"),
    ],
)
def test_bad_slots_name_their_place_and_rule(
    agent: AgentClient, slot: dict[str, Any], field: str, code: str
) -> None:
    opened(agent)
    answer = set_slots(agent, {**address("order:A", "x"), **slot})
    error = error_of(answer)
    assert (answer.status_code, error["field"], error["code"]) == (400, field, code)
    assert not SessionSlot.objects.of(Owner.objects.get(ref="ann").id).exists()


def test_an_empty_slot_list_and_unknown_members_are_refused(agent: AgentClient) -> None:
    opened(agent)
    assert set_slots(agent).status_code == 400
    assert agent.post(SESSIONS, {**OWNER, "session": "x", "slots": []}).status_code == 400
    assert agent.post(SESSIONS, {**OWNER, "session": "  "}).status_code == 400
    assert agent.get(CHAT, {**OWNER, "q": "x"}).status_code == 400


def test_the_version_seen_and_the_end_are_guarded(agent: AgentClient) -> None:
    opened(agent)
    assert set_slots(agent, address("order:A", "x", version=0)).status_code == 200
    moved = set_slots(agent, address("order:A", "y", version=0))
    assert (moved.status_code, error_of(moved)["details"]) == (412, {"name": "address", "current": 1})
    nothing_before = agent.post(f"{CHAT}restore/", {**OWNER, "context": "order:A", "name": "address"})
    assert nothing_before.status_code == 409
    assert agent.post(f"{CHAT}end/", OWNER).status_code == 200
    for late in (
        set_slots(agent, address("order:A", "y")),
        agent.post(f"{CHAT}restore/", {**OWNER, "context": "order:A", "name": "address"}),
        agent.post(f"{CHAT}end/", OWNER),
    ):
        assert (late.status_code, error_of(late)["code"]) == (409, "wrong_move")


def test_the_end_reports_what_was_kept_and_what_was_dropped_and_why(agent: AgentClient) -> None:
    opened(agent)
    said = agent.post(
        "/api/v1/events/", {**OWNER, "content": "please gift wrap order A in red", "session": "s0"}
    )
    event_id = said.json()["events"][0]["id"]
    set_slots(
        agent,
        address("order:A", "x"),
        {
            "context": "order:A", "name": "gift_wrap", "value": "red", "importance": 0.7,
            "event": event_id, "quote": "gift wrap order A in red",
        },
        {"name": "allergies", "value": "peanuts"},
    )  # fmt: skip
    body = agent.post(f"{CHAT}end/", OWNER).json()
    fates = {row["name"]: row for row in body["report"]}
    assert (fates["address"]["fate"], fates["address"]["code"]) == ("dropped", "low_importance")
    assert (fates["gift_wrap"]["fate"], fates["allergies"]["fate"]) == ("promoted", "in_review")
    item = MemoryItem.objects.of(Owner.objects.get(ref="ann").id).get(id=fates["gift_wrap"]["target"])
    assert (str(item.event_id), item.quote) == (event_id, "gift wrap order A in red")
    assert fates["allergies"]["change"]
    assert {slot["value"] for context in body["contexts"] for slot in context["history"]} == {None}
    assert look(agent)["report"] == body["report"]


def test_the_same_request_twice_ends_and_opens_once(agent: AgentClient) -> None:
    opened(agent)
    set_slots(agent, address("order:A", "x"))
    first = agent.post(f"{CHAT}end/", OWNER, Idempotency_Key="end-1")
    again = agent.post(f"{CHAT}end/", OWNER, Idempotency_Key="end-1")
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    other = agent.post(f"{CHAT}end/", {"owner": "ann", "x": 1}, Idempotency_Key="end-1")
    assert other.status_code == 400
    fresh = [agent.post(SESSIONS, {**OWNER, "session": "chat-9"}, Idempotency_Key="open-1") for _ in range(2)]
    assert [answer.status_code for answer in fresh] == [201, 201]
    assert Session.objects.of(Owner.objects.get(ref="ann").id).filter(ref="chat-9").count() == 1


def test_an_outcome_is_noted_of_a_session_known_by_its_events_alone(agent: AgentClient) -> None:
    agent.post("/api/v1/events/", {**OWNER, "content": "good morning", "session": "chat-1"})
    answer = agent.post(f"{CHAT}outcome/", {**OWNER, "outcome": "escalated"})
    assert (answer.status_code, answer.json()["outcome"]) == (200, "escalated")
    assert agent.post(f"{CHAT}outcome/", {**OWNER, "outcome": "resolved"}).json()["outcome"] == "resolved"
    assert agent.post(f"{CHAT}outcome/", {**OWNER, "outcome": "odd"}).status_code == 400


def test_sessions_are_listed_last_opened_first(agent: AgentClient) -> None:
    for name in ("a", "b", "c"):
        opened(agent, name)
    agent.post(f"{SESSIONS}b/end/", OWNER)

    def listed(**asked: str) -> list[str]:
        return [row["session"] for row in agent.get(SESSIONS, {**OWNER, **asked}).json()["results"]]

    assert listed() == ["c", "b", "a"]
    assert (listed(state="ended"), listed(state="open")) == (["b"], ["c", "a"])
    assert agent.get(SESSIONS, {**OWNER, "state": "odd"}).status_code == 400


def test_what_ran_out_is_seen_as_such_before_any_job_has_run(agent: AgentClient) -> None:
    opened(agent)
    set_slots(agent, address("order:A", "x"))
    SessionSlot.objects.of(Owner.objects.get(ref="ann").id).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    body = look(agent)
    assert standing(body) == {}
    assert body["contexts"][0]["history"][0]["reason"] == "timeout"


def test_another_workspaces_agent_and_owner_meet_an_unknown_session(
    agent: AgentClient, stranger: AgentClient, teammate: AgentClient, reader: AgentClient
) -> None:
    session_id = opened(agent)["id"]
    set_slots(agent, address("order:A", "canary-street"))
    assert standing(look(teammate)) == standing(look(reader)) == {"order:A.address": "canary-street"}
    stranger.put("/api/v1/owners/ann/", {})
    for path in (CHAT, f"{SESSIONS}{session_id}/"):
        answer = stranger.get(path, OWNER)
        assert answer.status_code == 404
        assert b"canary" not in answer.content
        assert set_slots(stranger, address("order:A", "y"), path=path).status_code == 404
    agent.put("/api/v1/owners/bob/", {})
    assert agent.get(CHAT, {"owner": "bob"}).status_code == 404
    assert set_slots(reader, address("order:A", "y")).status_code == 403


def test_one_session_is_one_read_however_much_it_holds(agent: AgentClient) -> None:
    opened(agent)

    def reads() -> int:
        with CaptureQueriesContext(connection) as queries:
            look(agent, "order A")
        return len(queries)

    few = reads()
    set_slots(agent, *(address(f"order:{number}", "x") for number in range(40)))
    assert reads() == few
    with CaptureQueriesContext(connection) as queries:
        look(agent)
    assert len([q for q in queries.captured_queries if "memoryhub_session" in q["sql"]]) == 1


def test_slot_writes_do_not_wait_for_the_disk(agent: AgentClient) -> None:
    opened(agent)
    with CaptureQueriesContext(connection) as queries:
        set_slots(agent, address("order:A", "x"))
    assert any("synchronous_commit', 'off'" in query["sql"] for query in queries.captured_queries)


def test_a_recall_in_the_session_begins_with_what_was_just_said(agent: AgentClient) -> None:
    opened(agent)
    set_slots(agent, address("order:A", "12 Main Street"))
    answer = agent.post(
        "/api/v1/recall/", {**OWNER, "query": "What is the address of order A?", "session": "chat-1"}
    ).json()
    first = answer["served"][0]
    assert (first["section"], first["kind"], first["confidence"]) == ("session", "slot", 0.95)
    assert "as you just said" in answer["text"]
    assert answer["legs"]["session"]["state"] == "ok"
    assert agent.get(f"/api/v1/recalls/{answer['recall']}/", OWNER).json()["session_hit"] is True
    context = agent.get("/api/v1/context/", {**OWNER, "session": "chat-1"}).json()
    assert "12 Main Street" in context["text"]
