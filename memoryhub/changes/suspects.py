"""Live values that deserve a look, ranked by stated signals. Every signal is shown with its weight; the score is their sum.

The signals only point; nothing is decided by them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone

from memoryhub.changes.rollback_preview import said_by
from memoryhub.changes.slots import Row
from memoryhub.database.scope import Owners
from memoryhub.database.scope import scope as database_scope
from memoryhub.language.text import locate_quote
from memoryhub.models import Agent, Change, FieldVersion, MemoryItem, RecallFeedback, RecallServed

WEIGHTS = {
    "harmful_feedback": 0.5,
    "evidence_gone": 0.4,
    "contradicted_later": 0.3,
    "proposer_often_rejected": 0.2,
    "useless_feedback": 0.2,
    "served_never_used": 0.15,
    "single_source_important": 0.15,
}
"""What each signal adds to the score, in [0, 1]."""

LOOKED_BACK = timedelta(days=90)
SERVED_OFTEN = 5
IMPORTANT = 0.8
LEAST_REJECTIONS = 3
LEAST_REJECTED_SHARE = 0.3
MOST_LOOKED_AT = 2_000


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason, its weight, and the number behind it (recalls, verdicts, changes or a share in percent)."""

    code: str
    weight: float
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspect:
    """A live value. `text` is the value or the sentence; `score` lies in [0, 1]."""

    kind: str
    id: UUID
    owner_id: UUID
    text: Any
    field: str
    agent: str
    agent_id: UUID | None
    importance: float
    known_from: datetime
    score: float
    signals: tuple[Signal, ...]


def suspects(*, workspace_id: UUID, owner_ids: Collection[UUID] = (), limit: int = 100) -> list[Suspect]:
    """The most suspect live values of the workspace (or of these owners), worst first. A fixed number of statements."""
    since = timezone.now() - LOOKED_BACK
    owners: Owners = list(owner_ids) or "workspace"
    with database_scope(workspace_id=workspace_id, owners=owners, purpose="desk"):
        counts = _counts(workspace_id, since, owner_ids)
        rejected = _often_rejected(workspace_id, since)
        rows = _live_rows(workspace_id, owner_ids, set(counts), set(rejected))
        names = dict(Agent.objects.filter(workspace_id=workspace_id).values_list("id", "name"))
    found = [_suspect(row, _signals(row, counts.get(row.id, {}), rejected), names) for row in rows]
    found = [suspect for suspect in found if suspect.signals]
    found.sort(key=lambda suspect: (-suspect.score, -suspect.importance, suspect.id))
    return found[:limit]


def _counts(workspace_id: UUID, since: datetime, owner_ids: Collection[UUID]) -> dict[UUID, dict[str, int]]:
    """Per value how often it was served, judged, and contradicted."""
    counts: dict[UUID, dict[str, int]] = defaultdict(dict)
    for target_id, served in _served_often(workspace_id, since, owner_ids):
        counts[target_id]["served"] = served
    judged = (
        RecallFeedback.objects.filter(workspace_id=workspace_id, at__gte=since)
        .order_by()
        .values_list("target_id", "verdict")
        .annotate(n=Count("owner_id"))
    )
    for target_id, verdict, n in judged:
        counts[target_id][verdict] = n
    against = (
        Change.objects.filter(
            workspace_id=workspace_id,
            created_at__gte=since,
            state=Change.State.PROPOSED,
            before_id__isnull=False,
            event_id__isnull=False,
        )
        .order_by()
        .values_list("before_id")
        .annotate(n=Count("owner_id"))
    )
    for target_id, n in against:
        if target_id is not None:
            counts[target_id]["contradicted"] = n
    return counts


def _served_often(
    workspace_id: UUID, since: datetime, owner_ids: Collection[UUID]
) -> Iterable[tuple[UUID, int]]:
    """The values that were told most, with in how many recalls; to whomever."""
    told = RecallServed.objects.filter(workspace_id=workspace_id, at__gte=since).exclude(kind="event")
    if owner_ids:
        told = told.filter(
            target_id__in=[*_live_ids(FieldVersion, owner_ids), *_live_ids(MemoryItem, owner_ids)]
        )
    counted = told.order_by().values_list("target_id").annotate(n=Count("owner_id"))
    return counted.filter(n__gte=SERVED_OFTEN).order_by("-n")[:MOST_LOOKED_AT]


