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
from tests.programs import Worker


def lines() -> list[list[str]]:
    """The arguments of every `mh` line in the section."""
    readme = (settings.BASE_DIR / "README.md").read_text()
    section = readme.split("## API by example")[1].split("\n## ")[0]
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


@pytest.mark.slow
def test_every_line_works_as_the_text_says(live_server: Any, worker: Worker) -> None:
    token = mint_key(agent=create_agent(workspace=create_workspace(slug="demo", name="Demo"), name="a")).token
    warm = {"owner": "warm-up", "content": "hello"}
    for _ in range(4):  # until the worker is there
        headers = {"Authorization": f"Bearer {token}"}
        answer = requests.post(f"{live_server}/api/v1/events/?wait=1", json=warm, headers=headers, timeout=30)
        if answer.json()["outcomes"][0]["state"] == "processed":
            break
        time.sleep(0.5)
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
