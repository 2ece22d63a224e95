"""What other rules would have made of a write that is written down. Pure: no query, no clock.

The write is let through admission again, the very function that judges every write. A gate that the rules then in force do not
explain (a payment, a conflict, words that look like an instruction) stays whatever the new rules are; one that they do
explain is decided anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memoryhub.foresight.recorded import WriteGroup
from memoryhub.policies import Policy
from memoryhub.writing.admission import Admission, Circumstances, admit_field, admit_item
from memoryhub.writing.candidates import FormCandidate, Importance, ItemCandidate
from memoryhub.writing.whitelist import Whitelist

type Fate = Literal["stored", "waits", "session_only", "refused"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """A policy and a whitelist."""

    policy: Policy
    whitelist: Whitelist


@dataclass(frozen=True, slots=True)
class Judgement:
    """What becomes of a write, and how important it counts as."""

    fate: Fate
    importance: float


def judge(write: WriteGroup, *, now: Rules, then: Rules) -> tuple[Judgement, Judgement]:
    """By the rules that hold `now`, and by those of `then`."""
    before, after = _admit(write, now), _admit(_as_under(write, now, then), then)
    fixed = write.gates - set(before.gates)
    return Judgement(_fate(before, fixed), before.importance), Judgement(
        _fate(after, fixed), after.importance
    )


def _fate(admission: Admission, fixed: frozenset[str]) -> Fate:
    match admission.verdict:
        case "refuse":
            return "refused"
        case "session_only":
            return "session_only"
    return "waits" if fixed or admission.gates else "stored"


def _as_under(write: WriteGroup, now: Rules, then: Rules) -> WriteGroup:
    """The write with the importance it would have had, were the field's default the other one."""
    key = (write.form_type, write.field)
    stands, becomes = now.whitelist.get(key), then.whitelist.get(key)
    if stands is None or becomes is None or write.importance is None or not write.on_default:
        return write
    moved = write.importance + becomes.default_importance - stands.default_importance
    return replace(write, importance=round(min(max(moved, 0.0), 1.0), 4))


def _admit(write: WriteGroup, rules: Rules) -> Admission:
    claimed = None if write.importance is None else Importance(value=write.importance)
    circumstances = Circumstances(
        role=write.role,
        trust_tier=write.trust_tier,
        agent_id=write.agent_id,
        by_staff=write.by_staff,
        quote_found=None if write.without_evidence else True,
    )
    if write.item_kind is not None:
        sentence = ItemCandidate(
            item_kind=write.item_kind, content="", confidence=write.confidence, importance=claimed
        )
        return admit_item(sentence, circumstances=circumstances, policy=rules.policy)
    # Its value was looked at when it was written; a removal has none to look at again.
    value = FormCandidate(
        form_type=write.form_type,
        field=write.field,
        value=None,
        operation="remove",
        confidence=write.confidence,
        importance=claimed,
    )
    field = rules.whitelist.get((write.form_type, write.field))
    return admit_field(value, field=field, circumstances=circumstances, policy=rules.policy)
