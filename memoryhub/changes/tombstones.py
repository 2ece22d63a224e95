"""What was rejected or rolled back does not come back by another path.

A tombstone is HMAC(owner key, scope | folded value): it names the value without holding it and means nothing once the owner's
key is destroyed. The fold leaves out what people vary without meaning anything else: width, case, digits and number words,
punctuation, spaces, traditional characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from memoryhub import owner_keys
from memoryhub.language.quantities import find_numbers, plain_digits
from memoryhub.language.simplified import simplified
from memoryhub.language.values import normalise_value
from memoryhub.models import Change, Tombstone
from memoryhub.writing.candidates import AnyCandidate, FormCandidate, RelationCandidate

LONGEST_SCOPE = 300
# What stays: letters and digits, a decimal point, a minus sign, and the signs that make C++ and C# other words than C.
_MEANINGLESS = re.compile(r"[^\w+#.\-]|_|\.(?!\d)|(?<!\d)\.|-(?!\d)|(?<=\w)-")


@dataclass(frozen=True, slots=True)
class ValueName:
    """A value and where it would stand: a form's field, a sentence, or an attribute of an entity."""

    scope: str
    value: str

    def digest(self, owner_id: UUID) -> bytes:
        """32 bytes under the owner's key. Raises KeyDestroyed for an erased owner."""
        named = f"{self.scope}\0{fold(self.value)}"
        return owner_keys.commitment(owner_id, named.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Burial:
    """One value to bury, and who had said it."""

    owner_id: UUID
    workspace_id: UUID
    name: ValueName
    reason_code: str
    change_id: UUID | None = None
    event_id: UUID | None = None
    agent_id: UUID | None = None


def fold(value: str) -> str:
    """The value without what can differ while it says the same. '１２，０００元！' and '1.2万元' fold to one."""
    text = simplified(unicodedata.normalize("NFKC", value).casefold())
    text = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
    pieces, at = [], 0
    for number in find_numbers(text):
        pieces += [text[at : number.start], f" {plain_digits(number.value)} "]
        at = number.end
    text = " ".join("".join([*pieces, text[at:]]).split())
    return _MEANINGLESS.sub("", text) or text


def names_of(candidate: AnyCandidate, *, value_norm: str = "") -> list[ValueName]:
    """What a candidate would be buried as. An item with an attribute has two names: its sentence and its value."""
    if isinstance(candidate, FormCandidate):
        return [field_value_name(candidate.form_type, candidate.subject, candidate.field, value_norm)]
    if isinstance(candidate, RelationCandidate):
        end = candidate.to_name or candidate.value
        return [relation_name(candidate.from_name, candidate.relation, end, candidate.resolution)]
    return item_names(
        candidate.content,
        candidate.subject_entity,
        candidate.attribute,
        normalise_value(candidate.value, "text"),
    )


def field_value_name(form_type: str, subject: str, field: str, value_norm: str) -> ValueName:
    return ValueName(f"{form_type}.{field}/{fold(subject)}", value_norm)


def item_names(content: str, subject: str = "", attribute: str = "", value_key: str = "") -> list[ValueName]:
    names = [ValueName("item", content)]
    if attribute:
        names.append(ValueName(f"item/{fold(subject)}/{fold(attribute)}", value_key))
    return names


def relation_name(start: str, relation: str, end: str, resolution: str = "") -> ValueName:
    return ValueName(f"relation/{relation}/{fold(start)}", f"{end} {resolution}".strip())


def change_names(change: Change) -> list[ValueName]:
    """What the value of a change is buried as; none for a step that brought no value, or took one away."""
    after: dict[str, Any] = change.after or {}
    if change.action in ("remove", "retract"):
        return []
    if change.target_kind == Change.Target.FIELD_VERSION:
        if "value" not in after:
            return []
        norm = after.get("norm", "") or normalise_value(after["value"], "text")
        return [field_value_name(change.form_type, change.form_subject, change.field_name, norm)]
    if "content" not in after:
        return []
    if change.target_kind == Change.Target.RELATION:
        return [_name_of_relation(change.candidate, after)]
    said = change.candidate or after
    return item_names(
        after["content"],
        said.get("subject_entity", ""),
        said.get("attribute", ""),
        normalise_value(said.get("value", said.get("value_key", "")), "text"),
    )


def _name_of_relation(candidate: dict[str, Any] | None, after: dict[str, Any]) -> ValueName:
    """Of a proposal its candidate says the parts, of what was applied at once the snapshot."""
    if candidate is not None:
        end = candidate["to_name"] or candidate["value"]
        return relation_name(candidate["from_name"], candidate["relation"], end, candidate["resolution"])
    end = after["to"]["name"] if after["to"] else after["value"]
    return relation_name(after["from"]["name"], after["relation"], end, after["resolution"])


def bury(burials: Iterable[Burial]) -> int:
    """Set the tombstones in one statement; one that stands already stays. Returns how many were asked for."""
    rows = [
        Tombstone(
            owner_id=burial.owner_id,
            workspace_id=burial.workspace_id,
            scope=burial.name.scope[:LONGEST_SCOPE],
            digest=burial.name.digest(burial.owner_id),
            reason_code=burial.reason_code,
            change_id=burial.change_id,
            event_id=burial.event_id,
            agent_id=burial.agent_id,
        )
        for burial in burials
    ]
    Tombstone.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def bury_change(change: Change, *, reason_code: str) -> int:
    """Bury the value a change brought or proposed."""
    return bury(burials_of(change, reason_code=reason_code))


def burials_of(change: Change, *, reason_code: str) -> list[Burial]:
    return [
        Burial(
            owner_id=change.owner_id,
            workspace_id=change.workspace_id,
            name=name,
            reason_code=reason_code,
            change_id=change.id,
            event_id=change.event_id,
            agent_id=change.agent_id,
        )
        for name in change_names(change)
    ]


def standing_tombstones(*, owner_id: UUID, names: Sequence[ValueName]) -> list[Tombstone]:
    """The tombstones that stand over any of these values."""
    digests = [name.digest(owner_id) for name in names]
    return list(Tombstone.objects.of(owner_id).filter(digest__in=digests, lifted_at=None))


def is_buried(*, owner_id: UUID, names: Sequence[ValueName]) -> bool:
    return bool(standing_tombstones(owner_id=owner_id, names=names))


def lift(
    *, owner_id: UUID, change_ids: Sequence[UUID], user_id: int | None, at: datetime | None = None
) -> int:
    """Undoing a decision or a rollback takes its tombstones away. Returns how many were lifted."""
    standing = Tombstone.objects.of(owner_id).filter(change_id__in=change_ids, lifted_at=None)
    return standing.update(lifted_at=at or Now(), lifted_by_id=user_id)


def lift_values(*, owner_id: UUID, names: Sequence[ValueName], user_id: int | None) -> int:
    """A person says that the value holds after all."""
    digests = [name.digest(owner_id) for name in names]
    standing = Tombstone.objects.of(owner_id).filter(digest__in=digests, lifted_at=None)
    return standing.update(lifted_at=Now(), lifted_by_id=user_id)
