"""May this be remembered at all? A pure decision: no query, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from memoryhub.models import RelationKind
from memoryhub.policies import Policy
from memoryhub.writing.candidates import AnyCandidate, FormCandidate, ItemCandidate, RelationCandidate
from memoryhub.writing.whitelist import FieldSpec, check_value

type AdmissionVerdict = Literal["admit", "session_only", "review", "refuse"]

RULE_FIRED = "instruction_like:"
GATED_FLAGS = frozenset(
    {
        "instruction_like",
        "payment",
        "standing_prohibition",
        "quote_not_in_event",
        "lookalike_name",
        "merges_entities",
        "promotion",
    }
)
"""Flags with which a candidate goes no further than review."""


OPEN_WEB = 1
"""The tier of web pages, documents and e-mail."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """What is known about where a candidate came from. `quote_found` is None when there was no event to look in."""

    role: str
    trust_tier: int
    agent_id: UUID | None
    by_staff: bool
    quote_found: bool | None
    flags: frozenset[str] = frozenset()

    @property
    def owner_speaks(self) -> bool:
        """The owner says it himself, through a key we trust, and the words are there."""
        return self.role == "user" and self.trust_tier >= 3 and self.quote_found is True


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """`code` says why it was refused or kept in the session; `gates` why it waits for a person."""

    verdict: AdmissionVerdict
    code: str = ""
    gates: tuple[str, ...] = ()
    importance: float = 0.0
    confidence: float = 0.0
    value_norm: str = ""


def admit_field(
    candidate: FormCandidate, *, field: FieldSpec | None, circumstances: Circumstances, policy: Policy
) -> Admission:
    """Judge a form value: whitelist, writer, value, confidence, importance, evidence, gates; in this order."""
    if field is None:
        return Admission(verdict="refuse", code="field_not_allowed")
    importance = _importance(candidate, field.default_importance, circumstances, policy)
    confidence = _confidence(candidate, circumstances, policy)
    if not _may_write(field, circumstances):
        return Admission(verdict="refuse", code="writer_not_allowed")
    norm = ""
    if candidate.operation == "set" or candidate.value is not None:
        checked = check_value(candidate.value, field=field)
        if checked.fault:
            return Admission(verdict="refuse", code=checked.fault)
        norm = checked.norm
    if short := _too_little(confidence, importance, policy):
        return short
    weighs = max(_claimed(candidate, field.default_importance), field.default_importance)
    gates = _field_gates(field, weighs, circumstances, candidate.flags, policy)
    return Admission(
        verdict="review" if gates else "admit",
        gates=gates,
        importance=importance,
        confidence=confidence,
        value_norm=norm,
    )


def admit_item(candidate: ItemCandidate, *, circumstances: Circumstances, policy: Policy) -> Admission:
    """Judge a sentence: confidence, importance, evidence, gates."""
    default = (
        policy.item_importance_episodic
        if candidate.item_kind == "episodic"
        else policy.item_importance_semantic
    )
    importance = _importance(candidate, default, circumstances, policy)
    confidence = _confidence(candidate, circumstances, policy)
    if short := _too_little(confidence, importance, policy):
        return short
    gates = _common_gates(_claimed(candidate, default), circumstances, candidate.flags, policy)
    if not circumstances.by_staff and circumstances.trust_tier <= policy.untrusted_up_to_tier:
        # A sentence is free text that an agent will read: from a source we do not trust none is served unseen.
        gates += ("low_trust",)
    if candidate.item_kind == "procedural" and not circumstances.by_staff:
        gates += ("procedure",)
    gates = tuple(dict.fromkeys(gates))
    return Admission(
        verdict="review" if gates else "admit", gates=gates, importance=importance, confidence=confidence
    )


def admit_relation(
    candidate: RelationCandidate, *, kind: RelationKind, circumstances: Circumstances, policy: Policy
) -> Admission:
    """Judge a relation that the vocabulary has: confidence, importance, evidence, gates."""
    importance = _importance(candidate, kind.default_importance, circumstances, policy)
    confidence = _confidence(candidate, circumstances, policy)
    if short := _too_little(confidence, importance, policy):
        return short
    gates = _common_gates(
        _claimed(candidate, kind.default_importance), circumstances, candidate.flags, policy
    )
    if not circumstances.by_staff and circumstances.trust_tier <= policy.untrusted_up_to_tier:
        # Names are free text that an agent will read.
        gates += ("low_trust",)
    gates = tuple(dict.fromkeys(gates))
    return Admission(
        verdict="review" if gates else "admit", gates=gates, importance=importance, confidence=confidence
    )


def _claimed(candidate: AnyCandidate, default: float) -> float:
    return candidate.importance.value if candidate.importance else default


def _importance(
    candidate: AnyCandidate, default: float, circumstances: Circumstances, policy: Policy
) -> float:
    """What is claimed, but for a source we do not trust: its importance is the default whatever it says."""
    return default if _is_untrusted(circumstances, policy) else _claimed(candidate, default)


def _confidence(candidate: AnyCandidate, circumstances: Circumstances, policy: Policy) -> float:
    """What is claimed; a source we do not trust may be less sure than the default, not more."""
    claimed = policy.default_confidence if candidate.confidence is None else candidate.confidence
    if _is_untrusted(circumstances, policy):
        return min(claimed, policy.default_confidence)
    return claimed


def _is_untrusted(circumstances: Circumstances, policy: Policy) -> bool:
    return not circumstances.by_staff and circumstances.trust_tier <= policy.untrusted_up_to_tier


def _too_little(confidence: float, importance: float, policy: Policy) -> Admission | None:
    if confidence < policy.least_confidence:
        return Admission(
            verdict="refuse", code="low_confidence", importance=importance, confidence=confidence
        )
    if importance < policy.least_importance:
        return Admission(
            verdict="session_only", code="low_importance", importance=importance, confidence=confidence
        )
    return None


def _may_write(field: FieldSpec, circumstances: Circumstances) -> bool:
    if circumstances.by_staff:
        return True
    return (
        circumstances.trust_tier >= field.least_trust_tier
        and (not field.writer_roles or circumstances.role in field.writer_roles)
        and (not field.writer_agents or circumstances.agent_id in field.writer_agents)
    )


def _field_gates(
    field: FieldSpec, importance: float, circumstances: Circumstances, flags: tuple[str, ...], policy: Policy
) -> tuple[str, ...]:
    gates = list(_common_gates(importance, circumstances, flags, policy))
    if field.review_mode == "gate" and not circumstances.by_staff:
        gates.append("field_is_gated")
    if not circumstances.by_staff and circumstances.trust_tier <= OPEN_WEB and field.value_type == "text":
        # Words of the open web are free text like any sentence: an agent would read them.
        gates.append("low_trust")
    return tuple(dict.fromkeys(gates))


def _common_gates(
    importance: float, circumstances: Circumstances, flags: tuple[str, ...], policy: Policy
) -> tuple[str, ...]:
    """Why a person has to look, whatever it is about; none of it applies to what a member of staff writes."""
    if circumstances.by_staff:
        return ()
    gates = sorted((set(flags) | circumstances.flags) & GATED_FLAGS)
    # The rules that fired stand beside the gate, so that the reviewer sees what was seen.
    gates += sorted(flag for flag in circumstances.flags if flag.startswith(RULE_FIRED))
    if circumstances.quote_found is False:
        gates.append("quote_not_in_event")
    if importance >= policy.gate_from_importance and circumstances.trust_tier <= policy.untrusted_up_to_tier:
        gates.append("low_trust")
    if circumstances.quote_found is None and importance >= policy.evidence_from_importance:
        gates.append("evidence_missing")
    if str(circumstances.agent_id) in policy.gated_agents:
        gates.append("agent_is_gated")
    return tuple(gates)
