"""Generated requests against the running service: every answer is documented, none is a 5xx."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memoryhub.changes.postponing import ask_owner
from memoryhub.keys import SCOPES, mint_key
from memoryhub.models import Change, Question, Review
from memoryhub.workspaces import create_agent, create_workspace
from tests.api.clients import AgentClient
from tests.api.proposing import decider, owner_of, proposed
from tests.repeats import FULL

EXAMPLES = 20 if FULL else 10
PHASES = "examples,coverage,fuzzing,stateful" if FULL else "examples,fuzzing"
"""Every combination of the coverage phase takes a minute: `make test-deep` has it."""
# What keeps rules that a schema cannot say (a quote must occur in its event, a time zone must exist) and conditions.
SEMANTIC = '"400", "410", "412", "413", "422", "423", "428"'
CONFIG = """
headers = {{ Authorization = "Bearer {token}" }}
parameters = {{ "query.owner" = "ann", "path.event_id" = "{event}", "path.item_id" = "{memory}", "path.recall_id" = "{recall}", "path.job_id" = "{job}", "path.change_id" = "{change}", "path.change_set_id" = "{change_set}", "path.review_id" = "{review}", "path.question_id" = "{question}", "path.session_id" = "{session}" }}
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "429", {semantic}]
[checks.negative_data_rejection]
expected-statuses = ["401", "403", "404", "405", "406", "409", "415", "429", {semantic}]
[[operations]]
# A batch answers 2xx with a refusal per faulty item as soon as one item is sound.
include-path-regex = "/batch/$"
checks.negative_data_rejection.expected-statuses = ["2xx", "4xx"]
[[operations]]
# The path names the seeded session, not the one that a request before has opened: its generated owner does not know it.
include-path-regex = "/sessions/.*/slots/$"
checks.ensure_resource_availability.enabled = false
"""


@pytest.fixture
def agent(committing_db: str) -> AgentClient:
    """May do everything but rotate itself, which would end the run."""
    bot = create_agent(workspace=create_workspace(slug="generated", name="Generated"), name="bot")
    return AgentClient(mint_key(agent=bot, scopes=[scope for scope in SCOPES if scope != "keys:rotate"]))


def seeded(agent: AgentClient) -> dict[str, Any]:
    """Something real behind every path, so that not every answer is a 404."""
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "I keep a parrot."}).json()
    memory = agent.post("/api/v1/memories/", {"owner": "ann", "content": "Keeps a parrot."}).json()
    agent.put("/api/v1/forms/user_profile/budget/", {"owner": "ann", "value": 5000})
    recall = agent.post("/api/v1/recall/", {"owner": "ann", "query": "parrot"}).json()
    agent.post("/api/v1/sessions/", {"owner": "ann", "session": "chat-1"})
    return {
        "event": event["events"][0]["id"],
        "job": event["operation"],
        "memory": memory["target_id"],
        "recall": recall["recall"],
        "change": memory["change_id"],
        "session": "chat-1",
        **waiting(agent),
    }


def waiting(agent: AgentClient) -> dict[str, Any]:
    """A proposal with its act, its review, and the question a reviewer put about it."""
    change = Change.objects.of(owner_of(agent)).get(id=proposed(agent))
    ask_owner(decider=decider(agent, str(change.id)))
    return {
        "change_set": change.change_set_id,
        "review": Review.objects.of(change.owner_id).get(change_id=change.id).id,
        "question": Question.objects.of(change.owner_id).get(change_id=change.id).id,
    }


@pytest.mark.slow
@pytest.mark.deep
def test_generated_requests_meet_only_documented_answers(
    agent: AgentClient, live_server: Any, tmp_path: Path
) -> None:
    assert agent.minted is not None
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.format(token=agent.minted.token, semantic=SEMANTIC, **seeded(agent)))
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(config),
        "run",
        f"{live_server}/api/schema/",
    ]
    options = [
        "--phases",
        PHASES,
        "--max-examples",
        str(EXAMPLES),
        "--seed",
        "1",
        "--no-shrink",
        "--continue-on-failure",
        "--checks",
        "all",
    ]
    run = subprocess.run([*command, *options], cwd=tmp_path, text=True, capture_output=True, timeout=900)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-5_000:]
