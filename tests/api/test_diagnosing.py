"""`POST /api/v1/recalls/diagnose/`."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Owner, Recall
from tests.api.clients import AgentClient, error_of

DIAGNOSE = "/api/v1/recalls/diagnose/"
UNKNOWN = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8eff"


@pytest.fixture
def database(committing_db: str) -> None:
    """Within one test transaction the database's now() stands still, and nothing just written would hold yet."""


def asked(agent: AgentClient, **values: Any) -> Any:
    return agent.post(DIAGNOSE, {"owner": "ann", **values})


def test_it_says_where_it_was_lost_and_what_to_do(
    agent: AgentClient, teammate: AgentClient, stranger: AgentClient
) -> None:
    memory = agent.post("/api/v1/memories/", {"owner": "ann", "content": "Keeps a parrot."}).json()[
        "target_id"
    ]
    agent.post("/api/v1/memories/", {"owner": "ann", "content": "Pays by wire.", "importance": 0.95})
    recall = agent.post(
        "/api/v1/recall/", {"owner": "ann", "query": "Which bird does she keep, a parrot?"}
    ).json()
    ann = Owner.objects.get(ref="ann").id
    logged = Recall.objects.of(ann).count()

    body = asked(agent, recall=recall["recall"], expected="Keeps a parrot").json()
    first = body["first"]
    assert (first["step"], first["id"], first["found_by"], body["query"]) == (
        "served", memory, "exact", "Which bird does she keep, a parrot?",
    )  # fmt: skip
    assert first["sentence"]["en"] and first["next"]["zh"] and body["let_in"] is None
    assert asked(agent, query="Which bird?", memory=memory).json()["first"]["step"] in ("served", "outranked")

    own = asked(agent, query="How does she pay?", expected="Pays by wire").json()["first"]
    theirs = asked(teammate, query="How does she pay?", expected="Pays by wire").json()["first"]
    assert own["step"] == theirs["step"] == "waiting_for_review"
    assert own["change"] and own["review"]
    assert (theirs["change"], theirs["review"], theirs["id"]) == (None, None, None), (
        "another agent's proposal"
    )

    let_in = asked(agent, unwanted=memory, recall=recall["recall"]).json()["let_in"]
    assert (let_in["door"], let_in["section"], let_in["approvals"]) == ("direct", "fragments", 0)
    assert let_in["change"] and let_in["sentence"]["zh"]
    assert Recall.objects.of(ann).count() == logged, "a diagnosis leaves no trace"

    stranger.put("/api/v1/owners/ann/", {})
    assert (
        asked(stranger, query="Which bird?", expected="Keeps a parrot").json()["first"]["step"]
        == "never_recorded"
    )
    for foreign, unknown in (
        ({"recall": recall["recall"], "expected": "x y"}, {"recall": UNKNOWN, "expected": "x y"}),
        ({"query": "x", "memory": memory}, {"query": "x", "memory": UNKNOWN}),
        ({"unwanted": memory}, {"unwanted": UNKNOWN}),
        ({"unwanted": memory, "recall": recall["recall"]}, {"unwanted": UNKNOWN, "recall": UNKNOWN}),
    ):
        answers, counts = [], []
        for values in (foreign, unknown):
            with CaptureQueriesContext(connection) as queries:
                answers.append(asked(stranger, **values))
                counts.append(len(queries))
        assert [answer.status_code for answer in answers] == [404, 404]
        assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
        assert counts[0] == counts[1]


BROKEN: list[tuple[dict[str, Any], str, str]] = [
    ({"query": "x"}, "expected", "choose_one"),
    ({"query": "x", "expected": "y", "memory": UNKNOWN}, "memory", "choose_one"),
    ({"expected": "y"}, "recall", "choose_one"),
    ({"expected": "y", "query": "x", "recall": UNKNOWN}, "recall", "choose_one"),
    ({"query": "x", "expected": "  "}, "expected", "blank"),
    ({"query": "x", "field": "address"}, "field", "invalid"),
    ({"query": "x", "field": "contact.shoes"}, "field", "field_not_allowed"),
    ({"query": "x", "expected": "y" * 2001}, "expected", "max_length"),
    ({"query": "x", "expcted": "y"}, "expcted", "unknown_field"),
]


def test_a_broken_rule_is_named(agent: AgentClient) -> None:
    agent.put("/api/v1/owners/ann/", {})
    for values, field, code in BROKEN:
        answer = asked(agent, **values)
        assert answer.status_code == 400, answer.content
        assert (error_of(answer)["field"], error_of(answer)["code"]) == (field, code), values


def test_the_number_of_statements_does_not_grow_with_what_is_found(agent: AgentClient) -> None:
    counts = []
    for rows in (1, 8):
        for number in range(rows):
            agent.post(
                "/api/v1/memories/", {"owner": "ann", "content": f"Reads volume {rows}{number} of a novel."}
            )
        with CaptureQueriesContext(connection) as queries:
            assert asked(agent, query="Which novel?", expected="a novel").json()["first"]["step"]
            counts.append(len(queries))
    assert counts[0] == counts[1]
