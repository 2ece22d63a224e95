"""What other numbers would have made of a write that is written down. Pure: no query, no clock.

A gate that the numbers then in force do not explain (a payment, a conflict, words that look like an instruction) stays whatever
the new numbers are; one that they do explain is decided anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memoryhub.foresight.recorded import WriteGroup
from memoryhub.policies import Policy

type Fate = Literal["stored", "waits", "session_only", "refused"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldRules:
    """What of a field's definition decides at the door. `writer_agents` are ids as text."""

    review_mode: str
    default_importance: float
    least_trust_tier: int
    writer_roles: tuple[str, ...]
    writer_agents: tuple[str, ...]
    active: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """A policy, and the definition of the one field the writes are about (None: any field, as it is)."""

    policy: Policy
    field: FieldRules | None = None


def judge(write: WriteGroup, *, now: Rules, then: Rules) -> tuple[Fate, Fate]:
    """What becomes of the write by the rules that hold `now`, and what would by those of `then`."""
    fixed = write.gates - _explained(write, now)
    return _fate(write, now, fixed), _fate(_as_under(write, now, then), then, fixed)


def _fate(write: WriteGroup, rules: Rules, fixed: frozenset[str]) -> Fate:
    if rules.field is not None and not _may_write(write, rules.field):
        return "refused"
    if write.confidence < rules.policy.least_confidence:
        return "refused"
    if write.importance < rules.policy.least_importance:
        return "session_only"
    return "waits" if fixed | _explained(write, rules) else "stored"


def _as_under(write: WriteGroup, now: Rules, then: Rules) -> WriteGroup:
    """The write with the importance that nobody claimed for it, as the other rules give it."""
    if not write.importance_is_default:
        return write
    importance = write.importance
    if write.is_item:
        for name in ("item_importance_semantic", "item_importance_episodic"):
            if importance == getattr(now.policy, name):
                importance = getattr(then.policy, name)
                break
    elif now.field is not None and then.field is not None and importance == now.field.default_importance:
        importance = then.field.default_importance
    return replace(write, importance=importance)


def _explained(write: WriteGroup, rules: Rules) -> frozenset[str]:
    """The gates that these numbers put up, as admission does."""
    policy, gates = rules.policy, set()
    if write.by_staff:
        return frozenset()
    is_untrusted = write.trust_tier <= policy.untrusted_up_to_tier
    if is_untrusted and (write.is_item or write.importance >= policy.gate_from_importance):
        gates.add("low_trust")
    if write.without_evidence and write.importance >= policy.evidence_from_importance:
        gates.add("evidence_missing")
    if write.agent_id in policy.gated_agents:
        gates.add("agent_is_gated")
    if rules.field is not None and rules.field.review_mode == "gate":
        gates.add("field_is_gated")
    return frozenset(gates)


def _may_write(write: WriteGroup, field: FieldRules) -> bool:
    if not field.active:
        return False
    return write.by_staff or (
        write.trust_tier >= field.least_trust_tier
        and (not field.writer_roles or write.role in field.writer_roles)
        and (not field.writer_agents or write.agent_id in field.writer_agents)
    )
