"""What has to be known about an owner before anything can be asked of him: one statement, in a scope of his own."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson

from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnerErasing, UnknownOwner
from memoryhub.policies import Policy
from memoryhub.recall.pointed import (
    NOTHING_POINTED,
    POINTED_TROUBLES,
    POINTED_VALUES,
    SESSION_TURNS,
    Pointed,
    Pointing,
    pointed_of,
)
from memoryhub.recall.slots import STANDING_SLOTS, SlotRow, slots_of
from memoryhub.trial_shares import is_in_trial

_LOOK = f"""
SELECT o.state, o.kind, o.search_no, coalesce(NULLIF(o.locale, ''), w.locale), coalesce(NULLIF(o.time_zone, ''), w.time_zone),
  p.id, p.values::text, t.version_id, t.values::text, t.share, clock_timestamp(),
  (SELECT jsonb_agg(jsonb_build_array(l.linked_owner_id, l.kinds, l.form_types, t.search_no, t.kind,
     coalesce(NULLIF(t.display_name, ''), t.ref)) ORDER BY l.created_at)
   FROM memoryhub_ownerlink l JOIN memoryhub_owner t ON t.id = l.linked_owner_id AND t.state = 'active'
   WHERE l.owner_id = o.id AND l.ended_at IS NULL AND l.direction IN ('reads', 'both')
     AND t.kind IN ('team', 'project', 'domain') AND t.workspace_id = o.workspace_id)::text,
  (SELECT jsonb_agg(jsonb_build_array(d.id, f.name, d.name, d.label_en, d.label_zh, d.aliases, d.safety, d.multi_valued)
     ORDER BY f.name, d.name)
   FROM memoryhub_fielddefinition d JOIN memoryhub_formtype f ON f.id = d.form_type_id
   WHERE f.workspace_id = o.workspace_id AND d.active)::text,
  ({STANDING_SLOTS})::text, ({SESSION_TURNS})::text, ({POINTED_VALUES})::text,
  ({POINTED_TROUBLES})::text
FROM memoryhub_owner o JOIN memoryhub_workspace w ON w.id = o.workspace_id
LEFT JOIN memoryhub_policyversion p ON p.workspace_id = w.id AND p.is_current
LEFT JOIN (SELECT r.workspace_id, r.version_id, r.share, v.values
  FROM memoryhub_policytrial r JOIN memoryhub_policyversion v ON v.id = r.version_id WHERE r.state = 'running'
) t ON t.workspace_id = w.id
WHERE o.id = %(owner)s AND o.workspace_id = %(workspace)s
"""


@dataclass(frozen=True, slots=True)
class Field:
    """One whitelisted field, as far as a question may name it."""

    id: UUID
    form_type: str
    name: str
    label_en: str
    label_zh: str
    aliases: tuple[str, ...]
    safety: bool
    multi_valued: bool

    def label(self, language: str) -> str:
        return self.label_zh if language == "zh" else self.label_en


@dataclass(frozen=True, slots=True)
class Link:
    """Another owner whose memory may be read along; empty `kinds` and `form_types` mean all of them.

    `layer` is his kind, `name` how people call him.
    """

    owner_id: UUID
    kinds: frozenset[str]
    form_types: frozenset[str]
    search_no: int
    layer: str
    name: str

    def lets_through(self, kind: str, *, form_type: str = "") -> bool:
        """Whether memory of this kind (rule, form, episodic …) is read along; of a form type, when there is one."""
        if self.kinds and kind not in self.kinds:
            return False
        return not form_type or not self.form_types or form_type in self.form_types


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """The owner, his links, the workspace's fields and policy, and what stands in the session that was named.

    `language` is 'zh' or 'en', `zone` an IANA name.
    """

    owner_id: UUID
    workspace_id: UUID
    kind: str
    is_frozen: bool
    search_no: int
    language: str
    zone: str
    policy: Policy
    policy_version_id: UUID | None
    now: datetime
    links: tuple[Link, ...]
    fields: tuple[Field, ...]
    slots: tuple[SlotRow, ...] = ()
    pointed: Pointed = field(default_factory=Pointed)

    @property
    def zone_info(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    @property
    def owner_ids(self) -> list[UUID]:
        return [self.owner_id, *(link.owner_id for link in self.links)]

    def link_to(self, owner_id: UUID) -> Link | None:
        """The link over which this owner is read; None for the owner himself."""
        return next((link for link in self.links if link.owner_id == owner_id), None)


def look_up(
    *, workspace_id: UUID, owner_id: UUID, session_ref: str = "", pointing: Pointing = NOTHING_POINTED
) -> Known:
    """Raises UnknownOwner, or OwnerErasing when his memory is being erased."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="recall"), prepared_cursor() as cursor:
        asked: dict[str, Any] = {"owner": owner_id, "workspace": workspace_id, "session": session_ref}
        cursor.execute(_LOOK, {**asked, **pointing.parameters})
        row = cursor.fetchone()
    if row is None:
        raise UnknownOwner(owner_id)
    state, kind, search_no, locale, zone, *others = row
    versions, (now, links, whitelist, slots, *pointed) = others[:5], others[5:]
    if state == "erasing":
        raise OwnerErasing(owner_id)
    policy_id, values = _version_for(owner_id, *versions)
    return Known(
        owner_id=owner_id,
        workspace_id=workspace_id,
        kind=kind,
        is_frozen=state == "frozen",
        search_no=search_no,
        language="zh" if locale.lower().startswith("zh") else "en",
        zone=_known_zone(zone),
        policy=_policy(values or "{}"),
        policy_version_id=policy_id,
        now=now,
        links=_links(links or "[]"),
        fields=_fields(whitelist or "[]"),
        slots=slots_of(slots),
        pointed=pointed_of(*pointed),
    )


def _version_for(
    owner_id: UUID,
    current_id: UUID | None,
    current: str | None,
    tried_id: UUID | None,
    tried: str | None,
    share: int | None,
) -> tuple[UUID | None, str | None]:
    """The version that answers the owner: the one in trial for its share of the owners, else the one in force."""
    if tried_id and share and is_in_trial(owner_id=owner_id, version_id=tried_id, share=share):
        return tried_id, tried
    return current_id, current


@lru_cache(maxsize=1_000)
def _known_zone(name: str) -> str:
    """The zone, or UTC for one that this machine's database of zones does not know (any more)."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
    return name


@lru_cache(maxsize=256)
def _policy(values: str) -> Policy:
    known = {field.name for field in fields(Policy)}
    return Policy(**{name: value for name, value in orjson.loads(values).items() if name in known})


@lru_cache(maxsize=256)
def _fields(whitelist: str) -> tuple[Field, ...]:
    rows: list[list[Any]] = orjson.loads(whitelist)
    return tuple(
        Field(UUID(id_), form_type, name, label_en, label_zh, tuple(aliases), safety, multi_valued)
        for id_, form_type, name, label_en, label_zh, aliases, safety, multi_valued in rows
    )


def _links(rows: str) -> tuple[Link, ...]:
    return tuple(
        Link(UUID(owner), frozenset(kinds), frozenset(types), search_no, layer, name)
        for owner, kinds, types, search_no, layer, name in orjson.loads(rows)
    )
