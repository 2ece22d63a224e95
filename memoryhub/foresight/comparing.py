"""What the last 30 days of writes would have been under other rules: how many more would wait, how many fewer be stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from memoryhub.database.scope import scope
from memoryhub.foresight.judging import Fate, Judgement, Rules, judge
from memoryhub.foresight.recorded import EXAMPLES, Example, Recorded, WriteGroup, load_writes
from memoryhub.models import FieldDefinition, Owner
from memoryhub.policies import Policy
from memoryhub.whitelisting.definitions import Values, differing, values_of
from memoryhub.writing.whitelist import FieldSpec, load_whitelist, spec_of

WINDOW = timedelta(days=30)
FEW = 20
"""Under so many writes the numbers say little, and the page says so."""
REPLAYED = frozenset(
    {"least_confidence", "least_importance", "evidence_from_importance", "gate_from_importance", "untrusted_up_to_tier",
     "item_importance_semantic", "item_importance_episodic", "patrol_share", "patrol_share_important"}
)  # fmt: skip
REPLAYED_OF_FIELD = frozenset(
    {"review_mode", "default_importance", "least_trust_tier", "writer_roles", "writer_agents", "active"}
)


@dataclass(kw_only=True, slots=True)
class Move:
    """Writes whose fate would be another one."""

    before: Fate
    after: Fate
    count: int = 0
    examples: list[Example] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Foresight:
    """Numbers of writes. `unlike_then` were judged otherwise at the time, because the rules were others.

    `unknown` were turned away before their numbers were noted; they may be let in or not. `not_replayed` are changed columns that
    a replay at the door cannot show. `samples` are the expected patrol samples before and after.
    """

    writes: int
    moves: Sequence[Move]
    more_waiting: int
    more_stored: int
    unlike_then: int
    unknown: int
    not_replayed: Sequence[str]
    samples: tuple[float, float]
    owners: dict[UUID, str]

    @property
    def is_little(self) -> bool:
        return self.writes < FEW


def foresee_policy(*, workspace_id: UUID, before: Policy, after: Policy, now: datetime) -> Foresight:
    """Replay the writes of the last 30 days under another policy. Four statements, three of them in a scope."""
    changed = [name for name in after.as_values() if getattr(before, name) != getattr(after, name)]
    whitelist = load_whitelist(workspace_id=workspace_id)
    return _foresee(
        workspace_id=workspace_id,
        since=now - WINDOW,
        rules=(Rules(policy=before, whitelist=whitelist), Rules(policy=after, whitelist=whitelist)),
        not_replayed=[name for name in changed if name not in REPLAYED],
        loosened=("low_confidence", "low_importance"),
    )


def foresee_field(*, field: FieldDefinition, after: Values, policy: Policy, now: datetime) -> Foresight:
    """Replay the writes to one field of the last 30 days under another definition of it.

    `field` is loaded with its form type. Three statements in one scope.
    """
    changed = differing(values_of(field), after)
    key = (field.form_type.name, field.name)
    before = spec_of(field)
    stands = {key: before} if field.active else {}
    becomes = {key: _becoming(before, after)} if after["active"] else {}
    writers = {"least_trust_tier", "writer_roles", "writer_agents", "active"}
    return _foresee(
        workspace_id=field.form_type.workspace_id,
        since=now - WINDOW,
        rules=(Rules(policy=policy, whitelist=stands), Rules(policy=policy, whitelist=becomes)),
        not_replayed=[column for column in changed if column not in REPLAYED_OF_FIELD],
        about=key,
        loosened=("writer_not_allowed",) if writers & set(changed) else (),
    )


def _becoming(before: FieldSpec, after: Values) -> FieldSpec:
    return replace(
        before,
        value_type=after["value_type"],
        review_mode=after["review_mode"],
        default_importance=after["default_importance"],
        least_trust_tier=after["least_trust_tier"],
        writer_roles=tuple(after["writer_roles"]),
        writer_agents=tuple(UUID(str(agent_id)) for agent_id in after["writer_agents"]),
    )


def _foresee(
    *,
    workspace_id: UUID,
    since: datetime,
    rules: tuple[Rules, Rules],
    not_replayed: Sequence[str],
    loosened: Sequence[str],
    about: tuple[str, str] = ("", ""),
) -> Foresight:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="desk", staff=True):
        recorded = load_writes(workspace_id=workspace_id, since=since, form_type=about[0], field=about[1])
        judged = [(write, judge(write, now=rules[0], then=rules[1])) for write in recorded.writes]
        moves = _moves(judged)
        ids = {example.owner_id for move in moves for example in move.examples}
        owners = dict(Owner.objects.filter(workspace_id=workspace_id, id__in=ids).values_list("id", "ref"))
    return Foresight(
        writes=sum(write.count for write in recorded.writes),
        moves=moves,
        more_waiting=_gained(moves, "waits"),
        more_stored=_gained(moves, "stored"),
        unlike_then=sum(write.count for write, (now, _then) in judged if now.fate != write.stood),
        unknown=_unknown(recorded, loosened),
        not_replayed=not_replayed,
        samples=(_samples(judged, 0, rules[0].policy), _samples(judged, 1, rules[1].policy)),
        owners=owners,
    )


type Judged = tuple[WriteGroup, tuple[Judgement, Judgement]]


def _moves(judged: Iterable[Judged]) -> list[Move]:
    """One row per pair of fates, the biggest first; at most EXAMPLES examples each."""
    moves: dict[tuple[Fate, Fate], Move] = {}
    for write, (now, then) in judged:
        before, after = now.fate, then.fate
        if before != after:
            move = moves.setdefault((before, after), Move(before=before, after=after))
            move.count += write.count
            move.examples = [*move.examples, *write.examples][:EXAMPLES]
    return sorted(moves.values(), key=lambda move: (-move.count, move.before, move.after))


def _gained(moves: Iterable[Move], fate: Fate) -> int:
    return sum(move.count * ((move.after == fate) - (move.before == fate)) for move in moves)


def _unknown(recorded: Recorded, codes: Sequence[str]) -> int:
    return sum(recorded.unknown.get(code, 0) for code in codes)


def _samples(judged: Iterable[Judged], side: int, policy: Policy) -> float:
    """How many patrol samples are to be expected of what goes live."""
    return sum(
        write.count * (policy.patrol_share_important if is_important else policy.patrol_share)
        for write, judgements in judged
        if judgements[side].fate == "stored" and not write.by_staff
        for is_important in [judgements[side].importance >= policy.gate_from_importance]
    )