def _live_ids(model: type[FieldVersion | MemoryItem], owner_ids: Collection[UUID]) -> Iterable[UUID]:
    return model.objects.filter(owner_id__in=owner_ids, status="active").values_list("id", flat=True)


def _often_rejected(workspace_id: UUID, since: datetime) -> dict[UUID, int]:
    """Agents many of whose decided proposals were rejected, with the share in percent."""
    decided = (
        Change.objects.filter(workspace_id=workspace_id, created_at__gte=since, agent_id__isnull=False)
        .filter(Q(state=Change.State.REJECTED) | Q(candidate__isnull=False, state=Change.State.APPLIED))
        .order_by()
        .values_list("agent_id")
        .annotate(rejected=Count("owner_id", filter=Q(state=Change.State.REJECTED)), n=Count("owner_id"))
    )
    return {
        agent_id: round(100 * rejected / n)
        for agent_id, rejected, n in decided
        if agent_id is not None and rejected >= LEAST_REJECTIONS and rejected / n >= LEAST_REJECTED_SHARE
    }


def _live_rows(
    workspace_id: UUID, owner_ids: Collection[UUID], ids: Collection[UUID], agents: Collection[UUID]
) -> list[Row]:
    """Live values that a signal may be about: the named ones, important unconfirmed ones, those of suspicious agents."""
    wanted = Q(id__in=ids) | Q(importance__gte=IMPORTANT, confirmations=0) | Q(agent_id__in=agents)
    wanted &= Q(workspace_id=workspace_id, status="active", known_until=None)
    wanted &= Q(valid_until=None) | Q(valid_until__gt=Now())
    if owner_ids:
        wanted &= Q(owner_id__in=owner_ids)
    versions, items = FieldVersion.objects.filter(wanted), MemoryItem.objects.filter(wanted)
    found: list[Row] = list(
        versions.select_related("event", "field__form_type").order_by("-known_from")[:MOST_LOOKED_AT]
    )
    found += (
        items.select_related("event")
        .order_by("-known_from")
        .annotate(sources_n=Count("sources"))[:MOST_LOOKED_AT]
    )
    return found


def _signals(row: Row, counts: dict[str, int], rejected: dict[UUID, int]) -> Iterable[Signal]:
    for code, n in (
        ("harmful_feedback", counts.get("harmful", 0)),
        ("useless_feedback", counts.get("useless", 0)),
        ("contradicted_later", counts.get("contradicted", 0)),
        ("served_never_used", 0 if counts.get("used") else counts.get("served", 0)),
        ("proposer_often_rejected", rejected.get(row.agent_id, 0) if row.agent_id else 0),
        ("evidence_gone", int(_is_evidence_gone(row))),
        ("single_source_important", int(_rests_on_one_source(row))),
    ):
        if n:
            yield Signal(code, WEIGHTS[code], n)


def _is_evidence_gone(row: Row) -> bool:
    if not row.quote:
        return False
    return row.event is None or locate_quote(row.quote, row.event.content) is None


def _rests_on_one_source(row: Row) -> bool:
    return row.importance >= IMPORTANT and row.confirmations == 0 and not getattr(row, "sources_n", 0)


def _suspect(row: Row, signals: Iterable[Signal], names: dict[UUID, str]) -> Suspect:
    given = tuple(sorted(signals, key=lambda signal: -signal.weight))
    is_version = isinstance(row, FieldVersion)
    return Suspect(
        kind="field_version" if is_version else "item",
        id=row.id,
        owner_id=row.owner_id,
        text=said_by(row),
        field=f"{row.field.form_type.name}.{row.field.name}" if isinstance(row, FieldVersion) else "",
        agent=names.get(row.agent_id, "") if row.agent_id else "",
        agent_id=row.agent_id,
        importance=row.importance,
        known_from=row.known_from,
        score=min(1.0, round(sum(signal.weight for signal in given), 3)),
        signals=given,
    )
