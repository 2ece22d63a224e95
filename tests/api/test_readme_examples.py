"""The curl lines of README.md work when pasted, in their order, with a real server and worker."""

from __future__ import annotations

import re
import shlex
import time
from typing import Any

import pytest
import requests
from django.conf import settings

from memoryhub.keys import mint_key
from memoryhub.workspaces import create_agent, create_workspace
from tests.api.clients import AgentClient
from tests.programs import Worker


def lines(heading: str = "API by example") -> list[list[str]]:
    """The arguments of every `mh` line in the section."""
    readme = (settings.BASE_DIR / "README.md").read_text()
    section = readme.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [
        shlex.split(line)[1:] for block in blocks for line in block.splitlines() if line.startswith("mh ")
    ]


def run(arguments: list[str], *, url: str, token: str) -> Any:
    """What curl does with the options used there."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    method, body, address = None, None, ""
    words = iter(arguments)
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words)
        else:
            address = word.replace("$API", f"{url}/api/v1")
    sent = body.encode() if body else None
    return requests.request(
        method or ("POST" if sent else "GET"), address, data=sent, headers=headers, timeout=30
    )


def warmed_up(url: str) -> str:
    """The token of a key, once a worker has processed something."""
    token = mint_key(agent=create_agent(workspace=create_workspace(slug="demo", name="Demo"), name="a")).token
    warm = {"owner": "warm-up", "content": "hello"}
    for _ in range(4):  # until the worker is there
        headers = {"Authorization": f"Bearer {token}"}
        answer = requests.post(f"{url}/api/v1/events/?wait=1", json=warm, headers=headers, timeout=30)
        if answer.json()["outcomes"][0]["state"] == "processed":
            break
        time.sleep(0.5)
    return token


@pytest.mark.slow
def test_every_line_works_as_the_text_says(live_server: Any, worker: Worker) -> None:
    token = warmed_up(str(live_server))
    answers = {" ".join(line): run(line, url=str(live_server), token=token) for line in lines()}
    assert len(answers) == 13
    assert {answer.status_code for answer in answers.values()} <= {200, 201, 202}, {
        line: answer.text for line, answer in answers.items() if answer.status_code >= 400
    }
    bodies = [answer.json() for answer in answers.values()]
    recall, context, versions = bodies[1], bodies[5], bodies[6]
    assert "坚果" in recall["served"][0]["text"]
    steps = [step["value"] for step in context["decisions"][0]["steps"]]
    assert [step[-1] for step in steps] == ["A", "B", "A"]
    assert [row["value"] for row in versions["results"]] == steps
    assert bodies[8]["version"] == 2
    waiting, reviews, rollback = bodies[10:]
    assert waiting["outcome"] == "in_review"
    assert [review["change"] for review in reviews["results"]] == [waiting["change_id"]]
    assert [item["after"] for item in rollback["items"]] == [5000]


@pytest.mark.slow
def test_the_lines_about_sessions_work_as_the_text_says(live_server: Any, worker: Worker) -> None:
    token = warmed_up(str(live_server))
    answers = [run(line, url=str(live_server), token=token) for line in lines("Sessions")]
    assert {answer.status_code for answer in answers} <= {200, 201, 202}, [a.text for a in answers]
    opened, written, said, restored, look, recall, outcome, ended = [answer.json() for answer in answers]
    assert opened["session"] == "chat-1"
    assert [slot["outcome"] for slot in written["slots"]] == ["set", "set"]
    assert said["outcomes"][0]["state"] == "processed"
    assert (restored["outcome"], restored["version"]) == ("restored", 3)
    assert [context["name"] for context in look["contexts"]] == ["A"]
    assert recall["served"][0]["text"] == "Address (order A): 12 Main Street"
    assert outcome["outcome"] == "resolved"
    assert {row["fate"] for row in ended["report"]} == {"dropped"}


def test_the_lines_about_sharing_work_as_the_text_says(agent: AgentClient) -> None:
    agent.put("/api/v1/owners/customer-1/", {})
    answers: list[Any] = []
    for line in lines("Sharing"):
        (address,) = [word for word in line if word.startswith("$API")]
        if "$LINK" in address:
            address = address.replace("$LINK", answers[-1].json()["results"][0]["id"])
        body = line[line.index("-d") + 1].encode() if "-d" in line else None
        method = line[line.index("-X") + 1] if "-X" in line else "POST" if body else "GET"
        answers.append(agent.send(method, address.replace("$API", "/api/v1"), body))
    assert [answer.status_code for answer in answers] == [201, 201, 201, 200, 200, 200]
    assert [line["layer"] for line in answers[3].json()["served"]] == ["team"]
    assert answers[5].json()["ended_at"]


def test_the_lines_about_acting_work_as_the_text_says(agent: AgentClient) -> None:
    answers: list[Any] = []
    for line in lines("Before acting"):
        (address,) = [word for word in line if word.startswith("$API")]
        if "$QUESTION" in address:
            address = address.replace("$QUESTION", answers[-1].json()["results"][0]["id"])
        body = line[line.index("-d") + 1].encode() if "-d" in line else None
        method = line[line.index("-X") + 1] if "-X" in line else "POST" if body else "GET"
        headers = {"If_Match": '"1"'} if "-H" in line else {}
        answers.append(agent.send(method, address.replace("$API", "/api/v1"), body, **headers))
        assert answers[-1].status_code in (200, 201, 202), answers[-1].content
    _, check, reported, _, answered, procedure = [answer.json() for answer in answers]
    assert [conflict["stored"]["value"] for conflict in check["conflicts"]] == ["Denver"]
    assert reported["outcome"] == "in_review" and answered["answer_value"] == "Boston"
    assert procedure["code"] == "procedure"
    now = agent.get("/api/v1/forms/user_profile/location/", {"owner": "customer-3"}).json()
    assert [value["value"] for value in now["values"]] == ["Boston"]


@pytest.mark.slow
def test_the_lines_about_people_and_things_work_as_the_text_says(live_server: Any) -> None:
    agent = create_agent(workspace=create_workspace(slug="demo", name="Demo"), name="a")
    token = mint_key(agent=agent).token
    answers = [run(line, url=str(live_server), token=token) for line in lines("People and things")]
    assert [answer.status_code for answer in answers] == [201, 201, 200, 201, 200, 200], [
        a.text for a in answers
    ]
    [complaint] = answers[2].json()["results"]
    assert (complaint["to"]["name"], complaint["then"][0]["to"]["name"]) == ("kettle", "kitchen")
    assert [thing["name"] for thing in answers[4].json()["results"]] == ["kettle"]
