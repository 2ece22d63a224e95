"""THE ONE DOOR: only here is a field version made or closed, whoever said yes. `applying_items` is its half for sentences.

Order under the form's lock: open what is due, look at the slot, settle, close the old, insert the new; search entries, changes
and audit follow at the end of the act.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models.functions import Now

from memoryhub.models import FieldVersion, Form, MemoryItem, new_id
from memoryhub.search_index import NewEntry
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, Circumstances
from memoryhub.writing.arbitration import Claim, Settlement, settle_field
from memoryhub.writing.candidates import FormCandidate, Outcome, Verdict
from memoryhub.writing.corroboration import weight_of_repeat
from memoryhub.writing.proposing import propose_field
from memoryhub.writing.snapshots import confirmed_snapshot, described, version_snapshot
from memoryhub.writing.standing import Slot
from memoryhub.writing.whitelist import FieldSpec

Status = FieldVersion.Status

OUTCOMES: dict[str, Outcome] = {
    "create": "stored",
    "supersede": "superseded",
    "correct": "superseded",
    "record_late": "historical",
    "schedule": "scheduled",
    "reinforce": "reinforced",
    "remove": "superseded",
    "retract": "superseded",
}


def apply_field(
    *,
    candidate: FormCandidate,
    admission: Admission,
    field: FieldSpec,
    circumstances: Circumstances,
    act: Act,
) -> Verdict:
    """Settle one admitted form value and write the result. The verdict's target is the version that was made or kept."""
    form = lock_form(act=act, field=field, subject=candidate.subject)
    open_due_versions(act=act, form=form)
    value_key = admission.value_norm if field.multi_valued else ""
    slot = Slot.look(form=form, field=field, value_key=value_key, now=act.now)
    claim = _claim(candidate, admission, circumstances, act)
    settlement = settle_field(
        claim, standing=slot.as_standing(), last_end=slot.last_end, field=field, now=act.now
    )
    told = (
        slot.told_before(norm=claim.norm, moment=claim.valid_from)
        if settlement.action == "record_late"
        else None
    )
    if told is not None or settlement.action == "reinforce":
        return _reinforce(candidate, admission, circumstances, told or slot.standing, act)
    if settlement.action == "drop":
        return Verdict(outcome="refused", kind="form", code=settlement.code, field=field_name(candidate))
    if settlement.action == "propose" or admission.gates:
        return propose_field(
            candidate=candidate, admission=admission, settlement=settlement, standing=slot.standing, act=act
        )
    writer = _Writer(candidate=candidate, admission=admission, field=field, form=form, slot=slot, act=act)
    return writer.write(settlement, claim)


def lock_form(*, act: Act, field: FieldSpec, subject: str) -> Form:
    """The form of a subject, made when missing; its row stays locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_form (owner_id, id, workspace_id, form_type_id, subject, created_at)"
            " VALUES (%s, %s, %s, %s, %s, now()) ON CONFLICT (owner_id, form_type_id, subject) DO NOTHING",
            [act.owner.id, new_id(), act.owner.workspace_id, field.form_type_id, subject],
        )
    return (
        Form.objects.of(act.owner.id)
        .select_for_update(no_key=True)
        .get(form_type_id=field.form_type_id, subject=subject)
    )


def open_due_versions(*, act: Act, form: Form) -> None:
    """Make scheduled values of the form whose day has come the active ones. The form is locked by the caller."""
    due = FieldVersion.objects.of(form.owner_id).filter(
        form_id=form.id, status=Status.SCHEDULED, valid_from__lte=act.now, known_until=None
    )
    for version in due.order_by("valid_from", "version"):
        standing = FieldVersion.objects.of(form.owner_id).filter(
            form_id=form.id, field_id=version.field_id, value_key=version.value_key, status=Status.ACTIVE
        )
        if any(stands_above(old, version, act.now) for old in standing):
            # Its day has come, but what stands by now came from a source of higher trust.
            _end(version, status=Status.HISTORICAL, valid_until=version.valid_from)
            act.unindex(version.id)
            continue
        for old in standing:
            if old.valid_until is not None and old.valid_until <= version.valid_from:
                _expire(old)
            elif old.version < version.version:
                _end(old, status=Status.SUPERSEDED, valid_until=version.valid_from, successor=version.version)
            else:
                # The standing value arrived after the scheduled one was written: it ends, but nothing later replaced it.
                _end(old, status=Status.HISTORICAL, valid_until=version.valid_from)
            act.unindex(old.id)
        FieldVersion.objects.of(form.owner_id).filter(id=version.id).update(status=Status.ACTIVE)


def stands_above(old: FieldVersion | MemoryItem, due: FieldVersion | MemoryItem, now: datetime) -> bool:
    """Whether a value whose day has come may not close the standing one: it is of lower trust."""
    is_over = old.valid_until is not None and old.valid_until <= now
    outranks = old.trust_tier > due.trust_tier or (old.basis == "staff" and due.basis != "staff")
    return outranks and not is_over


def field_name(candidate: FormCandidate) -> str:
    return f"{candidate.form_type}.{candidate.field}"


def _claim(candidate: FormCandidate, admission: Admission, circumstances: Circumstances, act: Act) -> Claim:
    return Claim(
        norm=admission.value_norm,
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


def happened_at(act: Act) -> datetime:
    """When what is written happened: the event's time, but never later than now (a clock ahead is not a plan)."""
    return min(act.event.occurred_at, act.now) if act.event else act.now


