"""What an extractor makes of labelled utterances.

One that stands alone goes through the dry run: screened, read and admitted as for an owner of whom nothing is known, so what is
admitted would be stored. One with turns before it is told to an owner of its own through the whole path, because what it means
may stand in the memory; there counts what its event stored or proposed, as the changes tell it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.importing import import_source
from memoryhub.evaluation.utterances import Expected, Kept, Utterance, answers, is_allowed
from memoryhub.models import Change, FieldVersion, MemoryItem, Owner, Workspace
from memoryhub.writing.candidates import Candidate, ItemCandidate, Role
from memoryhub.writing.dry_run import try_extraction
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.reading import ExtractorName
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.rules.vocabulary import field_of
from memoryhub.writing.source import Source

_TAKEN_FROM_THE_EVENT = frozenset({"incident.opened_at", "incident.solved_at"})
"""Times that an incident takes from its event and not from its words: not judged unless a label names them."""

_ENDING = frozenset({"remove", "retract"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One utterance with what was kept of it: `right` pairs, what was `missed`, and what was `wrong`."""

    utterance: Utterance
    right: tuple[tuple[Expected, Kept], ...] = ()
    missed: tuple[Expected, ...] = ()
    wrong: tuple[Kept, ...] = ()


def evaluate_extraction(
    utterances: Sequence[Utterance],
    *,
    workspace: Workspace,
    extractor: ExtractorName,
    progress: Callable[[], None] = lambda: None,
) -> list[Judged]:
    """Judge what is kept of every utterance; `workspace` is an empty scratch one.

    Raises ExtractorNotConfigured, and ModelUnavailable when the model gives no answer.
    """
    source = import_source(workspace)
    judged = []
    for utterance in utterances:
        keep = _tell if utterance.before else _try
        judged.append(judge(utterance, keep(utterance, source=source, extractor=extractor)))
        progress()
    return judged


def judge(utterance: Utterance, kept: Sequence[Kept]) -> Judged:
    """Pair what was kept with what was expected, each at most once; what is left over on either side is missed or wrong."""
    left = list(kept)
    right: list[tuple[Expected, Kept]] = []
    missed: list[Expected] = []
    for expected in utterance.expected:
        found = next((each for each in left if answers(each, expected)), None)
        if found is not None:
            left.remove(found)
            right.append((expected, found))
        else:
            missed.append(expected)
    wrong = [
        each for each in left if each.field not in _TAKEN_FROM_THE_EVENT and not is_allowed(each, utterance)
    ]
    return Judged(utterance=utterance, right=tuple(right), missed=tuple(missed), wrong=tuple(wrong))


def _try(utterance: Utterance, *, source: Source, extractor: ExtractorName) -> list[Kept]:
    """What would be stored or proposed of an utterance of an owner of whom nothing is known."""
    run = try_extraction(
        text=utterance.text,
        role=utterance.role,
        occurred_at=utterance.occurred_at,
        zone=utterance.time_zone,
        source=source,
        extractor=extractor,
    )
    kept = []
    for judged in run.candidates:
        if judged.admission.verdict in ("admit", "review"):
            kept.append(_kept_candidate(judged.candidate, proposed=judged.admission.verdict == "review"))
    return kept


def _kept_candidate(candidate: Candidate, *, proposed: bool) -> Kept:
    if isinstance(candidate, ItemCandidate):
        return _sentence(candidate.content, candidate.attribute, candidate.value, proposed=proposed)
    return Kept(
        what="removal" if candidate.operation == "remove" else "field",
        field=f"{candidate.form_type}.{candidate.field}",
        subject=candidate.subject,
        value=candidate.value,
        proposed=proposed,
    )


def _sentence(content: str, attribute: str, value: str, *, proposed: bool) -> Kept:
    if value == "refused":
        field = f"project_config.{field_of(attribute) or 'current_plan'}"
        return Kept(what="refusal", field=field, value=attribute, text=content, proposed=proposed)
    return Kept(what="item", text=content, proposed=proposed)


def _tell(utterance: Utterance, *, source: Source, extractor: ExtractorName) -> list[Kept]:
    """Record the session's turns, process them, and read what the last one changed."""
    owner_id = resolve_owner(workspace_id=source.workspace_id, ref=utterance.id, create=True).id
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="evaluation", write=True):
        Owner.objects.filter(id=owner_id).update(
            time_zone=utterance.time_zone, locale=_LOCALES[utterance.tongue]
        )
    batch = record_events(owner_id=owner_id, events=_events(utterance), source=source)
    ids = [result.event_id for result in batch.results if result.event_id is not None]
    process_waiting_events(
        workspace_id=source.workspace_id, owner_id=owner_id, until=ids, extractor_name=extractor
    )
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="evaluation"):
        return list(_kept_of(ids[-1], owner_id))


_LOCALES = {"zh": "zh-hans", "en": "en"}


def _events(utterance: Utterance) -> list[NewEvent]:
    """The turns before it a minute apart, then the utterance itself."""
    turns: list[tuple[str, Role]] = [(text, "user") for text in utterance.before]
    turns.append((utterance.text, utterance.role))
    return [
        NewEvent(
            content=text,
            role=role,
            occurred_at=utterance.occurred_at - timedelta(minutes=len(turns) - place),
            session_ref="utterances",
        )
        for place, (text, role) in enumerate(turns, 1)
    ]


def _kept_of(event_id: UUID, owner_id: UUID) -> Iterator[Kept]:
    changes = Change.objects.of(owner_id).filter(event_id=event_id, state__in=["applied", "proposed"])
    # The yardstick's sets label fields and sentences; relations are measured by their own tests.
    changes = changes.exclude(target_kind="relation")
    for change in changes.exclude(candidate__kind="inverse").order_by("created_at", "id"):
        yield _kept_value(change) if change.target_kind == "field_version" else _kept_sentence(change)


def _kept_value(change: Change) -> Kept:
    removes = change.action in _ENDING or (change.candidate or {}).get("operation") == "remove"
    return Kept(
        what="removal" if removes else "field",
        field=f"{change.form_type}.{change.field_name}",
        subject=change.form_subject,
        value=_value(change),
        proposed=change.state == Change.State.PROPOSED,
    )


def _value(change: Change) -> object:
    """The value as it stands in its version; of a proposal, of the candidate; of a proposed removal, of what it would end."""
    if change.state == Change.State.PROPOSED:
        told = (change.candidate or {}).get("value")
        return told if told is not None else (change.before or {}).get("value")
    assert change.target_id is not None
    return FieldVersion.objects.of(change.owner_id).get(id=change.target_id).value


def _kept_sentence(change: Change) -> Kept:
    told = change.candidate or {}
    if change.state == Change.State.PROPOSED:
        content, attribute, value = told["content"], told["attribute"], told["value"]
    else:
        assert change.target_id is not None
        item = MemoryItem.objects.of(change.owner_id).get(id=change.target_id)
        content, attribute, value = item.content, item.attribute, item.value_key
    return _sentence(content, attribute, value, proposed=change.state == Change.State.PROPOSED)
