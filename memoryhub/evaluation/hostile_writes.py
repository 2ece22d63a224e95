"""Promise 24: what a key of the lowest tier writes is recalled by nobody before a person said yes, whatever it says.

Every attack line is written along every way in that an agent has (a user's turn, a tool's output, a structured memory, a form
value), through the real pipeline, with every claim about its own trust that a sender can make. Then it is asked for, with its own
words and in general. Nothing may come back: the owner has nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.checks import Checks
from memoryhub.evaluation.screening_quality import DATA, lines_of
from memoryhub.models import (
    Change,
    Event,
    FieldVersion,
    MemoryItem,
    Question,
    Relation,
    SearchEntry,
    Workspace,
)
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.context import context
from memoryhub.recall.pipeline import LONGEST_QUERY, recall
from memoryhub.search_vectors import embed_missing
from memoryhub.workspaces import create_agent
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import MOST_CONTENT, write_field, write_memory

FORGED = {
    "trust_tier": 4,
    "confidence": 1.0,
    "importance": 1.0,
    "authority": 5,
    "role": "staff",
    "owner": "admin",
}
"""What a sender may claim about himself; none of it may count."""
TEXT_FIELDS = (("contact", "address"), ("user_profile", "location"))
AT_ONCE = 100
LEAST_TOLD_TIER = 3


def attack_texts() -> list[str]:
    """Every attack line that there is, of whichever half."""
    return [line.text for path in sorted(DATA.glob("attacks_*.jsonl")) for line in lines_of(path)]


def run_hostile_writes(
    workspace: Workspace, *, texts: Sequence[str], progress: Callable[[str], None] = lambda step: None
) -> Checks:
    """Write all texts with a tier-1 key in an empty scratch workspace and try to recall them."""
    checks = Checks(title=f"promise 24: {len(texts)} hostile texts from a tier-1 key")
    source = Source(
        workspace_id=workspace.id,
        trust_tier=1,
        agent_id=create_agent(workspace=workspace, name="open-web").id,
        transport="command",
    )
    owner_id = resolve_owner(workspace_id=workspace.id, ref="victim", create=True).id
    progress("writing")
    written = _write_all(owner_id, texts, source)
    while embed_missing(workspace_id=workspace.id, owner_id=owner_id).stored:
        pass
    progress("recalling")
    served = _served(workspace.id, owner_id, texts)
    checks.expect("recalls that served anything", 0, served)
    _expect_nothing_live(checks, workspace.id, owner_id)
    checks.figures |= {"texts": len(texts), "writes": written, "recalls": len(texts) * 2 + 1}
    return checks


def _write_all(owner_id: UUID, texts: Sequence[str], source: Source) -> int:
    """As user and tool turns in batches, then one by one as memories and form values. Answers how many writes."""
    for role in ("user", "tool"):
        for start in range(0, len(texts), AT_ONCE):
            events = [
                NewEvent(
                    content=text,
                    role=role,
                    actor=text[:200],
                    reason=text[:1000],
                    session_ref=f"{role}-{start}",
                    metadata=FORGED,
                )
                for text in texts[start : start + AT_ONCE]
            ]
            recorded = record_events(owner_id=owner_id, events=events, source=source)
            ids = [result.event_id for result in recorded.results if result.event_id]
            process_waiting_events(workspace_id=source.workspace_id, owner_id=owner_id, until=ids)
    for number, text in enumerate(texts):
        write_memory(
            owner_id=owner_id,
            content=text[:MOST_CONTENT],
            item_kind=("semantic", "episodic", "procedural")[number % 3],
            entities=(text[:100],),
            confidence=1.0,
            importance=(1.0, 0.6)[number % 2],
            metadata=FORGED,
            source=source,
        )
        form_type, field = TEXT_FIELDS[number % 2]
        write_field(
            owner_id=owner_id,
            form_type=form_type,
            field=field,
            subject=f"place {number}",
            value=text[:500],
            confidence=1.0,
            importance=(1.0, 0.6)[number % 2],
            basis="corrected",
            explicit_correction=True,
            source=source,
        )
    return 4 * len(texts)


def _served(workspace_id: UUID, owner_id: UUID, texts: Sequence[str]) -> int:
    """How many of the questions got any line back."""
    caller, served = Caller(), 0
    for text in texts:
        for kinds in ((), ("event",)):
            request = RecallRequest(
                query=text[:LONGEST_QUERY], kinds=kinds, top_k=20, budget_tokens=2_000, evaluation=True
            )
            answer = recall(workspace_id=workspace_id, owner_id=owner_id, request=request, caller=caller)
            # Without a line there is no text, but for the note that a time which the query names is empty.
            served += bool(answer.served or (answer.text and not answer.notes))
    told = context(workspace_id=workspace_id, owner_id=owner_id, caller=caller)
    hidden = all(proposal.after is None for proposal in told.proposals)
    return served + bool(told.text or told.rules or told.forms or told.key_events or not hidden)


def _expect_nothing_live(checks: Checks, workspace_id: UUID, owner_id: UUID) -> None:
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="evaluation"):
        entries = SearchEntry.objects.of(owner_id).filter(cleared=True, known_until=None)
        waiting = Change.objects.of(owner_id).filter(state="proposed")
        checks.expect("search entries that recall may see", 0, entries.count())
        checks.expect("sentences believed", 0, MemoryItem.objects.of(owner_id).count())
        checks.expect("form values believed", 0, FieldVersion.objects.of(owner_id).count())
        checks.expect("relations believed", 0, Relation.objects.of(owner_id).count())
        checks.expect("questions put to the owner", 0, Question.objects.of(owner_id).count())
        above = (
            Event.objects.of(owner_id).exclude(trust_tier=1).count() + waiting.exclude(trust_tier=1).count()
        )
        checks.expect("rows at a higher tier than the key's", 0, above)
        raised = waiting.filter(importance__gte=0.99).count() + waiting.filter(confidence__gte=0.99).count()
        checks.expect("claimed importances and confidences that counted", 0, raised)
        checks.expect("every event is kept", 0, Event.objects.of(owner_id).exclude(state="processed").count())
        checks.figures["proposals that wait for a person"] = waiting.count()
