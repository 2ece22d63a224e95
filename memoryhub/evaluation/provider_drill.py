"""The provider drill: chat and embeddings fail in every way they can, one after the other, while events come in.

Everything goes through the real services over real HTTP in a scratch workspace. Through each fault events are accepted and recalls
answered; when the provider is well again the backlog is worked off, and then every fact is counted and every vector compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings
from django.utils import timezone

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.faulty_provider import (
    DIMS,
    FAULTS,
    FaultyProvider,
    running_faulty_provider,
    vector_of,
)
from memoryhub.jobs.ledger import enqueue
from memoryhub.language.embedders import current_embedder
from memoryhub.language.embedders.window import embeddable
from memoryhub.models import (
    EmbeddingModel,
    Event,
    FieldVersion,
    Job,
    ProviderState,
    SearchEntry,
    SearchVector,
    Workspace,
)
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.writing.pipeline import requeue_failed_event
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source

OWNERS = 3
SAID = ("My budget is {} yuan", "我的预算是{}元")
BEGAN = datetime(2026, 1, 1, 9, tzinfo=UTC)
CHAT_TIMEOUT = 0.6
MOST_ROUNDS = 40
NEAR_ENOUGH = 0.999


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultFound:
    """What was seen while one fault lasted. `recalls` of as many as owners were answered."""

    fault: str
    events: int
    recalls: int
    failed_visibly: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderDrillReport:
    """`lost` and `twice` are facts, `out_of_order` owners; `wrong_vectors` have another text's or model's numbers."""

    faults: tuple[FaultFound, ...]
    questions: int
    events: int
    processed: int
    lost: int
    twice: int
    out_of_order: int
    vectors: int
    wrong_vectors: int
    missing_vectors: int
    open_jobs: int
    seconds: float
    seconds_to_drain: float

    @property
    def holds(self) -> bool:
        """Nothing lost, nothing twice, no wrong vector, no backlog, and every recall answered whatever failed."""
        wrong = (
            self.lost
            + self.twice
            + self.out_of_order
            + self.wrong_vectors
            + self.missing_vectors
            + self.open_jobs
        )
        is_answered = all(found.recalls == OWNERS for found in self.faults)
        return self.processed == self.events and not wrong and is_answered

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "holds": self.holds}


def run_provider_drill(
    workspace: Workspace,
    *,
    run_job: Callable[[str], None],
    events_per_fault: int = 5,
    faults: Sequence[str] = FAULTS,
    progress: Callable[[str], None] = lambda fault: None,
) -> ProviderDrillReport:
    """Run the drill in an empty scratch workspace. No other worker may run on the database meanwhile.

    `run_job` is what a worker does with the id of a job (`jobs.tasks`).
    """
    began = time.monotonic()
    with running_faulty_provider(patience=CHAT_TIMEOUT * 2) as provider, _pointed_at(provider):
        drill = _Drill(workspace=workspace, provider=provider, run_job=run_job)
        found = []
        for fault in faults:
            progress(fault)
            found.append(drill.suffer(fault, events=events_per_fault))
        progress("recovery")
        drained = drill.recover()
        counted = drill.count()
        questions = provider.asked
    return ProviderDrillReport(
        faults=tuple(found),
        questions=questions,
        seconds=round(time.monotonic() - began, 1),
        seconds_to_drain=drained,
        **counted,
    )


@contextmanager
def _pointed_at(provider: FaultyProvider) -> Iterator[None]:
    """The settings name this provider for reading and for vectors until the end of the block."""
    wanted = {
        "EXTRACTOR": "model", "CHAT_URL": provider.url, "CHAT_MODEL": "drill", "CHAT_KEY": "", "CHAT_TIMEOUT": CHAT_TIMEOUT,
        "CHAT_CONCURRENCY": 1, "CHAT_OPTIONS": {}, "PRIVATE_ENDPOINTS": True, "EMBEDDER": "openai", "EMBEDDER_URL": provider.url,
        "EMBEDDER_MODEL": "drill", "EMBEDDER_DIMS": DIMS, "EMBEDDER_TIMEOUT": CHAT_TIMEOUT, "EMBEDDER_ASK_FOR_DIMS": False,
    }  # fmt: skip
    before = {name: getattr(settings, name) for name in wanted}
    try:
        for name, value in wanted.items():
            setattr(settings, name, value)
        yield
    finally:
        building = EmbeddingModel.objects.filter(
            name=current_embedder().name, state=EmbeddingModel.State.BUILDING
        )
        building.update(state=EmbeddingModel.State.RETIRED)
        ProviderState.objects.filter(name__in=_providers()).update(
            open_until=None, failures=0, openings=0, error_code=""
        )
        for name, value in before.items():
            setattr(settings, name, value)


def _providers() -> list[str]:
    return ["127.0.0.1:drill", current_embedder().name]


class _Drill:
    """Owners in a workspace, what each was told, and the work a worker would do."""

    def __init__(
        self, *, workspace: Workspace, provider: FaultyProvider, run_job: Callable[[str], None]
    ) -> None:
        self._run_job = run_job
        self.workspace = workspace
        self.provider = provider
        self.source = Source(workspace_id=workspace.id, trust_tier=3)
        self.owners: list[UUID] = [
            resolve_owner(workspace_id=workspace.id, ref=f"drill-{number}", create=True).id
            for number in range(OWNERS)
        ]
        self.told: dict[UUID, list[str]] = {owner: [] for owner in self.owners}

    def suffer(self, fault: str, *, events: int) -> FaultFound:
        """Record events while the fault lasts, try to read them, and ask."""
        self._pause_is_over()
        self.provider.fault = fault
        for owner_id in self.owners:
            self._tell(owner_id, events)
        self._work()
        answered = sum(self._asks(owner_id) for owner_id in self.owners)
        failed = sum(
            Event.objects.of(owner_id).filter(state=Event.State.FAILED).count() for owner_id in self.owners
        )
        return FaultFound(fault=fault, events=events * OWNERS, recalls=answered, failed_visibly=failed)

    def recover(self) -> float:
        """The provider is well: the pauses end, failed events are sent round again, the backlog is worked off. Seconds it took."""
        self.provider.fault = ""
        began = time.monotonic()
        for _ in range(MOST_ROUNDS):
            self._pause_is_over()
            self._send_round_again()
            for owner_id in self.owners:
                enqueue(
                    kind="embed", workspace_id=self.workspace.id, owner_id=owner_id, dedupe_key=str(owner_id)
                )
            self._work()
            if not self._open_jobs() and not self._waiting():
                break
        return round(time.monotonic() - began, 1)

    def count(self) -> dict[str, int]:
        """What became of everything that was told."""
        sums = dict.fromkeys(
            (
                "events",
                "processed",
                "lost",
                "twice",
                "out_of_order",
                "vectors",
                "wrong_vectors",
                "missing_vectors",
            ),
            0,
        )
        for owner_id in self.owners:
            with scope(workspace_id=self.workspace.id, owners=[owner_id], purpose="evaluation"):
                for name, number in {**self._facts(owner_id), **_vectors(owner_id)}.items():
                    sums[name] += number
        return {**sums, "open_jobs": self._open_jobs()}

    def _tell(self, owner_id: UUID, events: int) -> None:
        told = self.told[owner_id]
        new = []
        for _ in range(events):
            amount = str(1_000 + len(told))
            said_at = BEGAN + timedelta(minutes=len(told))
            new.append(NewEvent(content=SAID[len(told) % 2].format(amount), occurred_at=said_at))
            told.append(amount)
        record_events(owner_id=owner_id, events=new, source=self.source)

    def _work(self) -> None:
        """Run every queued job once, as a worker would."""
        for job_id in Job.objects.filter(workspace_id=self.workspace.id, state=Job.State.QUEUED).values_list(
            "id", flat=True
        ):
            self._run_job(str(job_id))

    def _asks(self, owner_id: UUID) -> bool:
        """Whether a question is answered at all; an exception would be the fault the drill looks for."""
        request = RecallRequest(query=SAID[0].format(1_000), kinds=("event",))
        answer = recall(
            workspace_id=self.workspace.id, owner_id=owner_id, request=request, caller=Caller(agent_id=None)
        )
        return bool(answer.served)

    def _pause_is_over(self) -> None:
        ProviderState.objects.filter(name__in=_providers(), open_until__isnull=False).update(
            open_until=timezone.now() - timedelta(seconds=1)
        )

    def _send_round_again(self) -> None:
        for owner_id in self.owners:
            failed = Event.objects.of(owner_id).filter(state=Event.State.FAILED).order_by("recorded_at", "id")
            for event_id in failed.values_list("id", flat=True):
                requeue_failed_event(workspace_id=self.workspace.id, owner_id=owner_id, event_id=event_id)

    def _waiting(self) -> int:
        return sum(
            Event.objects.of(owner_id).exclude(state=Event.State.PROCESSED).count()
            for owner_id in self.owners
        )

    def _open_jobs(self) -> int:
        done = Job.objects.filter(workspace_id=self.workspace.id).exclude(state=Job.State.DONE)
        return done.count()

    def _facts(self, owner_id: UUID) -> dict[str, int]:
        """Facts told and found. In world time they stand in the order they were said, whenever they were read."""
        events = Event.objects.of(owner_id)
        kept = FieldVersion.objects.of(owner_id).order_by("valid_from", "version")
        found = [str(value) for value in kept.values_list("value", flat=True)]
        told = self.told[owner_id]
        return {
            "events": events.count(),
            "processed": events.filter(state=Event.State.PROCESSED).count(),
            "lost": len(set(told) - set(found)),
            "twice": len(found) - len(set(found)),
            "out_of_order": int(sorted(found, key=int) != found),
        }


def _vectors(owner_id: UUID) -> dict[str, int]:
    """Vectors stored, those that are not their text's, and live entries without one."""
    name = current_embedder().name
    texts = dict(
        SearchEntry.objects.of(owner_id).filter(known_until=None, cleared=True).values_list("id", "text")
    )
    rows = list(SearchVector.objects.of(owner_id).filter(model__name=name))
    everything = dict(SearchEntry.objects.of(owner_id).values_list("id", "text"))
    wrong = sum(not _is_of(row, everything[row.entry_id]) for row in rows)
    return {
        "vectors": len(rows),
        "wrong_vectors": wrong,
        "missing_vectors": len(texts.keys() - {row.entry_id for row in rows}),
    }


def _is_of(row: SearchVector, text: str) -> bool:
    stored, expected = np.asarray(row.v, dtype=np.float64), vector_of(embeddable(text)).astype(np.float64)
    if stored.shape != expected.shape:
        return False
    cosine = stored @ expected / (np.linalg.norm(stored) * np.linalg.norm(expected))
    return bool(cosine > NEAR_ENOUGH)
