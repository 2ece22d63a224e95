"""The log of recalls, one recall then and now, judging it, why it did not know, and the statistics of all."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memoryhub.changes.judging import judge_sample
from memoryhub.models import AuditEntry, Recall, RecallFeedback
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from reviews.queries.recall_stats import recall_stats
from tests.builders import make_source
from tests.recall.stories import Story, begin
from tests.reviews.conftest import Desk
from tests.reviews.rows import writing

LOG = reverse("reviews:recalls")
STATS = reverse("reviews:recall_stats")


def words(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def story(desk: Desk) -> Story:
    ann = begin(source=make_source(desk.workspace), ref="ann")
    ann.item("Keeps a parrot called Polly.")
    ann.field("user_profile.location", "Leeds")
    for number in range(7):
        ann.item(f"Reads a novel about sailing, volume {number + 10}.")
    ann.index()
    return ann


def logged(story: Story, query: str, **asked: Any) -> Recall:
    answer = story.recall(query, **asked)
    assert answer.recall_id
    return Recall.objects.of(story.owner.id).get(id=answer.recall_id)


def entry(row: Recall, name: str = "recall_entry") -> str:
    return reverse(f"reviews:{name}", args=[row.owner_id, row.id])


def test_the_log_is_listed_filtered_and_opened(desk: Desk, story: Story) -> None:
    row = logged(story, "Which parrot does she keep?", session_ref="chat 1")
    logged(story, "What is the dwelling?", top_k=0)
    client = desk.client(desk.viewer)
    page = words(client.get(LOG))
    assert "Which parrot does she keep?" in page and entry(row) in page and "ann" in page
    for chosen, n_parrots in (
        ({"q": "parrot"}, 1),
        ({"q": "sailing"}, 0),
        ({"session": "chat 1"}, 1),
        ({"owner": "bob"}, 0),
    ):
        assert words(client.get(LOG, chosen)).count("Which parrot does she keep?") == n_parrots
    assert "Which parrot" not in words(client.get(LOG, {"answered": "nothing"}))
    assert "Which parrot" not in words(client.get(LOG, {"answered": "desk"}))
    assert "Which parrot" not in words(desk.client(desk.stranger).get(LOG))
    found = client.get(reverse("reviews:recall_debugger"), {"owner": "ann", "q": "tea"})
    assert found.status_code == 302 and found["Location"].endswith(f"/owners/{story.owner.id}/recall/?q=tea")
    assert "No such owner" in words(client.get(reverse("reviews:recall_debugger"), {"owner": "nobody"}))


def test_one_recall_is_shown_as_then_and_as_now_and_leaves_no_trace(desk: Desk, story: Story) -> None:
    row = logged(story, "Where does she live, and which parrot does she keep?")
    story.field("user_profile.location", "York", explicit_correction=True)
    story.index()
    before = Recall.objects.of(story.owner.id).count()
    page = words(desk.client(desk.viewer).get(entry(row)))
    assert "Leeds" in page and "York" in page
    assert "only now" in page and "not any more" in page
    assert "Every candidate" in page and "judge-" not in page, "a viewer judges nothing"
    assert Recall.objects.of(story.owner.id).count() == before
    missed = logged(story, "What is the dwelling?")
    page = words(desk.client().get(entry(missed)))
    assert 'name="term" value="dwelling"' in page and reverse("reviews:make_alias") in page
    page = words(desk.client(desk.viewer).get(entry(missed)))
    assert 'name="term"' not in page and "Operators make aliases." in page, "who may not is told who may"
    unknown = reverse("reviews:recall_entry", args=[story.owner.id, story.owner.id])
    assert desk.client().get(unknown).status_code == 404
    assert desk.client(desk.stranger).get(entry(row)).status_code == 404


def test_a_sample_is_judged_and_the_last_judgement_counts(desk: Desk, story: Story) -> None:
    row = logged(story, "Which parrot does she keep?")
    told = str(row.served[0]["id"])
    left_out = next(str(line["id"]) for line in row.excluded)
    client = desk.client()
    assert f'name="judge-{told}"' in words(client.get(entry(row)))
    answer = client.post(
        entry(row, "recall_judge"), {f"judge-{told}": "polluting", f"judge-{left_out}": "missed"}, follow=True
    )
    assert "2 judgements noted." in words(answer)
    client.post(entry(row, "recall_judge"), {f"judge-{told}": "relevant"})
    page = words(client.post(entry(row, "recall_judge"), {f"judge-{told}": "relevant"}, follow=True))
    assert "Nothing new was judged." in page
    assert f'name="judge-{told}" value="relevant" checked' in page
    rows = RecallFeedback.objects.of(story.owner.id).order_by("at", "id")
    assert [(one.verdict, one.user_id) for one in rows] == [
        ("useless", desk.operator.pk), ("missed", desk.operator.pk), ("used", desk.operator.pk),
    ]  # fmt: skip
    assert AuditEntry.objects.filter(action="recall.judged", owner_id=story.owner.id).count() == 2
    today = timezone.localdate()
    total = recall_stats(workspace=desk.workspace, first=today, last=today).total
    assert (total.judged, total.helped, total.memories, total.polluting, total.missed) == (1, 1, 1, 0, 1)
    for sent in ({f"judge-{told}": "missed"}, {f"judge-{left_out}": "relevant"}):
        assert "nothing was noted" in words(client.post(entry(row, "recall_judge"), sent, follow=True))
    assert desk.client(desk.viewer).post(entry(row, "recall_judge"), {}).status_code == 403
    assert desk.client(desk.stranger).post(entry(row, "recall_judge"), {}).status_code == 404
    assert rows.count() == 3


def test_the_page_says_why_it_did_not_know_and_how_something_got_in(desk: Desk, story: Story) -> None:
    row = logged(story, "Which novel about sailing, volume 10?")
    client = desk.client(desk.viewer)
    address = reverse("reviews:diagnose", args=[story.owner.id])
    assert "What should it have known?" in words(client.get(address))
    lost = words(client.get(address, {"recall": str(row.id), "expected": "a novel about sailing, volume 11"}))
    assert (
        "others were nearer to the question" in lost
        and "(lost here)" in lost
        and "The last one served" in lost
    )
    assert "曾经知道" not in lost
    told = words(client.get(address, {"q": "Which parrot?", "expected": "@user_profile.location"}))
    assert "Nothing that this owner" in told
    field = words(client.get(address, {"q": "Where does she live?", "expected": "user_profile.location"}))
    assert "It was told" in field and "the history of the value" in field
    got_in = words(client.get(address, {"recall": str(row.id), "unwanted": str(row.served[0]["id"])}))
    assert "How it got in" in got_in and "wrote it itself" in got_in and "all changes of that act" in got_in
    assert "There is no such memory" in words(client.get(address, {"unwanted": "parrot"}))
    assert "no such field" in words(client.get(address, {"q": "x", "expected": "contact.shoes"}))
    assert client.get(address, {"recall": str(story.owner.id), "expected": "x"}).status_code == 404
    assert desk.client(desk.stranger).get(address).status_code == 404


def ask_often(story: Story, *, times: int) -> list[Recall]:
    """One recall, and copies of its row."""
    row = logged(story, "Which parrot does she keep?")
    kept = {name: getattr(row, name) for name in ("query", "agent_id", "served", "excluded", "milliseconds")}
    with writing(story.owner):
        rows = [Recall(owner=story.owner, workspace_id=row.workspace_id, **kept) for _ in range(times - 1)]
        Recall.objects.bulk_create(rows)
    return [row, *rows]


def test_statistics_tell_rates_from_enough_cases_alone(desk: Desk, story: Story) -> None:
    few = ask_often(story, times=3)
    judge(story, few)
    client = desk.client(desk.viewer)
    page = words(client.get(STATS))
    assert "n = 3, too few for a rate" in page and "n = 3</span>" not in page
    many = ask_often(story, times=19)
    judge(story, many)
    recall(
        workspace_id=desk.workspace.id,
        owner_id=story.owner.id,
        request=RecallRequest(query="a look from the desk"),
        caller=Caller(user_id=desk.viewer.pk),
    )
    with writing(story.owner):
        Recall.objects.create(
            owner=story.owner, workspace_id=desk.workspace.id, query="long ago", agent_id=story.source.agent_id,
            created_at=timezone.now() - timedelta(days=40), milliseconds=9000,
        )  # fmt: skip
    page = words(client.get(STATS))
    assert "100 %" in page and "n = 22" in page
    today = timezone.localdate()
    stats = recall_stats(workspace=desk.workspace, first=today, last=today)
    assert (stats.total.asked, stats.total.answered, stats.total.helped) == (22, 22, 22)
    assert stats.total.hit.share == 1 and stats.total.pollution.share == 0
    assert stats.total.p50 and stats.total.p50 <= (stats.total.p95 or 0) <= (stats.total.p99 or 0) < 9000
    assert [figures.asked for _day, figures in stats.days] == [22]
    other = make_source(desk.workspace)
    assert "No agent has asked" in words(client.get(STATS, {"agent": str(other.agent_id)}))
    assert "No agent has asked" in words(desk.client(desk.stranger).get(STATS))
    for name in ("funnel", "terms", "rates", "session", "latency"):
        figure = client.get(reverse(f"reviews:recall_{name}"), {"agent": str(story.source.agent_id)}).json()
        assert figure["data"], name


def judge(story: Story, rows: list[Recall]) -> None:
    for row in rows:
        judge_sample(
            workspace_id=row.workspace_id,
            owner_id=row.owner_id,
            recall_id=row.id,
            judgements={UUID(row.served[0]["id"]): "relevant"},
            user_id=1,
        )


def count(client: Client, address: str, query: dict[str, Any] | None = None) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address, query or {}).status_code == 200
    return len(captured)


def test_the_pages_ask_as_often_for_many_rows_as_for_one(desk: Desk, story: Story) -> None:
    client = desk.client()
    row = logged(story, "Which parrot does she keep?")
    address = reverse("reviews:diagnose", args=[story.owner.id])
    asked = {"recall": str(row.id), "expected": "a novel about sailing"}
    pages = (
        (LOG, None),
        (STATS, None),
        (entry(row), None),
        (address, asked),
        (address, {"unwanted": str(row.served[0]["id"])}),
    )
    story.item("Reads a novel about boats, volume 29.")
    story.index()
    few = [count(client, *page) for page in pages]
    ask_often(story, times=6)
    judge(story, [row])
    for number in range(5):
        story.item(f"Reads a novel about boats, volume {number + 30}.")
    story.index()
    assert [count(client, *page) for page in pages] == few
