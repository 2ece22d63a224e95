"""How a new value stands to what is there. Pure decisions, taken under the form's (or the owner's item) lock.

Names of actions are those of `Change.action`: create, reinforce, supersede, correct, remove, retract, record_late, schedule,
propose. World time decides order: what happened earlier never replaces what happened later (DESIGN 5.5 and 13).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memoryhub.language.values import differs_in_detail
from memoryhub.writing.whitelist import FieldSpec, within_tolerance

type Action = Literal[
    "create",
    "reinforce",
    "supersede",
    "correct",
    "remove",
    "retract",
    "record_late",
    "schedule",
    "propose",
    "drop",
]


HIGHEST_TIER = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """The value that holds now."""

    norm: str
    valid_from: datetime
    confidence: float
    trust_tier: int
    text: str = ""
    is_guess: bool = False
    by_staff: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """The value that came in. `world_change` False says the standing value was never true."""

    norm: str
    valid_from: datetime
    confidence: float
    trust_tier: int
    explicit: bool
    world_change: bool
    owner_speaks: bool
    by_staff: bool
    removes: bool = False
    text: str = ""
    is_guess: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    action: Action
    code: str = ""


def settle_field(
    claim: Claim, *, standing: Standing | None, last_end: datetime | None, field: FieldSpec, now: datetime
) -> Settlement:
    """Decide about one slot. `last_end` is when the slot's newest ended value ended (None: none has)."""
    if claim.removes:
        return _settle_removal(claim, standing, field)
    if standing is not None and standing.norm == claim.norm:
        return settle_same(claim, standing, now)
    if claim.valid_from > now:
        return _settle_later(claim, standing)
    if standing is None:
        is_late = last_end is not None and claim.valid_from < last_end
        return Settlement(action="record_late" if is_late else "create")
    if claim.valid_from < standing.valid_from:
        return Settlement(action="record_late")
    if is_outranked(claim, standing):
        return Settlement(action="propose", code="lower_trust")
    if _is_owners_word(claim):
        return Settlement(action="supersede" if claim.world_change else "correct")
    if field.key_attribute:
        return Settlement(action="propose", code="key_attribute_change")
    if within_tolerance(standing.norm, claim.norm, field=field):
        return Settlement(action="supersede", code="within_tolerance")
    return _by_policy(claim, standing, field)


def is_outranked(claim: Claim, standing: Standing) -> bool:
    """Whether the claim comes from a source of lower trust than the standing value.

    What a person at the desk wrote stands above every key; only the owner's own explicit word, through a key of the highest
    tier, is as good.
    """
    if claim.by_staff:
        return False
    if standing.by_staff and not (_is_owners_word(claim) and claim.trust_tier == HIGHEST_TIER):
        return True
    return claim.trust_tier < standing.trust_tier


def _settle_later(claim: Claim, standing: Standing | None) -> Settlement:
    """A value that begins some day would close the standing one on that day: not one of lower trust."""
    if standing is not None and is_outranked(claim, standing):
        return Settlement(action="propose", code="lower_trust")
    return Settlement(action="schedule")


def settle_same(claim: Claim, standing: Standing, now: datetime) -> Settlement:
    """The same value again. One that was guessed and is now stated takes the guess's place, for a guess runs out."""
    confirms = standing.is_guess and not claim.is_guess
    confirms = confirms and standing.valid_from <= claim.valid_from <= now
    if confirms and not is_outranked(claim, standing):
        return Settlement(action="supersede", code="confirmed")
    return Settlement(action="reinforce")


def _is_owners_word(claim: Claim) -> bool:
    return claim.by_staff or (claim.explicit and claim.owner_speaks)


def _settle_removal(claim: Claim, standing: Standing | None, field: FieldSpec) -> Settlement:
    if standing is None:
        return Settlement(action="drop", code="nothing_to_remove")
    if claim.norm and claim.norm != standing.norm:
        return Settlement(action="drop", code="another_value_stands")
    if claim.valid_from < standing.valid_from:
        return Settlement(action="drop", code="removal_is_older_than_the_value")
    if is_outranked(claim, standing):
        return Settlement(action="propose", code="lower_trust")
    if _is_owners_word(claim):
        return Settlement(action="remove" if claim.world_change else "retract")
    if field.key_attribute:
        return Settlement(action="propose", code="key_attribute_change")
    return (
        Settlement(action="remove")
        if field.conflict_policy == "replace"
        else Settlement(action="propose", code="removal")
    )


def _by_policy(claim: Claim, standing: Standing, field: FieldSpec) -> Settlement:
    match field.conflict_policy:
        case "confirm":
            return Settlement(action="propose", code="confirm_with_owner")
        case "review":
            return Settlement(action="propose", code="conflict")
        case _ if claim.confidence >= standing.confidence:
            return Settlement(action="supersede")
        case _:
            return Settlement(action="propose", code="less_confident")


def settle_item(claim: Claim, *, standing: Standing | None, now: datetime) -> Settlement:
    """Decide about a sentence whose subject and attribute are those of a standing one (or none is).

    The same value is a duplicate only when no number, date, code or negation differs in the sentences.
    """
    if claim.valid_from > now:
        return _settle_later(claim, standing)
    if standing is None:
        return Settlement(action="create")
    if standing.norm == claim.norm and not differs_in_detail(standing.text, claim.text):
        return settle_same(claim, standing, now)
    if claim.valid_from < standing.valid_from:
        return Settlement(action="record_late")
    if is_outranked(claim, standing):
        return Settlement(action="propose", code="lower_trust")
    if _is_owners_word(claim) and not claim.world_change:
        return Settlement(action="correct")
    if _is_owners_word(claim) or claim.confidence >= standing.confidence:
        return Settlement(action="supersede")
    return Settlement(action="propose", code="less_confident")
