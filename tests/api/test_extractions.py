"""`POST /api/v1/extractions/`: step by step, and nothing stored."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from memoryhub.keys import mint_key
from memoryhub.models import AuditEntry, Job, ModelUsage, Owner, Workspace
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient, error_of
from tests.model_server import KEY, Reply, about_field, running_model_server

URL = "/api/v1/extractions/"


def tried(agent: AgentClient, **body: Any) -> Any:
    answer = agent.post(URL, body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_it_shows_every_step_of_a_chinese_text(agent: AgentClient) -> None:
    body = tried(agent, text="我对坚果过敏。")
    assert (body["extractor"], body["failure"], body["screening"]["worth_reading"]) == ("rules", "", True)
    [candidate] = body["candidates"]
    assert (candidate["kind"], candidate["field"], candidate["value"]) == ("form", "allergies", "坚果")
    assert candidate["quote"] in "我对坚果过敏。"
    assert candidate["admission"] == {"verdict": "admit", "code": "", "gates": []}


def test_it_shows_refusals_and_an_english_decision(agent: AgentClient) -> None:
    body = tried(
        agent, text="If I moved to Porto I'd be happy. Let's go with plan B because the budget is too small."
    )
    assert "hypothetical" in [refusal["code"] for refusal in body["refusals"]]
    assert body["action"] == "decision"
    assert "budget" in body["reason"]


def test_what_is_not_worth_reading_says_why(agent: AgentClient) -> None:
    body = tried(agent, text="Hello there!")
    assert (body["screening"]["worth_reading"], body["screening"]["codes"]) == (False, ["greeting"])
    assert body["candidates"] == []
    assert tried(agent, text="I live in Suzhou", role="tool")["screening"]["codes"] == ["role_not_mined"]


def test_secrets_are_not_given_back_in_the_screened_text(agent: AgentClient) -> None:
    body = tried(agent, text="My password is hunter22secret and I live in Suzhou.")
    assert "hunter22secret" not in str(body["screening"]) + str(body["candidates"])


def test_admission_is_that_of_the_key_which_asks(workspace: Workspace) -> None:
    agent = create_agent(workspace=workspace, name="low")
    low = AgentClient(mint_key(agent=agent, trust_tier=1))
    [candidate] = tried(low, text="我对坚果过敏。")["candidates"]
    assert candidate["admission"]["verdict"] in ("review", "refuse")


def test_nothing_is_stored(agent: AgentClient) -> None:
    before = AuditEntry.objects.count()
    tried(agent, text="I live in Suzhou. My budget is 5000 yuan.")
    assert not Owner.objects.exists()
    assert not Job.objects.exists()
    assert AuditEntry.objects.count() == before


def test_it_needs_the_scope_to_write_events(
    reader: AgentClient, writer: AgentClient, nobody: AgentClient
) -> None:
    assert reader.post(URL, {"text": "x"}).status_code == 403
    assert writer.post(URL, {"text": "x"}).status_code == 200
    assert nobody.post(URL, {"text": "x"}).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": 3},
        {"text": "x", "owner": "a"},
        {"text": "x", "extractor": "magic"},
        {"text": "x", "occurred_at": "9999-12-31T23:59:59Z"},
    ],
)
def test_a_wrong_body_is_named(agent: AgentClient, body: dict[str, Any]) -> None:
    assert agent.post(URL, body).status_code == 400


@pytest.mark.parametrize("text", ["\u202e" * 50, "我" * 16_000, "？" * 3_000, "I am " * 3_000, " ", "\u200b"])
def test_odd_texts_are_answered(agent: AgentClient, text: str) -> None:
    assert agent.post(URL, {"text": text, "earlier": [text] * 6}).status_code in (200, 400)


def test_without_a_model_the_model_cannot_be_asked(agent: AgentClient) -> None:
    answer = agent.post(URL, {"text": "I live in Suzhou", "extractor": "model"})
    assert (answer.status_code, error_of(answer)["code"]) == (422, "extractor_not_configured")


def test_the_model_answers_where_it_is_asked_for_and_its_faults_are_shown(
    agent: AgentClient, settings: Settings
) -> None:
    text = "I live in Suzhou"
    good = about_field(1, text, "user_profile", "location", "Suzhou")
    with running_model_server() as server:
        settings.CHAT_URL, settings.CHAT_MODEL, settings.CHAT_KEY = server.url, "m-1", KEY
        settings.CHAT_TIMEOUT = 2.0
        server.say([good, {**good, "confidence": 95}], "I can't help with that.")
        body = tried(agent, text=text, extractor="model")
        assert [candidate["value"] for candidate in body["candidates"]] == ["Suzhou"]
        assert [refusal["code"] for refusal in body["refusals"]] == ["entry_bad:confidence"]
        assert tried(agent, text=text, extractor="model")["failure"] == "answer_without_list"
        server.script = lambda request: Reply(status=401)
        answer = agent.post(URL, {"text": text, "extractor": "model"})
    assert (answer.status_code, error_of(answer)["code"]) == (503, "model_unavailable")
    assert KEY not in answer.content.decode()
    assert ModelUsage.objects.get().calls == 3
