"""The one door's half for relations: only here is a relation made or closed, whoever said yes.

Relations of one owner take turns under his OwnerSequence row, as his sentences do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models.functions import Now

from memoryhub.models import Entity, OwnerSequence, Relation, RelationKind
from memoryhub.models.entity import SAME_AS
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, Circumstances
from memoryhub.writing.applying import OUTCOMES, happened_at
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.arbitration import Claim, Settlement, Standing, is_outranked, settle_item
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.corroboration import weight_of_repeat
from memoryhub.writing.naming_entities import look_for_ends, with_ends, would_go_round
from memoryhub.writing.proposing import propose_relation
from memoryhub.writing.snapshots import confirmed_snapshot, described, relation_snapshot
from memoryhub.writing.vocabulary import Vocabulary, norm_of, value_of

Status = Relation.Status


def apply_relation(
    *,
    candidate: RelationCandidate,
    admission: Admission,
    circumstances: Circumstances,
    vocabulary: Vocabulary,
    act: Act,
) -> Verdict:
    """Settle one admitted relation and write the result. The verdict's target is the relation that was made or kept."""
    sequence = lock_items(act=act)
    kind = vocabulary.relations[candidate.relation]
    ends = look_for_ends(candidate, act=act)
    _open_due(act)
    standing, over = _standing(ends.start, ends.end, candidate, kind, act)
    claim = _claim(candidate, admission, circumstances, standing, kind, act)
    settlement = _settle(claim, standing, act.now)
    if settlement.action == "drop":
        return Verdict(outcome="refused", kind="relation", code=settlement.code, field=candidate.relation)
    if settlement.action == "reinforce":
        assert standing is not None
        return _reinforce(standing, candidate, admission, circumstances, act)
    if settlement.action == "propose" or admission.gates:
        return propose_relation(
            candidate=candidate, admission=admission, settlement=settlement, standing=standing, act=act
        )
    if claim.removes:
        assert standing is not None
        return _remove(standing, settlement, claim, candidate, admission, act)
    ends = with_ends(ends, candidate, vocabulary=vocabulary, act=act)
    assert ends.start is not None
    if kind.name == SAME_AS and ends.end is not None and would_go_round(ends.start, ends.end):
        return Verdict(outcome="refused", kind="relation", code="already_one", field=candidate.relation)
    if over is not None:
        _mark(over, status=Status.EXPIRED)
    writer = _Writer(candidate, admission, kind, ends.start, ends.end, sequence, act)
    return writer.write(settlement, claim, standing)


def _settle(claim: Claim, standing: Relation | None, now: datetime) -> Settlement:
    known = _as_standing(standing)
    if not claim.removes:
        return settle_item(claim, standing=known, now=now)
    if known is None:
        return Settlement(action="drop", code="nothing_to_remove")
    if claim.valid_from < known.valid_from:
        return Settlement(action="drop", code="removal_is_older_than_the_value")
    if is_outranked(claim, known):
        return Settlement(action="propose", code="lower_trust")
    return Settlement(action="remove" if claim.world_change else "retract")


def _as_standing(relation: Relation | None) -> Standing | None:
    if relation is None:
        return None
    return Standing(
        norm=_norm(relation),
        valid_from=relation.valid_from,
        confidence=relation.confidence,
        trust_tier=relation.trust_tier,
        is_guess=relation.basis == "inferred",
        by_staff=relation.basis == "staff",
    )


def _norm(relation: Relation) -> str:
    return norm_of(
        relation=relation.kind.name,
        value=relation.value,
        strength=relation.strength,
        impact=relation.impact,
        resolution=relation.resolution,
    )


def _claim(
    candidate: RelationCandidate,
    admission: Admission,
    circumstances: Circumstances,
    standing: Relation | None,
    kind: RelationKind,
    act: Act,
) -> Claim:
    """What came in. An attribute that is not named stays what it is while the kind stays the same."""
    same = standing if standing is not None and standing.kind_id == kind.id else None
    return Claim(
        norm=norm_of(
            relation=candidate.relation,
            value=value_of(candidate, kind),
            strength=candidate.strength if candidate.strength is not None or same is None else same.strength,
            impact=candidate.impact if candidate.impact is not None or same is None else same.impact,
            resolution=candidate.resolution or (same.resolution if same else ""),
        ),
        valid_from=candidate.valid_from or happened_at(act),
        confidence=admission.confidence,
        trust_tier=circumstances.trust_tier,
        explicit=candidate.explicit_correction,
        world_change=candidate.world_change,
        owner_speaks=circumstances.owner_speaks,
        by_staff=circumstances.by_staff,
        removes=candidate.operation == "remove",
        is_guess=candidate.basis == "inferred",
    )


