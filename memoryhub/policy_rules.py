"""What a number of a policy may be: its bounds, its unit and the group it is shown in. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from memoryhub.exceptions import InvalidInput
from memoryhub.language.text import find_text_fault
from memoryhub.policies import Policy

DURABILITIES = ("async", "sync")
MOVED_BY_RULE = ("gated_agents",)
"""What no person types: the patrol rule moves agents, and a version of a person carries them on."""
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Bound:
    """Both ends belong to it. `whole`: only whole numbers."""

    group: str
    least: float
    most: float
    unit: str = ""
    whole: bool = False


def _share(group: str) -> Bound:
    return Bound(group, 0, 1, "share")


def _count(group: str, most: int, unit: str = "", least: int = 0) -> Bound:
    return Bound(group, least, most, unit, whole=True)


BOUNDS: dict[str, Bound] = {
    "least_confidence": _share("admission"),
    "least_importance": _share("admission"),
    "evidence_from_importance": _share("admission"),
    "gate_from_importance": _share("admission"),
    "untrusted_up_to_tier": _count("admission", 4, "tier"),
    "inferred_lifetime_days": _count("admission", 3_650, "days", least=1),
    "item_importance_semantic": _share("admission"),
    "item_importance_episodic": _share("admission"),
    "default_confidence": _share("admission"),
    "review_due_hours": _count("review", 24 * 90, "hours", least=1),
    "review_due_hours_top": _count("review", 24 * 90, "hours", least=1),
    "patrol_share": _share("review"),
    "patrol_share_important": _share("review"),
    "undo_seconds": _count("review", 3_600, "seconds"),
    "question_lifetime_days": _count("review", 365, "days", least=1),
    "unprocessed_events_per_owner": _count("recording", 10_000_000, "events", least=1),
    "open_jobs_per_workspace": _count("recording", 10_000_000, "jobs", least=1),
    "writes_per_hour_of_owner": _count("recording", 100_000_000, "writes"),
    "writes_per_hour_of_agent": _count("recording", 100_000_000, "writes"),
    "writes_per_hour_of_document": _count("recording", 100_000_000, "writes"),
    "weight_meaning": _share("ranking"),
    "weight_entity": _share("ranking"),
    "weight_recency": _share("ranking"),
    "weight_importance": _share("ranking"),
    "recency_base": _share("ranking"),
    "recency_period_days": Bound("ranking", 0.1, 3_650, "days"),
    "cover_weight": _share("ranking"),
    "heat_decay_per_day": _share("heat"),
    "decision_decay_per_day": _share("heat"),
    "least_recalled_heat": _share("heat"),
    "cold_below_heat": _share("heat"),
    "top_k": _count("assembling", 200),
    "budget_tokens": _count("assembling", 100_000, "tokens"),
    "most_budget_tokens": _count("assembling", 100_000, "tokens"),
    "rules_share_of_budget": _share("assembling"),
    "stale_document_days": _count("knowledge", 3_650, "days", least=1),
    "session_slot_minutes": _count("sessions", 60 * 24 * 30, "minutes", least=1),
    "session_idle_minutes": _count("sessions", 60 * 24 * 30, "minutes", least=1),
    "confidence_session": _share("layers"),
    "confidence_user": _share("layers"),
    "confidence_policy": _share("layers"),
}
# name, name: the first is never above the second
ORDERED = (
    ("budget_tokens", "most_budget_tokens"),
    ("cold_below_heat", "least_recalled_heat"),
    ("review_due_hours_top", "review_due_hours"),
)
READ_GROUPS = frozenset({"ranking", "heat", "assembling", "layers", "knowledge"})
KEPT_FROM_TRIALS = frozenset({"cold_below_heat"})
"""By this one rows are moved for good."""
WEIGHTS = ("weight_meaning", "weight_entity", "weight_recency", "weight_importance")


def bound_of(name: str) -> Bound:
    """The bound of a number; a wide one for a number that has none of its own yet."""
    if name in BOUNDS:
        return BOUNDS[name]
    whole = isinstance(getattr(Policy(), name), int)
    return Bound("other", 0, 1_000_000_000, whole=whole)


def editable_names() -> list[str]:
    """What a person may set, in the order of the dataclass."""
    return [field.name for field in fields(Policy) if field.name not in MOVED_BY_RULE]


def is_read_value(name: str) -> bool:
    """Whether the number counts when memory is read, and only then: what a trial on a share of the owners may change."""
    return name in BOUNDS and BOUNDS[name].group in READ_GROUPS and name not in KEPT_FROM_TRIALS


def check_text(text: str, name: str, longest: int) -> None:
    """Raises InvalidInput for a blank, too long or unstorable name or reason."""
    if fault := find_text_fault(text, field=name, max_length=longest):
        raise InvalidInput(fault.code, field=name, code=fault.code)
    if not text.strip():
        raise InvalidInput("is blank", field=name, code="blank")


def policy_from(values: Mapping[str, Any]) -> Policy:
    """A policy from stored values; what they leave out has its default, what is unknown is ignored."""
    known = {field.name for field in fields(Policy)}
    return Policy(**{name: value for name, value in values.items() if name in known})


def check_policy(values: Mapping[str, Any]) -> Policy:
    """The policy these values make. Raises InvalidInput naming the value and the rule it breaks."""
    default = asdict(Policy())
    if unknown := sorted(set(values) - set(default)):
        raise InvalidInput("no such value", field=unknown[0], code="unknown")
    for name in editable_names():
        if name in values:
            _check_value(name, values[name])
    policy = policy_from(values)
    for lower, upper in ORDERED:
        if getattr(policy, lower) > getattr(policy, upper):
            raise InvalidInput(f"not above {upper}", field=lower, code="above", details={"other": upper})
    total = sum(getattr(policy, name) for name in WEIGHTS)
    if abs(total - 1) > _CLOSE:
        # Scores lie in [0, 1] because the weights of their parts add up to one (DESIGN 6.3).
        raise InvalidInput(
            "weights add up to 1", field=WEIGHTS[0], code="weights", details={"sum": round(total, 6)}
        )
    return policy


def _check_value(name: str, value: Any) -> None:
    if name == "recall_durability":
        if value not in DURABILITIES:
            raise InvalidInput("async or sync", field=name, code="unknown")
        return
    bound = bound_of(name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or (bound.whole and value != int(value)):
        raise InvalidInput("a number", field=name, code="wrong_type")
    if not bound.least <= value <= bound.most:
        details = {"least": bound.least, "most": bound.most}
        raise InvalidInput(
            f"between {bound.least} and {bound.most}", field=name, code="out_of_range", details=details
        )
