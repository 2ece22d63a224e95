"""Propose a member's own memory to a team, project or domain. Nothing is written there before a person has said yes.

The only way up: whatever it is worth, and whoever asks, the door of the shared owner is not opened here, only a proposal made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryhub import idempotency
from memoryhub.changes.promoted import GATE
from memoryhub.changes.regressions import guard_regressed
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import FieldVersion, MemoryItem, OwnerLink, Promotion
from memoryhub.recall.knowing import Link
from memoryhub.writing.admission import Admission, Circumstances, admit_field, admit_item
from memoryhub.writing.applying import lock_form
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.arbitration import Settlement
from memoryhub.writing.candidates import FormCandidate, Importance, ItemCandidate, Verdict
from memoryhub.writing.proposing import propose_field, propose_item
from memoryhub.writing.screening import screened_text
from memoryhub.writing.settling import Settling
from memoryhub.writing.source import Source
from memoryhub.writing.structured import close_act, open_act
from memoryhub.writing.verdicts import as_json, refused

PROPOSED = Settlement(action="propose", code=GATE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Promoted:
    """Which memory of whom is proposed to whom. `kind` is 'field_version' or 'item'."""

    owner_id: UUID
    kind: str
    memory_id: UUID
    shared_owner_id: UUID


@run_again_when_busy
def propose_to_shared(*, promoted: Promoted, source: Source) -> Verdict:
    """Make the proposal; the verdict names its change, also when the same one waits already.

    Raises InvalidInput (`not_linked`) when no link of the owner proposes memory of this kind there, NotFound for a memory that
    does not stand or is not the owner's, QuotaExceeded, and the errors of either owner.
    """
    owners = [promoted.owner_id, promoted.shared_owner_id]
    with scope(workspace_id=source.workspace_id, owners=owners, purpose="promote", write=True):
        idempotency.take_claim()
        row = _standing(promoted)
        _check_link(promoted, row)
        verdict = _propose(promoted, row, source)
        idempotency.keep_answer(as_json([verdict])[0])
    return verdict


def _standing(promoted: Promoted) -> FieldVersion | MemoryItem:
    found: FieldVersion | MemoryItem | None
    if promoted.kind == Promotion.Source.FIELD_VERSION:
        versions = FieldVersion.objects.of(promoted.owner_id).select_related("form__form_type", "field")
        found = versions.filter(id=promoted.memory_id, status=FieldVersion.Status.ACTIVE).first()
    else:
        items = MemoryItem.objects.of(promoted.owner_id)
        found = items.filter(id=promoted.memory_id, status=MemoryItem.Status.ACTIVE).first()
    if found is None:
        raise NotFound("no such memory of this owner stands")
    return found


def _check_link(promoted: Promoted, row: FieldVersion | MemoryItem) -> None:
    links = OwnerLink.objects.of(promoted.owner_id).filter(
        linked_owner_id=promoted.shared_owner_id, ended_at=None, direction__in=["proposes", "both"]
    )
    link = links.first()
    if link is None or not lets_through(link, row):
        raise InvalidInput(
            "no link of the owner proposes this to that owner", field="shared_owner", code="not_linked"
        )


def lets_through(link: OwnerLink, row: FieldVersion | MemoryItem) -> bool:
    """Whether what the link names covers this memory. A version comes with its form's type and its field."""
    through = Link(
        link.linked_owner_id, frozenset(link.kinds), frozenset(link.form_types), 0, link.linked_kind, ""
    )
    if isinstance(row, MemoryItem):
        return through.lets_through(row.kind)
    form_type = row.form.form_type.name
    kind = "rule" if form_type == "business_rule" or row.field.safety else "form"
    return through.lets_through(kind, form_type=form_type)