def _standing(
    start: Entity | None, end: Entity | None, candidate: RelationCandidate, kind: RelationKind, act: Act
) -> tuple[Relation | None, Relation | None]:
    """What stands in the relation's place, or what stood there and is over by itself."""
    if start is None or (end is None and not kind.single):
        return None, None
    active = Relation.objects.of(act.owner.id).whole().filter(status=Status.ACTIVE, from_entity_id=start.id)
    found = active.filter(slot=kind.family, slot_key=_slot_key(kind, end)).first()
    if found is not None and found.valid_until is not None and found.valid_until <= act.now:
        return None, found
    return found, None


def _slot_key(kind: RelationKind, end: Entity | None) -> str:
    return "" if kind.single or end is None else str(end.id)


def _open_due(act: Act) -> None:
    """Scheduled relations whose day has come take the place of what stands; one of lower trust than that does not."""
    relations = Relation.objects.of(act.owner.id)
    due = relations.filter(status=Status.SCHEDULED, valid_from__lte=act.now, known_until=None)
    for relation in due.order_by("valid_from", "seq"):
        standing = relations.filter(
            status=Status.ACTIVE,
            from_entity_id=relation.from_entity_id,
            slot=relation.slot,
            slot_key=relation.slot_key,
        ).first()
        if standing is not None and (
            standing.trust_tier > relation.trust_tier
            or (standing.basis == "staff" and relation.basis != "staff")
        ):
            _end(relation, status=Status.HISTORICAL, valid_until=relation.valid_from)
            continue
        if standing is not None:
            replaced = standing.seq < relation.seq
            _end(
                standing,
                status=Status.SUPERSEDED if replaced else Status.HISTORICAL,
                valid_until=relation.valid_from,
                successor=relation.seq if replaced else None,
            )
        _mark(relation, status=Status.ACTIVE)


def _mark(relation: Relation, **columns: Any) -> None:
    Relation.objects.of(relation.owner_id).filter(id=relation.id).update(**columns)


def _end(
    relation: Relation, *, status: str, valid_until: datetime | None = None, successor: int | None = None
) -> None:
    """Close a relation: in world time when `valid_until` is given, else in known time (it was never true)."""
    if valid_until is None:
        _mark(relation, status=status, superseded_by_seq=successor, known_until=Now())
        return
    ends = max(min(valid_until, relation.valid_until or valid_until), relation.valid_from)
    _mark(relation, status=status, superseded_by_seq=successor, valid_until=ends, closed_at=Now())


def _remove(
    old: Relation,
    settlement: Settlement,
    claim: Claim,
    candidate: RelationCandidate,
    admission: Admission,
    act: Act,
) -> Verdict:
    """It holds no longer, from the day that was said; or it never did."""
    in_world = settlement.action == "remove"
    status = Status.RETRACTED
    if in_world:
        status = Status.ACTIVE if claim.valid_from > act.now else Status.EXPIRED
    _end(old, status=status, valid_until=claim.valid_from if in_world else None)
    ends = {"ends": max(claim.valid_from, old.valid_from).isoformat()}
    change = act.add_change(
        content=_norm(old),
        action=settlement.action,
        target_kind="relation",
        target_id=old.id,
        before_id=old.id,
        before={**relation_snapshot(old, ends=old.valid_until), **ends},
        after=None,
        state="applied",
        reason_code=settlement.code,
        **described(candidate, admission),
    )
    return Verdict(
        outcome=OUTCOMES[settlement.action],
        kind="relation",
        code=settlement.code,
        field=candidate.relation,
        target_id=old.id,
        change_id=change.id,
    )


