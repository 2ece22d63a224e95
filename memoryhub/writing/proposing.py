"""A step that waits for a person: written down whole, never served."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from memoryhub.models import Change, FieldVersion, MemoryItem, Relation
from memoryhub.models.entity import OWNER_NAMED
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission
from memoryhub.writing.arbitration import Settlement
from memoryhub.writing.candidates import (
    AnyCandidate,
    FormCandidate,
    Importance,
    ItemCandidate,
    RelationCandidate,
    Verdict,
)
from memoryhub.writing.snapshots import described


def propose_field(
    *,
    candidate: FormCandidate,
    admission: Admission,
    settlement: Settlement,
    standing: FieldVersion | None,
    act: Act,
) -> Verdict:
    """Propose a form value. The same proposal made again points at the open one instead of queueing twice."""
    what = f"{candidate.form_type}.{candidate.field}"
    same = Change.objects.of(act.owner.id).filter(
        state=Change.State.PROPOSED,
        form_type=candidate.form_type,
        form_subject=candidate.subject,
        field_name=candidate.field,
        action=_action(settlement, candidate),
        after__norm=admission.value_norm,
    )
    open_change = same.first()
    if open_change is not None:
        return Verdict(
            outcome="in_review", kind="form", code="already_proposed", field=what, change_id=open_change.id
        )
    code = settlement.code or (admission.gates[0] if admission.gates else "")
    change = act.add_change(
        content=admission.value_norm,
        action=_action(settlement, candidate),
        target_kind="field_version",
        before_id=standing.id if standing else None,
        before={"value": standing.value, "version": standing.version} if standing else None,
        after={"value": candidate.value, "norm": admission.value_norm},
        candidate=as_json(candidate),
        state=Change.State.PROPOSED,
        reason_code=code,
        **described(candidate, admission, gates=_gates(admission, settlement)),
    )
    return Verdict(outcome="in_review", kind="form", code=code, field=what, change_id=change.id)


def propose_item(
    *,
    candidate: ItemCandidate,
    admission: Admission,
    settlement: Settlement,
    standing: MemoryItem | None,
    act: Act,
) -> Verdict:
    """Propose a sentence; the same sentence waiting already is not queued twice."""
    same = Change.objects.of(act.owner.id).filter(
        state=Change.State.PROPOSED, target_kind="item", after__content=candidate.content
    )
    open_change = same.first()
    if open_change is not None:
        return Verdict(outcome="in_review", kind="item", code="already_proposed", change_id=open_change.id)
    code = settlement.code or (admission.gates[0] if admission.gates else "")
    change = act.add_change(
        content=candidate.content,
        action=_action(settlement, candidate),
        target_kind="item",
        before_id=standing.id if standing else None,
        before={"content": standing.content, "seq": standing.seq} if standing else None,
        after={"content": candidate.content},
        candidate=as_json(candidate),
        state=Change.State.PROPOSED,
        reason_code=code,
        **described(candidate, admission, gates=_gates(admission, settlement)),
    )
    return Verdict(outcome="in_review", kind="item", code=code, change_id=change.id)


def propose_relation(
    *,
    candidate: RelationCandidate,
    admission: Admission,
    settlement: Settlement,
    standing: Relation | None,
    act: Act,
) -> Verdict:
    """Propose a relation; the same one waiting already is not queued twice."""
    content = relation_text(candidate)
    action = "remove" if candidate.operation == "remove" else _action(settlement, candidate)
    same = Change.objects.of(act.owner.id).filter(
        state=Change.State.PROPOSED, target_kind="relation", action=action, after__content=content
    )
    what = candidate.relation
    open_change = same.first()
    if open_change is not None:
        return Verdict(
            outcome="in_review",
            kind="relation",
            code="already_proposed",
            field=what,
            change_id=open_change.id,
        )
    code = settlement.code or (admission.gates[0] if admission.gates else "")
    change = act.add_change(
        content=content,
        action=action,
        target_kind="relation",
        before_id=standing.id if standing else None,
        before={"content": standing.content, "seq": standing.seq} if standing else None,
        after={"content": content},
        candidate=as_json(candidate),
        state=Change.State.PROPOSED,
        reason_code=code,
        **described(candidate, admission, gates=_gates(admission, settlement)),
    )
    return Verdict(outcome="in_review", kind="relation", code=code, field=what, change_id=change.id)


def relation_text(candidate: RelationCandidate) -> str:
    """'latte contains milk', with its attributes, for a person to decide on."""
    start = candidate.from_name or OWNER_NAMED["en"]
    end = candidate.to_name or candidate.value
    given = (candidate.strength, candidate.impact, candidate.resolution or None)
    notes = [str(note) for note in given if note is not None]
    told = f"{start} {candidate.relation.replace('_', ' ')} {end}".strip()
    return f"{told} ({', '.join(notes)})" if notes else told


def propose_again(change: Change, *, act: Act) -> Change:
    """The same proposal once more, for a fresh decision: the approval of the first was taken back."""
    return act.add_change(
        content=(change.after or {}).get("norm") or (change.after or {}).get("content"),
        action=change.action,
        target_kind=change.target_kind,
        before_id=change.before_id,
        before=change.before,
        after=change.after,
        candidate=change.candidate,
        state=Change.State.PROPOSED,
        reason_code=change.reason_code,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        quote=change.quote,
        gates=change.gates,
        importance=change.importance,
        importance_parts=change.importance_parts,
        confidence=change.confidence,
        basis=change.basis,
        trust_tier=change.trust_tier,
        agent_id=change.agent_id,
        responsible_user_id=change.responsible_user_id,
    )


def as_json(candidate: AnyCandidate) -> dict[str, Any]:
    """The whole candidate as JSON, so that it can be applied as it was when a person says yes."""
    values = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(candidate).items()
    }
    return {"kind": candidate.kind, **values}


def from_json(values: dict[str, Any]) -> AnyCandidate:
    """The candidate that `as_json` wrote down."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    kind = given.pop("kind")
    if given.get("importance"):
        importance = given["importance"]
        parts = tuple((str(name), float(weight)) for name, weight in importance["parts"])
        given["importance"] = Importance(value=importance["value"], parts=parts)
    for name in ("valid_from", "valid_until"):
        if given.get(name):
            given[name] = datetime.fromisoformat(given[name])
    if kind == "relation":
        return RelationCandidate(**given)
    return FormCandidate(**given) if kind == "form" else ItemCandidate(**given)


def _action(settlement: Settlement, candidate: AnyCandidate) -> str:
    if settlement.action != "propose":
        return settlement.action
    return (
        "remove" if isinstance(candidate, FormCandidate) and candidate.operation == "remove" else "supersede"
    )


def _gates(admission: Admission, settlement: Settlement) -> list[str]:
    return list(dict.fromkeys([*admission.gates, *([settlement.code] if settlement.code else [])]))
