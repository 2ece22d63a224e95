"""Fill a workspace with three owners' stories, through the real write path."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.database.owners import resolve_owner
from memoryhub.demo_stories import STORIES, Said, Story
from memoryhub.jobs.tasks import run_job
from memoryhub.models import Agent, Workspace
from memoryhub.owners import change_owner
from memoryhub.workspaces import create_agent, create_workspace
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source

SLUG = "demo"
AGENT = "demo-storyteller"


class Command(BaseCommand):
    help = "Tell the demo stories in the demo workspace. A second run adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", default=SLUG, help="slug of the workspace (made when missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["workspace"]
        workspace = Workspace.objects.filter(slug=slug).first() or create_workspace(
            slug=slug, name="Demo", locale="en", time_zone="UTC"
        )
        agent = Agent.objects.filter(workspace=workspace, name=AGENT).first() or create_agent(
            workspace=workspace, name=AGENT
        )
        source = Source(workspace_id=workspace.id, agent_id=agent.id, trust_tier=4, transport="job")
        for story in STORIES:
            # Told from the day the workspace was made, so that a second run says the same and adds nothing.
            told = _tell(story, source, now=workspace.created_at)
            self.stdout.write(f"{story.ref}: {told} events")


def _tell(story: Story, source: Source, *, now: datetime) -> int:
    """Record a story's events and process them at once; answers how many were new."""
    owner = resolve_owner(workspace_id=source.workspace_id, ref=story.ref, kind=story.kind, create=True)
    change_owner(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        changes={"display_name": story.display_name, "locale": story.locale, "time_zone": story.time_zone},
    )
    events = [_event(said, number, now) for number, said in enumerate(story.events)]
    new = 0
    for event in events:
        batch = record_events(owner_id=owner.id, events=[event], source=source)
        new += sum(result.status == "recorded" for result in batch.results)
        for job_id in batch.job_ids:
            run_job(str(job_id))
    return new


def _event(said: Said, number: int, now: datetime) -> NewEvent:
    form_type, subject, field = said.field
    return NewEvent(
        content=said.text,
        occurred_at=now - said.ago,
        role=said.role,
        action=said.action,
        actor=said.actor,
        session_ref=said.session,
        before=said.before,
        after=said.after,
        form_type=form_type,
        form_subject=subject,
        field_name=field,
        idempotency_key=f"demo-{number}",
    )