def _reinforce(
    relation: Relation,
    candidate: RelationCandidate,
    admission: Admission,
    circumstances: Circumstances,
    act: Act,
) -> Verdict:
    """The same relation again: it confirms at most once a day."""
    weight = weight_of_repeat(
        standing=relation, happened_at=happened_at(act), circumstances=circumstances, act=act
    )
    counts = weight == "counted"
    if counts:
        _mark(relation, confirmations=relation.confirmations + 1, last_confirmed_at=happened_at(act))
    change = act.add_change(
        content=_norm(relation),
        action="reinforce",
        target_kind="relation",
        target_id=relation.id,
        before_id=relation.id,
        before=confirmed_snapshot(relation.confirmations, relation.last_confirmed_at),
        after=confirmed_snapshot(relation.confirmations + 1, happened_at(act)) if counts else None,
        state="applied",
        reason_code="" if counts else weight,
        **described(candidate, admission),
    )
    return Verdict(
        outcome="reinforced",
        kind="relation",
        field=candidate.relation,
        target_id=relation.id,
        change_id=change.id,
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Carries one settlement out on the rows."""

    candidate: RelationCandidate
    admission: Admission
    kind: RelationKind
    start: Entity
    end: Entity | None
    sequence: OwnerSequence
    act: Act

    def write(self, settlement: Settlement, claim: Claim, standing: Relation | None) -> Verdict:
        closes = standing is not None and settlement.action in ("supersede", "correct")
        number = self.sequence.last_item_seq + 1
        OwnerSequence.objects.of(self.act.owner.id).filter(id=self.sequence.id).update(last_item_seq=number)
        if standing is not None and closes:
            in_world = settlement.action == "supersede"
            _end(
                standing,
                status=Status.SUPERSEDED,
                valid_until=claim.valid_from if in_world else None,
                successor=number,
            )
        made = self._insert(settlement, claim, standing, number)
        change = self.act.add_change(
            content=(_norm(standing) if standing and closes else None, _norm(made)),
            action=settlement.action,
            target_kind="relation",
            target_id=made.id,
            before_id=standing.id if standing and closes else None,
            before=relation_snapshot(standing, ends=standing.valid_until) if standing and closes else None,
            after=relation_snapshot(made, ends=self._own_end(claim)),
            state="applied",
            reason_code=settlement.code,
            **described(self.candidate, self.admission),
        )
        return Verdict(
            outcome=OUTCOMES[settlement.action],
            kind="relation",
            code=settlement.code,
            field=self.candidate.relation,
            target_id=made.id,
            change_id=change.id,
            details={"seq": made.seq},
        )

    def _own_end(self, claim: Claim) -> datetime | None:
        if self.candidate.valid_until is not None or self.candidate.basis != "inferred":
            return self.candidate.valid_until
        return max(self.act.now, claim.valid_from) + timedelta(days=self.act.policy.inferred_lifetime_days)

    def _insert(
        self, settlement: Settlement, claim: Claim, standing: Relation | None, number: int
    ) -> Relation:
        candidate, act = self.candidate, self.act
        is_late = settlement.action == "record_late" and standing is not None
        until, same = (
            self._own_end(claim),
            standing if standing and standing.kind_id == self.kind.id else None,
        )
        if is_late and standing is not None:
            until = min(standing.valid_from, until or standing.valid_from)
        relation = Relation(
            **act.key(),
            seq=number,
            kind=self.kind,
            from_entity_id=self.start.id,
            to_entity_id=self.end.id if self.end else None,
            value=value_of(candidate, self.kind),
            slot=self.kind.family,
            slot_key=_slot_key(self.kind, self.end),
            strength=candidate.strength if candidate.strength is not None or not same else same.strength,
            impact=candidate.impact if candidate.impact is not None or not same else same.impact,
            resolution=candidate.resolution or (same.resolution if same else ""),
            status={"record_late": Status.HISTORICAL, "schedule": Status.SCHEDULED}.get(
                settlement.action, Status.ACTIVE
            ),
            valid_from=standing.valid_from
            if settlement.action == "correct" and standing
            else claim.valid_from,
            valid_until=until,
            closed_at=Now() if is_late else None,
            known_from=Now(),
            event_id=act.event_id,
            quote=candidate.quote,
            quote_start=candidate.quote_start,
            quote_end=None if candidate.quote_start is None else candidate.quote_start + len(candidate.quote),
            confidence=self.admission.confidence,
            importance=self.admission.importance,
            trust_tier=act.source.trust_tier,
            basis=candidate.basis,
            agent_id=act.source.agent_id,
            session_ref=act.session_ref,
        )
        relation.save(force_insert=True)
        relation.from_entity = self.start
        relation.to_entity = self.end
        return relation
