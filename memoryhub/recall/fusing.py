"""Evidence of three layers for one thing: the session beats the owner's memory, and that beats domains, teams and projects. Pure.

A layer whose asked attribute is empty is a miss, and the next one is asked: an order without a ship date is answered by the
policy. Safety values and rules are told whatever another layer says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from memoryhub.policies import Policy
from memoryhub.recall.answers import Excluded, Layer, Served
from memoryhub.recall.forms import FormRow

type LayerState = Literal["answered", "missed", "not_asked"]


_USER = 2
_NEARNESS = {"team": 1, "project": 1, "domain": 0}


@dataclass(frozen=True, kw_only=True, slots=True)
class Fused:
    """The form values that speak for the owner, and those that do not, with the rule."""

    forms: list[FormRow]
    excluded: tuple[Excluded, ...]


def is_empty(value: Any) -> bool:
    """Whether a value says nothing: null, blank text, no members."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def fuse(forms: Sequence[FormRow], *, owner_id: UUID, layers: Mapping[UUID, str] | None = None) -> Fused:
    """Without empty values, and without those for a field that a nearer layer has a value of: the owner himself comes before
    his teams and projects, and those before domains (`layers` of the linked owners). Two of one layer are both told."""
    near = {owner_id: _USER} | {linked: _NEARNESS[layer] for linked, layer in (layers or {}).items()}
    nearest: dict[tuple[str, str, str], int] = {}
    for row in forms:
        if row.holds and not is_empty(row.value):
            nearest[_place(row)] = max(nearest.get(_place(row), 0), near.get(row.owner_id, 0))
    kept, out = [], []
    for row in forms:
        rule = _rule(row, nearest.get(_place(row), 0), near.get(row.owner_id, 0))
        if not rule:
            kept.append(row)
        elif row.holds:
            out.append(Excluded(kind="form", target_id=row.id, rule=rule))
    return Fused(forms=kept, excluded=tuple(out))


def _place(row: FormRow) -> tuple[str, str, str]:
    return row.form_type, row.subject, row.field


def _rule(row: FormRow, nearest: int, own: int) -> str:
    if is_empty(row.value):
        return "empty"
    if own >= nearest or row.safety or row.is_rule or row.multi_valued:
        return ""
    return "user_beats_domain" if nearest == _USER else "team_beats_domain"


def confidence_of(*, owner_id: UUID, asked: UUID, basis: str, confidence: float, policy: Policy) -> float:
    """Of a value on record: that of its layer; of one that was only inferred no more than it was inferred with."""
    layer = policy.confidence_user if owner_id == asked else policy.confidence_policy
    return min(layer, confidence) if basis == "inferred" else layer


def layers_of(
    served: Sequence[Served],
    *,
    owner_id: UUID,
    answering: frozenset[UUID] | None,
    session_hit: bool | None,
    has_domain: bool,
    policy: Policy,
) -> tuple[Layer, ...]:
    """What each layer had to say, the first one to be believed first.

    Where a field was named, the owner's memory answers only with a value of it (`answering`); else with anything served.
    """
    own = [entry for entry in served if entry.owner_id == owner_id and entry.kind not in {"slot", "document"}]
    if answering is not None:
        own = [entry for entry in own if entry.target_id in answering]
    general = [entry for entry in served if entry.kind == "document" or entry.owner_id != owner_id]
    session: LayerState = "not_asked" if session_hit is None else "answered" if session_hit else "missed"
    domain: LayerState = "not_asked" if not has_domain else "answered" if general else "missed"
    return (
        Layer(name="session", state=session, confidence=policy.confidence_session),
        Layer(name="user", state="answered" if own else "missed", confidence=policy.confidence_user),
        Layer(name="domain", state=domain, confidence=policy.confidence_policy),
    )
