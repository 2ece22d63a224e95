"""What a text would yield, step by step, with nothing stored: screening, reading, admission. `dry_settling` goes on with an owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryhub.language.text import locate_quote
from memoryhub.models import new_id
from memoryhub.policies import Policy, current_policy
from memoryhub.writing.admission import Admission, Circumstances, admit_field, admit_item
from memoryhub.writing.candidates import Candidate, Extraction, FormCandidate, Role, Screening, Turn
from memoryhub.writing.model_answers import Failed
from memoryhub.writing.reading import Extractor, ExtractorName, current_extractor
from memoryhub.writing.rules.described_plans import OF_STANDING_PLAN
from memoryhub.writing.screening import screen
from memoryhub.writing.source import Source
from memoryhub.writing.whitelist import Whitelist, load_whitelist


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A candidate and whether it would be let in."""

    candidate: Candidate
    admission: Admission


@dataclass(frozen=True, kw_only=True, slots=True)
class DryRun:
    """`failure` is the code of a model's answer that was no use; `candidates` then hold what was saved of it."""

    extractor: ExtractorName
    screening: Screening
    extraction: Extraction
    candidates: tuple[Judged, ...]
    failure: str = ""


def try_extraction(
    *,
    text: str,
    role: Role,
    occurred_at: datetime,
    zone: str,
    source: Source,
    locale: str = "en",
    earlier: tuple[str, ...] = (),
    extractor: ExtractorName | None = None,
) -> DryRun:
    """What the text would yield if `source` recorded it. `extractor` None is the installation's.

    Asks the model when it is the extractor, so never in a transaction. Raises ModelUnavailable, ExtractorNotConfigured.
    """
    fields = load_whitelist(workspace_id=source.workspace_id)
    policy = current_policy(workspace_id=source.workspace_id).policy
    reads = current_extractor(workspace_id=source.workspace_id, fields=fields, name=extractor)
    screening = screen(text, role=role)
    turn = Turn(
        event_id=new_id(),
        text=text,
        role=role,
        occurred_at=occurred_at,
        zone=zone,
        locale=locale,
        earlier=earlier,
    )
    read = _read(turn, screening, reads)
    extraction = read.salvaged if isinstance(read, Failed) else read
    return DryRun(
        extractor=reads.name,
        screening=screening,
        extraction=extraction,
        candidates=tuple(
            Judged(
                candidate=candidate,
                admission=_admit(
                    candidate, turn=turn, screening=screening, source=source, fields=fields, policy=policy
                ),
            )
            for candidate in extraction.candidates
        ),
        failure=read.code if isinstance(read, Failed) else "",
    )


def _read(turn: Turn, screening: Screening, extractor: Extractor) -> Extraction | Failed:
    if screening.worth_reading:
        return extractor.read_turns([turn])[0]
    return Extraction(action="commitment" if "commitment" in screening.codes else "")


def _admit(
    candidate: Candidate,
    *,
    turn: Turn,
    screening: Screening,
    source: Source,
    fields: Whitelist,
    policy: Policy,
) -> Admission:
    circumstances = Circumstances(
        role=turn.role,
        trust_tier=source.trust_tier,
        agent_id=source.agent_id,
        by_staff=False,
        quote_found=locate_quote(candidate.quote, turn.text) is not None if candidate.quote else None,
        flags=frozenset(screening.flags),
    )
    if isinstance(candidate, FormCandidate):
        if OF_STANDING_PLAN in candidate.flags:  # of an owner of whom nothing is known it continues nothing
            return Admission(verdict="refuse", code="which_option")
        field = fields.get((candidate.form_type, candidate.field))
        return admit_field(candidate, field=field, circumstances=circumstances, policy=policy)
    return admit_item(candidate, circumstances=circumstances, policy=policy)
