"""Recall measured on conversations with known evidence: imported through the real path, asked through the real recall.

The clock stands at each conversation's last turn and all filters are on. The ranked list is of distinct events, before
the budget cut: an event stands for itself (its window counts for it), an item or a field for its first evidence event.
Tokens are those of the block that a caller with default settings gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from secrets import token_hex
from typing import Any
from uuid import UUID

from memoryhub.database.purge import purge
from memoryhub.database.scope import scope
from memoryhub.evaluation.dialogues import CATEGORIES, Dialogue, Question
from memoryhub.evaluation.halves import spread_over_halves
from memoryhub.evaluation.importing import Imported, Progress, import_dialogue, import_source
from memoryhub.evaluation.metrics import Answer
from memoryhub.evaluation.reporting import RecallReport, report_on
from memoryhub.language.embedders import Embedder
from memoryhub.models import Owner, Workspace
from memoryhub.recall.answers import Caller, Ranked, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.workspaces import create_workspace


def evaluate_recall(
    dialogues: Sequence[Dialogue],
    *,
    workspace: Workspace,
    embedder: Embedder,
    progress: Progress,
    split_seed: int | None = None,
) -> RecallReport:
    """Import the conversations into an empty workspace, ask every question that has evidence, and report.

    `embedder` embeds what is stored (a cached one makes a second run quick); questions are embedded by the embedder of the
    installation each time, so that the times are those of a real recall. With `split_seed` the figures on random halves of
    the questions are among the facts.
    """
    source = import_source(workspace)
    answers: list[Answer[UUID]] = []
    for dialogue in dialogues:
        imported = import_dialogue(dialogue, source=source, embedder=embedder, progress=progress)
        for question in dialogue.questions:
            if question.evidence:
                answers.append(_ask(question, dialogue, imported, workspace.id))
            progress("questions", 1)
    facts = {**_facts(dialogues), "embedder": embedder.name}
    if split_seed is not None:
        spreads = spread_over_halves(answers, seed=split_seed)
        facts["random_halves"] = {name: spread.as_json() for name, spread in spreads.items()}
    return report_on(answers, **facts)


def _ask(question: Question, dialogue: Dialogue, imported: Imported, workspace_id: UUID) -> Answer[UUID]:
    answer = recall(
        workspace_id=workspace_id,
        owner_id=imported.owner_id,
        caller=Caller(),
        request=RecallRequest(query=question.text, evaluation=True, clock=dialogue.ended_at),
    )
    return Answer(
        category=CATEGORIES.get(question.category, "uncategorised"),
        evidence=tuple(imported.event_ids[turn_id] for turn_id in question.evidence),
        ranked=tuple(distinct_events(answer.ranked)),
        served=tuple(event_id for entry in answer.served for event_id in entry.event_ids),
        by_time=any("events" in entry.legs for entry in answer.ranked),
        tokens=answer.tokens,
        milliseconds=answer.milliseconds,
    )


def distinct_events(ranked: Sequence[Ranked]) -> list[UUID]:
    """The events behind a ranking, each at its best place."""
    return list(dict.fromkeys(entry.event_ids[0] for entry in ranked if entry.event_ids))


def _facts(dialogues: Sequence[Dialogue]) -> dict[str, Any]:
    questions = list(chain.from_iterable(dialogue.questions for dialogue in dialogues))
    return {
        "conversations": len(dialogues),
        "turns": sum(len(dialogue.turns) for dialogue in dialogues),
        "unresolvable_evidence": sum(len(question.unresolvable) for question in questions),
        "questions_without_evidence": sum(not question.evidence for question in questions),
    }


@contextmanager
def scratch_workspace(*, keep: bool) -> Iterator[Workspace]:
    """A workspace for one evaluation; its memory is purged afterwards unless it is to be kept for looking at."""
    workspace = create_workspace(slug=f"evaluation-{token_hex(4)}", name="Evaluation", is_scratch=True)
    try:
        yield workspace
    finally:
        if not keep:
            purge_workspace(workspace)


def purge_workspace(workspace: Workspace) -> None:
    """Delete the memory of every owner of a scratch workspace. Raises ValueError for any other."""
    if not workspace.is_scratch:
        raise ValueError(f"{workspace.slug} is not a scratch workspace")
    with scope(workspace_id=workspace.id, owners="workspace", purpose="evaluation"):
        owners = list(Owner.objects.filter(workspace=workspace).values_list("id", flat=True))
    for owner_id in owners:
        with scope(workspace_id=workspace.id, owners=[owner_id], purpose="purge"):
            purge(owner_id=owner_id, reason="test_data")
