"""How a slot moves: a pure decision over the versions a name has had in a context.

active ──another value──▶ deprecated (user_correction | system_correction)
active ──an earlier value again──▶ deprecated (restored)
active ──its time is over──▶ deprecated (timeout)
active ──the session ends──▶ deprecated (ended)

Nothing leads out of `deprecated`: a value that comes back is a new version that names the one it restores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memoryhub.exceptions import WrongMove

type SaidBy = Literal["user", "system"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One version of a slot. `value_key` is equal for values that mean the same."""

    number: int
    value_key: str
    is_active: bool
    expires_at: datetime

    def stands(self, now: datetime) -> bool:
        """Active and not over: a late clean-up never lets an expired value stand."""
        return self.is_active and self.expires_at > now


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """`keep`: the standing value was said again. `reason` is the one the active version is deprecated with, if there is one."""

    kind: Literal["keep", "set", "restore", "remove", "nothing"]
    reason: str = ""
    number: int = 0
    restored: int | None = None


def set_value(history: Sequence[Version], value_key: str, *, said_by: SaidBy, now: datetime) -> Move:
    """The move that makes a value the current one; an earlier one of the slot that comes back is restored."""
    active = _active(history)
    if active is not None and active.stands(now) and active.value_key == value_key:
        return Move(kind="keep", number=active.number)
    number = max((version.number for version in history), default=0) + 1
    earlier = [
        version.number for version in history if version.value_key == value_key and version is not active
    ]
    reason = _reason(active, "restored" if earlier else f"{said_by}_correction", now)
    if earlier:
        return Move(kind="restore", reason=reason, number=number, restored=max(earlier))
    return Move(kind="set", reason=reason, number=number)


def bring_back(history: Sequence[Version], *, number: int | None = None, now: datetime) -> Move:
    """The move back to version `number`, or to the value before the standing one.

    Raises WrongMove when there is no such earlier value.
    """
    active = _active(history)
    earlier = [
        version
        for version in history
        if version is not active and version.value_key and (active is None or version.number < active.number)
    ]
    if active is not None:
        earlier = [version for version in earlier if version.value_key != active.value_key]
    chosen = max(
        (version for version in earlier if number is None or version.number == number),
        key=lambda version: version.number,
        default=None,
    )
    if chosen is None:
        raise WrongMove("there is no earlier value to go back to", field="version" if number else "name")
    return Move(
        kind="restore",
        reason=_reason(active, "restored", now),
        number=max(version.number for version in history) + 1,
        restored=chosen.number,
    )


def remove_value(history: Sequence[Version], *, said_by: SaidBy, now: datetime) -> Move:
    """The move that leaves the slot empty."""
    active = _active(history)
    if active is None:
        return Move(kind="nothing")
    return Move(kind="remove", reason=_reason(active, f"{said_by}_correction", now), number=active.number)


def _active(history: Sequence[Version]) -> Version | None:
    return next((version for version in history if version.is_active), None)


def _reason(active: Version | None, wanted: str, now: datetime) -> str:
    if active is None:
        return ""
    return wanted if active.stands(now) else "timeout"
