"""A secret stays in its event: nothing that is derived from it, served, traced or shown holds it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from memoryhub.jobs.tasks import run_job
from memoryhub.models import Event, Owner
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.context import context
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.search_windows import make_windows
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory

SECRETS = ("hunter2abc", "11010519491231002X", "4111111111111111", "sk-proj-abcdefghijklmnop1234")
SAID = [
    "I live in Lisbon and my password is hunter2abc",
    "我叫小明，我的身份证号是11010519491231002X",
    "We chose plan B because card 4111 1111 1111 1111 expired, pay with 4111111111111111",
    "the key is sk-proj-abcdefghijklmnop1234, and I love oolong tea",
]
DERIVED = (
    "memoryhub_fieldversion",
    "memoryhub_memoryitem",
    "memoryhub_searchentry",
    "memoryhub_change",
    "memoryhub_recall",
    "memoryhub_question",
    "memoryhub_review",
)


def held_in(table: str, owner: Owner) -> list[str]:
    """Which of the secrets any row of the owner in the table holds, in any column."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT row_to_json(t)::text FROM {table} t WHERE t.owner_id = %s", [owner.id])
        rows = " ".join(row[0] for row in cursor.fetchall())
    return [secret for secret in SECRETS if secret in rows]


def tell(owner: Owner, source: Source) -> None:
    events = [
        NewEvent(content=said, session_ref="chat", reason=f"my password is {SECRETS[0]}", actor="Ann")
        for said in SAID
    ]
    batch = record_events(owner_id=owner.id, events=events, source=source)
    assert batch.job_id is not None
    run_job(str(batch.job_id))
    write_memory(
        owner_id=owner.id,
        content=f"The API key is {SECRETS[3]}",
        item_kind="semantic",
        evidence_event_id=batch.results[3].event_id,
        quote=SAID[3],
        metadata={"note": f"password: {SECRETS[0]}"},
        source=source,
    )
    write_field(
        owner_id=owner.id,
        form_type="contact",
        field="address",
        subject="home",
        value=f"password: {SECRETS[0]}",
        source=source,
    )
    make_windows(workspace_id=source.workspace_id, owner_id=owner.id)
    embed_missing(workspace_id=source.workspace_id, owner_id=owner.id)


@pytest.mark.django_db
def test_nothing_that_is_derived_holds_a_secret(owner: Owner, source: Source) -> None:
    tell(owner, source)
    told: list[Any] = []
    for query in ("password", "where do I live", *SAID):
        request = RecallRequest(query=query, kinds=("event", "semantic", "form") if query in SAID else ())
        answer = recall(workspace_id=source.workspace_id, owner_id=owner.id, request=request, caller=Caller())
        told.append((answer.text, answer.served))
    told.append(context(workspace_id=source.workspace_id, owner_id=owner.id, caller=Caller()))
    assert [secret for secret in SECRETS if secret in repr(told)] == []
    assert {table: held_in(table, owner) for table in DERIVED} == {table: [] for table in DERIVED}


@pytest.mark.django_db
@pytest.mark.parametrize("masks", [False, True])
def test_the_event_itself_follows_one_setting(owner: Owner, source: Source, masks: bool) -> None:
    with override_settings(MASK_EVENTS=masks):
        event = NewEvent(content=SAID[0], metadata={"note": f"password: {SECRETS[0]}"})
        record_events(owner_id=owner.id, events=[event], source=source)
    row = Event.objects.of(owner.id).get()
    assert (SECRETS[0] in row.content, SECRETS[0] in str(row.metadata)) == (not masks, not masks)
    assert len(row.content) == len(SAID[0])


@pytest.mark.django_db
def test_a_quote_that_holds_a_secret_is_found_in_its_event(owner: Owner, source: Source) -> None:
    event = record_events(owner_id=owner.id, events=[NewEvent(content=SAID[0])], source=source).results[0]
    verdict = write_memory(
        owner_id=owner.id,
        content="The user lives in Lisbon",
        item_kind="semantic",
        importance=0.9,
        evidence_event_id=event.event_id,
        quote="my password is hunter2abc",
        source=source,
    )
    assert (verdict.outcome, verdict.code) == ("stored", "")