def _end(
    version: FieldVersion,
    *,
    status: str,
    valid_until: datetime | None = None,
    successor: int | None = None,
) -> None:
    """Close a version: in world time when `valid_until` is given, else in known time (it was never true)."""
    if valid_until is not None:
        ends = min(valid_until, version.valid_until or valid_until)
        clocks: dict[str, Any] = {"valid_until": max(ends, version.valid_from), "closed_at": Now()}
    else:
        clocks = {"known_until": Now()}
    FieldVersion.objects.of(version.owner_id).filter(id=version.id).update(
        status=status, superseded_by_version=successor, **clocks
    )


def _expire(version: FieldVersion) -> None:
    """Its time was over, as it said itself; only the mark was missing."""
    FieldVersion.objects.of(version.owner_id).filter(id=version.id).update(status=Status.EXPIRED)


def _reinforce(
    candidate: FormCandidate,
    admission: Admission,
    circumstances: Circumstances,
    version: FieldVersion | None,
    act: Act,
) -> Verdict:
    """The same value again: it confirms at most once a day, and moves the last confirmation."""
    assert version is not None
    weight = weight_of_repeat(
        standing=version, happened_at=happened_at(act), circumstances=circumstances, act=act
    )
    counts = weight == "counted"
    if counts:
        FieldVersion.objects.of(version.owner_id).filter(id=version.id).update(
            confirmations=version.confirmations + 1, last_confirmed_at=happened_at(act)
        )
    change = act.add_change(
        content=version.value_norm,
        action="reinforce",
        target_kind="field_version",
        target_id=version.id,
        before_id=version.id,
        before=confirmed_snapshot(version.confirmations, version.last_confirmed_at),
        after=confirmed_snapshot(version.confirmations + 1, happened_at(act)) if counts else None,
        state="applied",
        reason_code="" if counts else weight,
        **described(candidate, admission),
    )
    return Verdict(
        outcome="reinforced",
        kind="form",
        field=field_name(candidate),
        target_id=version.id,
        change_id=change.id,
    )


