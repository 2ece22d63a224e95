"""Steps 4 to 6 for one candidate: admit, arbitrate, apply or propose; every way out has a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memoryhub.changes.regressions import guard_regressed
from memoryhub.language.masking import locate_masked, mask_secrets
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import GATED_FLAGS, Admission, Circumstances, admit_field, admit_item
from memoryhub.writing.aligning import aligned_field, aligned_item
from memoryhub.writing.applying import apply_field, field_name, happened_at
from memoryhub.writing.applying_items import apply_item
from memoryhub.writing.candidates import AnyCandidate, Candidate, FormCandidate, ItemCandidate, Verdict
from memoryhub.writing.masking import mask_candidate
from memoryhub.writing.pointing import NothingMeant, what_follows, with_what_is_meant
from memoryhub.writing.verdicts import refused
from memoryhub.writing.whitelist import Whitelist


@dataclass(frozen=True, kw_only=True, slots=True)
class Settling:
    """What settling needs besides the candidate. `flags` are the screening's."""

    act: Act
    whitelist: Whitelist
    flags: frozenset[str] = frozenset()
    metadata: dict[str, Any] | None = None
    waits: bool = False
    """A sentence waits for another person's yes whoever wrote it (gate `desk_edit`)."""


def settle(candidate: Candidate, *, settling: Settling) -> Verdict:
    """Settle one candidate inside the caller's transaction, and what follows from it; the verdict is the candidate's."""
    try:
        meant = with_what_is_meant(candidate, whitelist=settling.whitelist, act=settling.act)
    except NothingMeant as nothing:
        admission = Admission(verdict="refuse", code=nothing.code)
        what = field_name(candidate) if isinstance(candidate, FormCandidate) else candidate.item_kind
        return not_stored(admission, settling, kind=candidate.kind, what=what)
    verdict = _settle_one(meant, settling)
    for further in what_follows(meant, verdict, whitelist=settling.whitelist, act=settling.act):
        _settle_one(further, settling)
    return verdict


def _settle_one(candidate: Candidate, settling: Settling) -> Verdict:
    candidate, found = with_located_quote(candidate, settling.act)
    candidate = mask_candidate(candidate)
    circumstances = circumstances_of(candidate, found, settling)
    begins = candidate.valid_from or happened_at(settling.act)
    if candidate.valid_until is not None and candidate.valid_until < begins:
        admission = Admission(verdict="refuse", code="ends_before_it_begins")
        what = field_name(candidate) if isinstance(candidate, FormCandidate) else candidate.item_kind
        return not_stored(admission, settling, kind=candidate.kind, what=what)
    if isinstance(candidate, FormCandidate):
        return _settle_field(candidate, circumstances, settling)
    return _settle_item(candidate, circumstances, settling)


def _settle_field(candidate: FormCandidate, circumstances: Circumstances, settling: Settling) -> Verdict:
    candidate = aligned_field(candidate, act=settling.act)
    field = settling.whitelist.get((candidate.form_type, candidate.field))
    admission = admit_field(candidate, field=field, circumstances=circumstances, policy=settling.act.policy)
    admission = guard_regressed(candidate, admission, circumstances=circumstances, act=settling.act)
    if field is None or admission.verdict in ("refuse", "session_only"):
        noted = _noted(candidate, admission, circumstances)
        return not_stored(admission, settling, kind="form", what=field_name(candidate), noted=noted)
    return apply_field(
        candidate=candidate,
        admission=admission,
        field=field,
        circumstances=circumstances,
        act=settling.act,
    )


def _settle_item(candidate: ItemCandidate, circumstances: Circumstances, settling: Settling) -> Verdict:
    candidate = aligned_item(candidate, act=settling.act)
    admission = admit_item(candidate, circumstances=circumstances, policy=settling.act.policy)
    admission = guard_regressed(candidate, admission, circumstances=circumstances, act=settling.act)
    if settling.waits and admission.verdict == "admit":
        admission = replace(admission, verdict="review", gates=("desk_edit",))
    if admission.verdict in ("refuse", "session_only"):
        noted = _noted(candidate, admission, circumstances)
        return not_stored(admission, settling, kind="item", what=candidate.item_kind, noted=noted)
    return apply_item(
        candidate=candidate,
        admission=admission,
        circumstances=circumstances,
        act=settling.act,
        metadata=settling.metadata,
    )


def not_stored(
    admission: Admission, settling: Settling, *, kind: Any, what: str, noted: dict[str, Any] | None = None
) -> Verdict:
    """The verdict of what is not kept, with a trace of it."""
    settling.act.refuse(code=admission.code, what=what, **(noted or {}))
    if admission.verdict == "session_only":
        return Verdict(
            outcome="session_only", kind=kind, code=admission.code, field=what if kind != "item" else ""
        )
    return refused(admission.code, kind=kind, field=what if kind != "item" else "")


def _noted(candidate: Candidate, admission: Admission, circumstances: Circumstances) -> dict[str, Any]:
    """What another policy would have to know about a candidate that was too unsure or too unimportant (`foresight`)."""
    if admission.code not in ("low_confidence", "low_importance"):
        return {}
    claimed = candidate.importance
    gates = set(candidate.flags) | circumstances.flags
    gates |= {"quote_not_in_event"} if circumstances.quote_found is False else set()
    is_procedure = isinstance(candidate, ItemCandidate) and candidate.item_kind == "procedural"
    gates |= {"procedure"} if is_procedure else set()
    return {
        "importance": claimed.value if claimed else None,
        "on_default": bool(claimed and claimed.parts and claimed.parts[0][0] == "default"),
        "confidence": candidate.confidence,
        "tier": circumstances.trust_tier,
        "agent": str(circumstances.agent_id or ""),
        "staff": circumstances.by_staff,
        "role": circumstances.role,
        "quote": circumstances.quote_found,
        "gates": sorted(gates & (GATED_FLAGS | {"procedure"})),
    }


def with_located_quote[C: AnyCandidate](candidate: C, act: Act) -> tuple[C, bool | None]:
    """The candidate with its quote's place in the event; None when there is no event or no quote to look for."""
    if act.event is None or not candidate.quote:
        # A structured value needs no words: its event is the evidence.
        is_observed = act.event is not None and candidate.basis == "observed"
        return candidate, True if is_observed else None
    span = locate_masked(candidate.quote, act.event.content)
    if span is None:
        return candidate, False
    said, _ = mask_secrets(act.event.content)
    start = candidate.quote_start if candidate.quote_start is not None else span[0]
    if said[start : start + len(candidate.quote)] != candidate.quote:
        return replace(candidate, quote=said[span[0] : span[1]], quote_start=span[0]), True
    return replace(candidate, quote_start=start), True


def circumstances_of(candidate: AnyCandidate, found: bool | None, settling: Settling) -> Circumstances:
    """Where a candidate came from; `found` is whether its quote stands in its event (None: nothing to look in)."""
    source = settling.act.source
    return Circumstances(
        role=settling.act.event.role if settling.act.event else "",
        trust_tier=source.trust_tier,
        agent_id=source.agent_id,
        by_staff=candidate.basis == "staff" and source.user_id is not None,
        quote_found=found,
        flags=settling.flags,
    )
