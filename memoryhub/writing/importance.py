"""How much an extracted candidate matters, as a sum of named parts so that a reviewer sees why."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from memoryhub.writing.candidates import Importance

type Trait = Literal[
    "stated preference",
    "change of decision",
    "core project parameter",
    "changes future behaviour",
    "temporary",
]

WEIGHTS: dict[Trait, float] = {
    "stated preference": 0.05,
    "change of decision": 0.1,
    "core project parameter": 0.05,
    "changes future behaviour": 0.05,
    "temporary": -0.2,
}
ITEM_DEFAULTS = {"semantic": 0.7, "episodic": 0.6, "procedural": 0.7, "knowledge": 0.7}


def importance_of(default: float, traits: Collection[Trait] = ()) -> Importance:
    """The field's (or the item kind's) default plus the weight of each trait, held within [0, 1].

    The parts are the default and every trait that applied, in the order of `WEIGHTS`; their sum is the value unless it was held.
    """
    parts = (("default", default), *((trait, weight) for trait, weight in WEIGHTS.items() if trait in traits))
    value = min(max(sum(part for _, part in parts), 0.0), 1.0)
    return Importance(value=round(value, 4), parts=parts)
