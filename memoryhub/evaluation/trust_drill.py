"""Promise 26: repetition and recall earn nothing, and nobody overwrites what a more trusted source said.

A table of five writers against five standing values (keys of tier 1 to 4, and a person at the desk), for form values, sentences and
edits of sentences; a hundred repeats by one source over as many days and documents, and three independent ones; a thousand recalls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.checks import Checks
from memoryhub.models import FieldVersion, MemoryItem, Workspace
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.workspaces import create_agent
from memoryhub.writing.candidates import Basis, Verdict
from memoryhub.writing.corroboration import corroboration
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory

STAFF = 5
WRITERS = (1, 2, 3, 4, STAFF)
REPEATS, RECALLS = 100, 1_000
MOST_DRIFT = 0.01
PERSON = 7
"""The user id of the person at the desk; nobody has to exist for it."""

REPEATED, RIVAL = "The office moved to Lisbon", "The office moved to Porto"
QUESTION = "where did the office move"
DAY = timedelta(days=1)


def run_trust_drill(
    workspace: Workspace,
    *,
    repeats: int = REPEATS,
    recalls: int = RECALLS,
    progress: Callable[[str], None] = lambda step: None,
) -> Checks:
    """Run all three parts in an empty scratch workspace."""
    checks = Checks(title="promise 26: trust is not earned by repetition")
    sources = {tier: _source(workspace, f"tier-{tier}", tier) for tier in WRITERS}
    progress("5 × 5 trust table")
    for way, overwrites in (
        ("form value", _overwrites_field),
        ("sentence", _overwrites_item),
        ("edit", _overwrites_edit),
    ):
        superseded = {cell for cell in _cells() if overwrites(workspace, sources, *cell)}
        wrong = sorted(cell for cell in superseded if cell[0] < cell[1])
        checks.expect(f"{way}: of 25 cells, those in which a lower tier supersedes a higher one", [], wrong)
        checks.expect(
            f"{way}: sources as trusted, or more, do supersede",
            True,
            {(3, 3), (4, 3), (STAFF, 4)} <= superseded,
        )
    progress(f"{repeats} repeats")
    _repeat(checks, workspace, repeats)
    progress(f"{recalls} recalls")
    _recall_often(checks, workspace, recalls)
    return checks


def _cells() -> Iterator[tuple[int, int]]:
    """(writer, standing) of every cell of the table."""
    return ((writer, standing) for writer in WRITERS for standing in WRITERS)


def _source(workspace: Workspace, name: str, tier: int) -> Source:
    if tier == STAFF:
        return Source(workspace_id=workspace.id, trust_tier=4, user_id=PERSON, transport="command")
    agent = create_agent(workspace=workspace, name=name)
    return Source(workspace_id=workspace.id, trust_tier=tier, agent_id=agent.id, transport="command")


def _owner(workspace: Workspace, ref: str) -> UUID:
    return resolve_owner(workspace_id=workspace.id, ref=ref, create=True).id


def _basis(tier: int) -> Basis:
    return "staff" if tier == STAFF else "stated"


def _overwrites_field(workspace: Workspace, sources: dict[int, Source], writer: int, standing: int) -> bool:
    """Whether a number written by `writer` takes the place of one that stands at tier `standing`."""
    owner_id = _owner(workspace, f"field {writer} {standing}")

    def write(tier: int, value: int, days: int) -> Verdict:
        return write_field(
            owner_id=owner_id,
            form_type="user_profile",
            field="budget",
            value=value,
            source=sources[tier],
            basis=_basis(tier),
            confidence=0.9,
            valid_from=timezone.now() - days * DAY,
        )

    write(standing, 1_000, 2)
    write(writer, 2_000, 1)
    with scope(workspace_id=workspace.id, owners=[owner_id], purpose="evaluation"):
        stands = FieldVersion.objects.of(owner_id).filter(status="active").values_list("value", flat=True)
        return list(stands) == [2_000]


def _overwrites_item(workspace: Workspace, sources: dict[int, Source], writer: int, standing: int) -> bool:
    """The same for a sentence about one attribute. Those of untrusted keys wait for a person from the start."""
    owner_id = _owner(workspace, f"item {writer} {standing}")
    for tier, colour in ((standing, "white"), (writer, "black")):
        _say(owner_id, sources[tier], tier, f"Room 4 is painted {colour}", value=colour)
    return _stands(workspace, owner_id) == ["Room 4 is painted black"]


def _overwrites_edit(workspace: Workspace, sources: dict[int, Source], writer: int, standing: int) -> bool:
    """The same by way of an edit of the sentence, and of its labels."""
    owner_id = _owner(workspace, f"edit {writer} {standing}")
    said = _say(owner_id, sources[standing], standing, "Room 4 is painted white", value="white")
    if said.target_id is None:
        return False
    changes = ({"entities": ["pool"]}, {"content": "Room 4 is painted black"})
    outcomes = [
        edit_memory(
            owner_id=owner_id,
            item_id=said.target_id,
            expected_seq=said.details["seq"],
            changes=change,
            source=sources[writer],
        ).outcome
        for change in changes
    ]
    return outcomes != ["refused", "in_review"] or _stands(workspace, owner_id) != ["Room 4 is painted white"]


def _say(owner_id: UUID, source: Source, tier: int, content: str, *, value: str) -> Verdict:
    return write_memory(
        owner_id=owner_id,
        content=content,
        item_kind="semantic",
        subject_entity="room 4",
        attribute="colour",
        value=value,
        confidence=0.9,
        basis=_basis(tier),
        source=source,
    )


def _stands(workspace: Workspace, owner_id: UUID) -> list[str]:
    with scope(workspace_id=workspace.id, owners=[owner_id], purpose="evaluation"):
        active = MemoryItem.objects.of(owner_id).filter(status="active")
        return list(active.values_list("content", flat=True))


def _repeat(checks: Checks, workspace: Workspace, repeats: int) -> None:
    """One agent says a thing again and again, about other documents and on other days; then three others say another."""
    owner_id = _owner(workspace, "repeated")
    loud = _source(workspace, "loud", 3)
    poison = _told(owner_id, loud, REPEATED, days_ago=repeats + 5, document="a")
    rival = _told(owner_id, _source(workspace, "witness-0", 3), RIVAL, days_ago=repeats + 5, document="w0")
    before = _rank(workspace, owner_id)
    for number in range(repeats):
        _told(owner_id, loud, REPEATED, days_ago=repeats - number, document=f"copy {number}")
    checks.expect(
        f"witnesses after {repeats} repeats by one source", 1, _witnesses(workspace, owner_id, poison)
    )
    checks.expect("confirmations it earned by them", 0, _confirmations(workspace, owner_id, poison))
    checks.expect("rank and scores after the repeats", before, _rank(workspace, owner_id))
    for number in (1, 2):
        witness = _source(workspace, f"witness-{number}", 3)
        _told(owner_id, witness, RIVAL, days_ago=5 - number, document=f"w{number}")
    checks.expect("witnesses of what three sources said", 3, _witnesses(workspace, owner_id, rival))
    for content in (REPEATED, RIVAL):
        _told(owner_id, _source(workspace, f"low {content}", 1), content, days_ago=0, document="low")
    found = [_witnesses(workspace, owner_id, target) for target in (poison, rival)]
    checks.expect("a source that is not trusted adds no witness", [1, 3], found)


def _told(owner_id: UUID, source: Source, content: str, *, days_ago: int, document: str) -> UUID:
    """A tool's event about a document, and the sentence with the event as its evidence. Answers the sentence's id."""
    event = NewEvent(
        content=content,
        role="tool",
        occurred_at=timezone.now() - days_ago * DAY,
        metadata={"document": document},
    )
    recorded = record_event(owner_id=owner_id, event=event, source=source)
    verdict = write_memory(
        owner_id=owner_id,
        content=content,
        item_kind="semantic",
        evidence_event_id=recorded.results[0].event_id,
        quote=content,
        source=source,
    )
    return verdict.target_id or owner_id


def _witnesses(workspace: Workspace, owner_id: UUID, target_id: UUID) -> int:
    with scope(workspace_id=workspace.id, owners=[owner_id], purpose="evaluation"):
        return corroboration(owner_id=owner_id, target_id=target_id)


def _confirmations(workspace: Workspace, owner_id: UUID, target_id: UUID) -> int:
    with scope(workspace_id=workspace.id, owners=[owner_id], purpose="evaluation"):
        return MemoryItem.objects.of(owner_id).get(id=target_id).confirmations


def _rank(workspace: Workspace, owner_id: UUID, *, trace: bool = False) -> list[tuple[str, float]]:
    """The sentences in the order in which they are recalled, with their scores at one fixed moment."""
    while embed_missing(workspace_id=workspace.id, owner_id=owner_id).stored:
        pass
    answer = recall(
        workspace_id=workspace.id,
        owner_id=owner_id,
        request=RecallRequest(query=QUESTION, clock=CLOCK, evaluation=not trace),
        caller=Caller(),
    )
    return [(entry.text, round(entry.score, 6)) for entry in answer.ranked if entry.kind == "item"]


def _recall_often(checks: Checks, workspace: Workspace, recalls: int) -> None:
    """Serving a memory does not raise it, and repeating what was served does not confirm it."""
    owner_id = _owner(workspace, "recalled")
    agent = _source(workspace, "echo", 3)
    ids = [_told(owner_id, agent, content, days_ago=9, document="d") for content in (REPEATED, RIVAL)]
    before = _rank(workspace, owner_id)
    for _ in range(recalls):
        recall(
            workspace_id=workspace.id,
            owner_id=owner_id,
            request=RecallRequest(query=QUESTION, session_ref="echo", clock=CLOCK),
            caller=Caller(agent_id=agent.agent_id),
        )
    after = _rank(workspace, owner_id)
    drift = max(abs(one[1] - other[1]) for one, other in zip(before, after, strict=True))
    checks.figures[f"largest drift of a score after {recalls} recalls"] = drift
    checks.expect(
        f"drift at most {MOST_DRIFT}, same order",
        True,
        drift <= MOST_DRIFT and _names(before) == _names(after),
    )
    told_back = NewEvent(content=REPEATED, role="assistant", session_ref="echo")
    recorded = record_event(owner_id=owner_id, event=told_back, source=agent)
    again = write_memory(
        owner_id=owner_id,
        content=REPEATED,
        item_kind="semantic",
        evidence_event_id=recorded.results[0].event_id,
        quote=REPEATED,
        source=agent,
    )
    checks.expect("what was recalled and said again is the same sentence", ids[0], again.target_id)
    checks.expect("and earned no confirmation", 0, _confirmations(workspace, owner_id, ids[0]))


def _names(ranked: list[tuple[str, float]]) -> list[str]:
    return [text for text, _ in ranked]


CLOCK = timezone.now() + DAY
"""What ages are counted from, the same for every measurement of a run."""
