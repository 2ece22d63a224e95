"""Questions that came again are found in the log afterwards: within seven days, of one owner, and once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memoryhub.database.scope import scope
from memoryhub.jobs.sweeping import sweep_repeats
from memoryhub.jobs.tasks import run_job
from memoryhub.language.embedders import EmbeddingUnavailable
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.models import Job, Owner, Recall, RepeatedQuestion
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.recall.repeating import find_new_repeats
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def source(committing_module_db: str) -> Source:
    return make_source(make_workspace())


def ask(owner: Owner, query: str, *, ago: timedelta, source: Source, **columns: Any) -> UUID:
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="write", write=True):
        row = Recall.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            query=query,
            created_at=NOW - ago,
            **{"agent_id": source.agent_id, **columns},
        )
    return row.id


def look(source: Source, embedder: Any = None) -> int:
    return find_new_repeats(workspace_id=source.workspace_id, now=NOW, embedder=embedder or HashedEmbedder())


def repeats(owner: Owner) -> list[tuple[UUID, UUID, str]]:
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="desk"):
        rows = RepeatedQuestion.objects.of(owner.id).order_by("at")
        return list(rows.values_list("earlier_id", "later_id", "sign"))


def test_what_comes_again_within_seven_days_is_noted_once(source: Source) -> None:
    ann, bob = make_owner(source), make_owner(source)
    days = {"source": source}
    ask(ann, "我的预算是多少", ago=timedelta(days=9), **days)
    first = ask(ann, "我的预算是多少", ago=timedelta(days=1), session_ref="a", **days)
    ask(ann, "怎么开发票", ago=timedelta(hours=30), **days)
    again = ask(ann, "预算还剩多少钱", ago=timedelta(hours=2), session_ref="b", **days)
    third = ask(ann, "我的预算到底多少", ago=timedelta(hours=1), session_ref="c", **days)
    ask(bob, "我的预算是多少", ago=timedelta(minutes=30), **days)
    assert look(source) == 2
    assert repeats(ann) == [(first, again, "same_field"), (again, third, "same_field")]
    assert repeats(bob) == []
    assert look(source) == 0
    assert len(repeats(ann)) == 2


def test_asking_twice_in_one_conversation_is_no_repeat_before_ten_minutes(source: Source) -> None:
    about: dict[str, Any] = {"source": source, "session_ref": "chat"}
    owner = make_owner(source)
    first = ask(owner, "How do I export my data?", ago=timedelta(minutes=30), **about)
    ask(owner, "Export of my data", ago=timedelta(minutes=25), **about)
    late = ask(owner, "How do I export my data?", ago=timedelta(minutes=16), **about)
    look(source)
    assert repeats(owner) == [(first, late, "same_words")]


def test_looks_of_people_and_questions_about_the_past_do_not_count(source: Source) -> None:
    owner = make_owner(source)
    for hours, columns in ((5, {}), (4, {"agent_id": None, "user_id": 1}), (3, {"valid_at": NOW})):
        ask(owner, "What is my budget?", ago=timedelta(hours=hours), source=source, **columns)
    assert look(source) == 0


def test_a_look_that_takes_long_leaves_the_rest_to_the_next(source: Source) -> None:
    owners = [make_owner(source) for _ in range(3)]
    for hours, owner in ((3, owners[0]), (2, owners[1]), (1, owners[2])):
        for minutes in (40, 0):
            ask(owner, "What is my budget?", ago=timedelta(hours=hours, minutes=minutes), source=source)
    found = [
        find_new_repeats(
            workspace_id=source.workspace_id, now=NOW, embedder=HashedEmbedder(), seconds=seconds
        )
        for seconds in (0, 0, 60)
    ]
    assert found == [1, 1, 1]
    assert [len(repeats(owner)) for owner in owners] == [1, 1, 1]


class Away(HashedEmbedder):
    def embed_passages(self, texts: Any) -> Any:
        raise EmbeddingUnavailable("away")


def test_without_an_embedder_words_decide_alone(source: Source) -> None:
    owner = make_owner(source)
    ask(owner, "What is my budget?", ago=timedelta(hours=3), source=source)
    ask(owner, "budget left?", ago=timedelta(hours=1), source=source)
    assert look(source, Away()) == 1


def test_the_beat_queues_one_look_and_the_worker_does_it(source: Source) -> None:
    owner = make_owner(source)
    now = datetime.now(UTC)
    assert not sweep_repeats(workspace_id=source.workspace_id, now=now)
    for ref in ("a", "b"):
        recall(
            workspace_id=owner.workspace_id,
            owner_id=owner.id,
            request=RecallRequest(query="我的预算是多少", session_ref=ref),
            caller=Caller(agent_id=source.agent_id),
        )
    assert sweep_repeats(workspace_id=source.workspace_id, now=now)
    sweep_repeats(workspace_id=source.workspace_id, now=now)
    job = Job.objects.get(kind="find_repeats", workspace_id=source.workspace_id)
    run_job(str(job.id))
    job.refresh_from_db()
    assert job.state == "done"
    # The recalls are seconds old: their transactions may still be open, and they are left to the next look.
    assert repeats(owner) == []
    find_new_repeats(
        workspace_id=source.workspace_id, now=now + timedelta(minutes=1), embedder=HashedEmbedder()
    )
    assert len(repeats(owner)) == 1
    assert not sweep_repeats(workspace_id=source.workspace_id, now=now + timedelta(minutes=2))
