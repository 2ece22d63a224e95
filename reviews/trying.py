"""Both extractors over one text, side by side: what each step made of it, and what would become of it in an owner's memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from memoryhub.exceptions import (
    ExtractorNotConfigured,
    ModelUnavailable,
    OwnerErasing,
    OwnerFrozen,
    UnknownOwner,
)
from memoryhub.models import Owner, Workspace
from memoryhub.writing.candidates import Candidate
from memoryhub.writing.dry_run import DryRun, Judged, try_extraction
from memoryhub.writing.dry_settling import Settled, try_settling
from memoryhub.writing.source import Source

type Problem = Literal["", "not_configured", "unavailable"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One candidate through all steps. `settled` None: no owner was named, or his memory cannot be written."""

    judged: Judged
    settled: Settled | None = None

    @property
    def candidate(self) -> Candidate:
        return self.judged.candidate


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """What one extractor made of the text. `problem`: there is no run; `reason` is the provider's code then."""

    extractor: Literal["rules", "model"]
    run: DryRun | None = None
    lines: tuple[Line, ...] = ()
    owner_problem: str = ""
    problem: Problem = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """A text as it would be recorded, for whom (None: for nobody in particular), and how far its source is trusted."""

    workspace: Workspace
    text: str
    role: Any
    occurred_at: datetime
    trust_tier: int
    owner: Owner | None = None
    locale: str = ""
    earlier: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        return Source(workspace_id=self.workspace.id, trust_tier=self.trust_tier, transport="desk")


def try_both(trial: Trial) -> tuple[Column, Column]:
    """The rules' column and the model's. The model is asked over the network: never in a transaction."""
    return _column(trial, "rules"), _column(trial, "model")


def _column(trial: Trial, extractor: Literal["rules", "model"]) -> Column:
    place = trial.owner or trial.workspace
    try:
        run = try_extraction(
            text=trial.text,
            role=trial.role,
            occurred_at=trial.occurred_at,
            zone=trial.owner.zone if trial.owner else trial.workspace.time_zone,
            locale=trial.locale or (trial.owner.language if trial.owner else place.locale),
            earlier=trial.earlier,
            extractor=extractor,
            source=trial.source,
        )
    except ExtractorNotConfigured:
        return Column(extractor=extractor, problem="not_configured")
    except ModelUnavailable as error:
        return Column(extractor=extractor, problem="unavailable", reason=str(error.details.get("reason", "")))
    settled, owner_problem = _settled(trial, run)
    lines = tuple(
        Line(judged=judged, settled=answer) for judged, answer in zip(run.candidates, settled, strict=True)
    )
    return Column(extractor=extractor, run=run, lines=lines, owner_problem=owner_problem)


def _settled(trial: Trial, run: DryRun) -> tuple[list[Settled | None], str]:
    nothing: list[Settled | None] = [None] * len(run.candidates)
    if trial.owner is None:
        return nothing, ""
    try:
        answers = try_settling(
            [judged.candidate for judged in run.candidates],
            owner_id=trial.owner.id,
            text=trial.text,
            role=trial.role,
            occurred_at=trial.occurred_at,
            flags=run.screening.flags,
            source=trial.source,
        )
    except (OwnerFrozen, OwnerErasing, UnknownOwner) as error:
        return nothing, error.code
    return [*answers], ""