def _before(old: FieldVersion, claim: Claim) -> dict[str, Any]:
    """What was closed; of a removal also when the value ended."""
    ends = {"ends": max(claim.valid_from, old.valid_from).isoformat()} if claim.removes else {}
    return {**version_snapshot(old, ends=old.valid_until), **ends}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Writer:
    """Carries one settlement out on the rows."""

    candidate: FormCandidate
    admission: Admission
    field: FieldSpec
    form: Form
    slot: Slot
    act: Act

    def write(self, settlement: Settlement, claim: Claim) -> Verdict:
        old = self.slot.standing
        closes = settlement.action in ("supersede", "correct", "remove", "retract")
        if old is not None and closes:
            self._close(old, settlement, claim)
        if self.slot.ran_out is not None and not claim.removes:
            _expire(self.slot.ran_out)
            self.act.unindex(self.slot.ran_out.id)
        version = None if claim.removes else self._insert(settlement, claim)
        change = self.act.add_change(
            content=(old.value_norm if old and closes else None, self.admission.value_norm),
            action=settlement.action,
            target_kind="field_version",
            target_id=version.id if version else old.id if old else None,
            before_id=old.id if old and closes else None,
            before=_before(old, claim) if old and closes else None,
            after=version_snapshot(version, ends=self._valid_until(claim)) if version else None,
            state="applied",
            reason_code=settlement.code,
            **described(self.candidate, self.admission),
        )
        return Verdict(
            outcome=OUTCOMES[settlement.action],
            kind="form",
            code=settlement.code,
            field=field_name(self.candidate),
            target_id=change.target_id,
            change_id=change.id,
            details={"version": version.version} if version else {},
        )

    def _close(self, old: FieldVersion, settlement: Settlement, claim: Claim) -> None:
        if settlement.action == "remove" and claim.valid_from > self.act.now:
            # It will end; until that day it holds.
            _end(old, status=Status.ACTIVE, valid_until=claim.valid_from)
            return
        successor = None if claim.removes else self.slot.newest + 1
        status = {"remove": Status.EXPIRED, "retract": Status.RETRACTED}.get(
            settlement.action, Status.SUPERSEDED
        )
        ends_in_world = settlement.action in ("supersede", "remove")
        _end(old, status=status, valid_until=claim.valid_from if ends_in_world else None, successor=successor)
        self.act.unindex(old.id)

    def _insert(self, settlement: Settlement, claim: Claim) -> FieldVersion:
        old = self.slot.standing
        valid_from, valid_until, closed = claim.valid_from, self._valid_until(claim), False
        status = Status.ACTIVE
        if settlement.action == "correct" and old is not None:
            valid_from = old.valid_from  # the old value was never true: the right one holds since then
        elif settlement.action == "schedule":
            status = Status.SCHEDULED
        elif settlement.action == "record_late":
            status, closed = Status.HISTORICAL, True
            ends = [end for end in (self.slot.next_begin(valid_from), valid_until) if end is not None]
            valid_until = min(ends, default=None)
        version = FieldVersion(
            **self.act.key(),
            form_id=self.form.id,
            field_id=self.field.id,
            version=self.slot.newest + 1,
            value=self.candidate.value,
            value_key=self.admission.value_norm if self.field.multi_valued else "",
            value_norm=self.admission.value_norm,
            status=status,
            valid_from=valid_from,
            valid_until=valid_until,
            closed_at=Now() if closed else None,
            known_from=Now(),
            event_id=self.act.event_id,
            quote=self.candidate.quote,
            quote_start=self.candidate.quote_start,
            quote_end=None
            if self.candidate.quote_start is None
            else self.candidate.quote_start + len(self.candidate.quote),
            confidence=self.admission.confidence,
            importance=self.admission.importance,
            trust_tier=self.act.source.trust_tier,
            basis=self.candidate.basis,
            agent_id=self.act.source.agent_id,
            strength_anchor=self.admission.importance,
            decay_rate=0.0 if self.field.key_attribute else self.field.decay_rate,
        )
        version.save(force_insert=True)
        if status in (Status.ACTIVE, Status.SCHEDULED):
            self.act.index(self._entry(version))
        return version

    def _valid_until(self, claim: Claim) -> datetime | None:
        """Until when the value holds by itself: as said, as the field's lifetime says, or a week for a guess."""
        if self.candidate.valid_until is not None:
            return self.candidate.valid_until
        if self.candidate.basis == "inferred":
            return max(self.act.now, claim.valid_from) + timedelta(
                days=self.act.policy.inferred_lifetime_days
            )
        if self.field.lifetime_days is not None:
            return claim.valid_from + timedelta(days=self.field.lifetime_days)
        return None

    def _entry(self, version: FieldVersion) -> NewEntry:
        return version_entry(
            version,
            label=f"{self.field.label_en} {self.field.label_zh}",
            subject=self.candidate.subject,
            session_ref=self.act.session_ref,
        )


def version_entry(version: FieldVersion, *, label: str, subject: str, session_ref: str) -> NewEntry:
    """What of a field version is searched: the field's names, the subject, the value and the words it was said in."""
    about = f" {subject}" if subject else ""
    said = f". {version.quote}" if version.quote else ""
    return NewEntry(
        kind="field_version",
        target_id=version.id,
        text=f"{label}{about}: {version.value}{said}",
        occurred_at=version.valid_from,
        entities=(subject,) if subject else (),
        session_ref=session_ref,
    )
