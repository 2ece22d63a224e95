"""An owner whose memory a bad agent has spoilt, written through the real services: what rollback and incident pages show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryhub.changes.derivations import derive_item
from memoryhub.changes.feedback import record_feedback
from memoryhub.database.scope import scope
from memoryhub.models import Agent, Owner, Recall, Workspace
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.reviews.rows import make_owner

START = timezone.now() - timedelta(days=3)


@dataclass(frozen=True)
class Poisoned:
    """`bad` wrote a budget over the good one and a sentence from which another was derived; all were served, one called harmful."""

    owner: Owner
    good: Source
    bad: Source
    agent: Agent
    version_id: UUID
    item_id: UUID
    derived_id: UUID


def make_source(workspace: Workspace, name: str) -> Source:
    agent = Agent.objects.create(workspace=workspace, name=name[:100])
    return Source(workspace_id=workspace.id, agent_id=agent.id, trust_tier=3, transport="rest")


def poison(workspace: Workspace, ref: str = "cust-张伟-0817") -> Poisoned:
    """Write it; the bad agent's values stand."""
    good, bad = make_source(workspace, f"shop-bot {ref}"), make_source(workspace, f"support-bot {ref}")
    owner = make_owner(workspace, ref, display_name="张伟", time_zone="Asia/Shanghai")
    field(owner, "6000", by=good)
    event_id = (
        record_event(
            owner_id=owner.id,
            event=NewEvent(
                content="老客户张伟 moved his budget to 999999", occurred_at=START, session_ref="sess-bad"
            ),
            source=bad,
        )
        .results[0]
        .event_id
    )
    spoilt = field(owner, "999999", by=bad, at=1, evidence_event_id=event_id, quote="budget to 999999")
    lie = say(owner, "喜欢半夜接到推销电话", by=bad)
    assert spoilt.target_id and lie.target_id
    derived = derive_item(
        workspace_id=workspace.id,
        owner_id=owner.id,
        content="适合安排夜间电话推销",
        source_item_ids=[lie.target_id],
    )
    assert derived.target_id
    assert good.agent_id
    agent = Agent.objects.get(id=good.agent_id)
    for number, targets in enumerate(
        [[lie.target_id, derived.target_id], [spoilt.target_id], [lie.target_id]]
    ):
        recall = serve(owner, agent, targets, session=f"sess-{number}")
    record_feedback(
        workspace_id=workspace.id,
        owner_id=owner.id,
        recall_id=recall.id,
        verdicts=[(lie.target_id, "harmful")],
        agent_id=agent.id,
    )
    return Poisoned(
        owner=owner,
        good=good,
        bad=bad,
        agent=agent,
        version_id=spoilt.target_id,
        item_id=lie.target_id,
        derived_id=derived.target_id,
    )


def field(owner: Owner, value: Any, *, by: Source, at: float = 0, name: str = "budget", **given: Any) -> Any:
    return write_field(
        owner_id=owner.id,
        form_type="user_profile",
        field=name,
        value=value,
        source=by,
        valid_from=START + timedelta(days=at),
        **given,
    )


def say(owner: Owner, content: str, *, by: Source, **given: Any) -> Any:
    return write_memory(
        owner_id=owner.id, content=content, item_kind="semantic", source=by, valid_from=START, **given
    )


def serve(
    owner: Owner, agent: Agent, targets: list[UUID], *, session: str, query: str = "预算是多少？"
) -> Recall:
    """A recall that told these memories, in this order."""
    served = [
        {"kind": "item", "ids": [str(target)], "tokens": 12, "owner": str(owner.id)} for target in targets
    ]
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="recall", write=True):
        return Recall.objects.create(
            owner=owner,
            workspace_id=owner.workspace_id,
            query=query,
            agent=agent,
            session_ref=session,
            served=served,
            tokens=12 * len(targets),
        )