def _propose(promoted: Promoted, row: FieldVersion | MemoryItem, source: Source) -> Verdict:
    candidate = _candidate(row)
    content = (
        candidate.content if isinstance(candidate, ItemCandidate) else (candidate.subject, candidate.value)
    )
    settling = open_act(
        promoted.shared_owner_id,
        source,
        name="promote",
        evidence_event_id=None,
        text=screened_text(content),
    )
    if isinstance(candidate, FormCandidate):
        verdict = _field(candidate, settling, row)
    else:
        verdict = _item(candidate, settling, row)
    close_act(settling)
    if verdict.change_id is not None and verdict.code != "already_proposed":
        Promotion.objects.create(
            owner_id=promoted.shared_owner_id,
            workspace_id=source.workspace_id,
            change_id=verdict.change_id,
            source_owner_id=promoted.owner_id,
            source_kind=promoted.kind,
            source_id=promoted.memory_id,
        )
    return verdict


def _candidate(row: FieldVersion | MemoryItem) -> FormCandidate | ItemCandidate:
    """What is proposed: the value or the sentence, without the words it was learned from."""
    importance = Importance(value=row.importance, parts=(("promoted", row.importance),))
    if isinstance(row, MemoryItem):
        kind: Any = row.kind
        return ItemCandidate(
            item_kind=kind,
            content=row.content,
            entities=tuple(row.entities),
            subject_entity=row.subject_entity,
            attribute=row.attribute,
            value=row.value_key,
            confidence=row.confidence,
            importance=importance,
            basis="imported",
            flags=(GATE,),
            procedure=row.procedure,
        )
    return FormCandidate(
        form_type=row.form.form_type.name,
        field=row.field.name,
        subject=row.form.subject,
        value=row.value,
        confidence=row.confidence,
        importance=importance,
        basis="imported",
        flags=(GATE,),
    )


def _field(candidate: FormCandidate, settling: Settling, row: FieldVersion | MemoryItem) -> Verdict:
    act = settling.act
    field = settling.whitelist.get((candidate.form_type, candidate.field))
    circumstances = _circumstances(settling, row)
    admission = admit_field(candidate, field=field, circumstances=circumstances, policy=act.policy)
    admission = guard_regressed(candidate, admission, circumstances=circumstances, act=act)
    if field is None or admission.verdict in ("refuse", "session_only"):
        return _refused(admission, settling, "form", f"{candidate.form_type}.{candidate.field}")
    form = lock_form(act=act, field=field, subject=candidate.subject)
    slot = FieldVersion.objects.of(act.owner.id).filter(
        form_id=form.id, field_id=field.id, status=FieldVersion.Status.ACTIVE
    )
    standing = slot.filter(value_key=admission.value_norm if field.multi_valued else "").first()
    if standing is not None and standing.value_norm == admission.value_norm:
        return Verdict(outcome="refused", kind="form", code="already_shared", target_id=standing.id)
    return propose_field(
        candidate=candidate, admission=admission, settlement=PROPOSED, standing=standing, act=act
    )


def _item(candidate: ItemCandidate, settling: Settling, row: FieldVersion | MemoryItem) -> Verdict:
    act = settling.act
    circumstances = _circumstances(settling, row)
    admission = admit_item(candidate, circumstances=circumstances, policy=act.policy)
    admission = guard_regressed(candidate, admission, circumstances=circumstances, act=act)
    if admission.verdict in ("refuse", "session_only"):
        return _refused(admission, settling, "item", candidate.item_kind)
    lock_items(act=act)
    same = MemoryItem.objects.of(act.owner.id).filter(status="active", content=candidate.content).first()
    if same is not None:
        return Verdict(outcome="refused", kind="item", code="already_shared", target_id=same.id)
    return propose_item(candidate=candidate, admission=admission, settlement=PROPOSED, standing=None, act=act)


def _circumstances(settling: Settling, row: FieldVersion | MemoryItem) -> Circumstances:
    """It is trusted no further than who proposes it, and no further than where it came from."""
    return Circumstances(
        role="",
        trust_tier=min(settling.act.source.trust_tier, row.trust_tier),
        agent_id=settling.act.source.agent_id,
        by_staff=False,
        quote_found=None,
        flags=settling.flags,
    )


def _refused(admission: Admission, settling: Settling, kind: str, what: str) -> Verdict:
    settling.act.refuse(code=admission.code, what=what)
    return refused(admission.code, kind="form" if kind == "form" else "item", field=what)
