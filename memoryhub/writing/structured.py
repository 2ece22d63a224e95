"""Structured writes by agents and staff: they walk the same steps as what is read in events, in one transaction."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryhub import idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.jobs.ledger import enqueue
from memoryhub.language.masking import masked
from memoryhub.language.text import find_text_fault
from memoryhub.models import Event, FieldVersion, MemoryItem, Owner
from memoryhub.policies import current_policy
from memoryhub.procedures import Procedure, checked
from memoryhub.writing.acts import Act
from memoryhub.writing.aligning import known_subject
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Basis, FormCandidate, Importance, ItemCandidate, Verdict
from memoryhub.writing.claims import ignored_claims
from memoryhub.writing.corroboration import document_of
from memoryhub.writing.quotas import take_or_refuse
from memoryhub.writing.screening import screen, screened_text
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.source import Source
from memoryhub.writing.verdicts import as_json
from memoryhub.writing.whitelist import load_whitelist

MOST_CONTENT = 2_000
MOST_ENTITIES = 32


@run_again_when_busy
def write_field(
    *,
    owner_id: UUID,
    form_type: str,
    field: str,
    value: Any,
    source: Source,
    subject: str = "",
    operation: str = "set",
    evidence_event_id: UUID | None = None,
    quote: str = "",
    confidence: float | None = None,
    importance: float | None = None,
    basis: Basis = "stated",
    explicit_correction: bool = False,
    world_change: bool = True,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
    expected_version: int | None = None,
) -> Verdict:
    """Write one form value. The verdict says what became of it; nothing is raised for a value that is not admitted.

    `expected_version` guards against a lost update: VersionMoved when the slot's standing version is another one (0: none may
    stand). Raises InvalidInput for unusable text, NotFound for an unknown evidence event, QuotaExceeded, and the owner errors.
    """
    check_text({"subject": subject, "quote": quote, "value": value})
    candidate = FormCandidate(
        form_type=form_type,
        field=field,
        value=value,
        subject=subject,
        operation="remove" if operation == "remove" else "set",
        quote=quote,
        confidence=confidence,
        importance=_given(importance),
        basis=basis,
        explicit_correction=explicit_correction,
        world_change=world_change,
        valid_from=valid_from,
        valid_until=valid_until,
    )
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        settling = open_act(
            owner_id,
            source,
            name="write_field",
            evidence_event_id=evidence_event_id,
            text=screened_text(subject, value, quote),
        )
        lock_items(act=settling.act)
        if expected_version is not None:
            known = known_subject(owner_id=owner_id, form_type=form_type, subject=subject)
            expect_version(owner_id, form_type, known, field, expected_version)
        verdict = settle(candidate, settling=settling)
        close_act(settling)
        idempotency.keep_answer(as_json([verdict])[0])
    return verdict


@run_again_when_busy
def write_memory(
    *,
    owner_id: UUID,
    content: str,
    item_kind: str,
    source: Source,
    entities: tuple[str, ...] = (),
    subject_entity: str = "",
    attribute: str = "",
    value: str = "",
    evidence_event_id: UUID | None = None,
    quote: str = "",
    confidence: float | None = None,
    importance: float | None = None,
    metadata: dict[str, Any] | None = None,
    session_ref: str = "",
    explicit_correction: bool = False,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
    basis: Basis = "stated",
    procedure: Procedure | None = None,
    waits: bool = False,
    reason: str = "",
) -> Verdict:
    """Write one sentence, or with `procedure` that procedure, whose text is then the content.

    With `waits` it is proposed even when a member of staff writes it; `reason` is kept with the change set.

    Raises InvalidInput for unusable text or an unknown kind; otherwise as `write_field`.
    """
    if procedure is not None:
        procedure = checked(procedure)
        content = procedure.content
    candidate = _item_candidate(
        content=content,
        item_kind=item_kind,
        entities=entities,
        subject_entity=subject_entity,
        attribute=attribute,
        value=value,
        quote=quote,
        confidence=confidence,
        importance=_given(importance),
        explicit_correction=explicit_correction,
        valid_from=valid_from,
        valid_until=valid_until,
        basis=basis,
        procedure=procedure,
    )
    check_text({"metadata": metadata or {}})
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        settling = open_act(
            owner_id,
            source,
            name="write_memory",
            evidence_event_id=evidence_event_id,
            text=screened_text(content, subject_entity, attribute, value, entities, quote, metadata),
            metadata=metadata,
            session_ref=session_ref,
        )
        settling.act.reason = reason
        settling = replace(settling, waits=waits)
        verdict = _naming_ignored(settle(candidate, settling=settling), metadata)
        close_act(settling)
        idempotency.keep_answer(as_json([verdict])[0])
    return verdict


def _naming_ignored(verdict: Verdict, metadata: dict[str, Any] | None) -> Verdict:
    """The verdict, with what the metadata claim about their own trust: kept, and without effect."""
    ignored = [name.removeprefix("ignored:") for name in ignored_claims(metadata)[1:]]
    return replace(verdict, details={**verdict.details, "ignored": ignored}) if ignored else verdict


def _item_candidate(**values: Any) -> ItemCandidate:
    """Check a sentence's own rules: kind, length, entities. A procedure was checked part by part."""
    content, kind = values["content"], values["item_kind"]
    procedure: Procedure | None = values.pop("procedure")
    check_text({name: value for name, value in values.items() if isinstance(value, str | tuple)})
    if kind not in MemoryItem.Kind.values or kind == MemoryItem.Kind.KNOWLEDGE:
        raise InvalidInput("kind is episodic, semantic or procedural", field="kind", code="unknown_kind")
    if not content.strip():
        raise InvalidInput("content must not be blank", field="content", code="blank")
    if procedure is not None and kind != MemoryItem.Kind.PROCEDURAL:
        raise InvalidInput("steps are those of a procedural memory", field="kind", code="not_procedural")
    if procedure is None and len(content) > MOST_CONTENT:
        raise InvalidInput(
            f"content: at most {MOST_CONTENT} characters", field="content", code="text_too_long"
        )
    if len(values["entities"]) > MOST_ENTITIES:
        raise InvalidInput(f"entities: at most {MOST_ENTITIES}", field="entities", code="too_many")
    return ItemCandidate(**values, procedure=procedure.as_json() if procedure else None)


def _given(importance: float | None) -> Importance | None:
    return None if importance is None else Importance(value=importance, parts=(("given", importance),))


def check_text(values: dict[str, Any]) -> None:
    if fault := find_text_fault(values):
        raise InvalidInput(
            f"{fault.field}: {fault.code.replace('_', ' ')}", field=fault.field, code=fault.code
        )


def open_act(
    owner_id: UUID,
    source: Source,
    *,
    name: str,
    evidence_event_id: UUID | None,
    text: str,
    metadata: dict[str, Any] | None = None,
    session_ref: str = "",
) -> Settling:
    """The act of a structured write, inside the caller's scope, with the event it gives as evidence."""
    event = None
    if evidence_event_id is not None:
        event = Event.objects.of(owner_id).filter(id=evidence_event_id).first()
        if event is None:
            raise NotFound("no such event of this owner", field="evidence.event")
    act = Act(
        owner=Owner.objects.select_related("workspace").get(id=owner_id),
        source=source,
        name=name,
        now=timezone.now(),
        policy=current_policy(workspace_id=source.workspace_id).policy,
        event=event,
        session_ref=session_ref or (event.session_ref if event else ""),
    )
    return Settling(
        act=act,
        whitelist=load_whitelist(workspace_id=source.workspace_id),
        flags=frozenset(screen(text, role="user").flags),
        metadata=masked(metadata),
    )


def close_act(settling: Settling) -> None:
    """Write what the act collected. Raises QuotaExceeded, which leaves nothing behind."""
    act = settling.act
    act.finish()
    queue_vectors(act)
    document = document_of(act.event)
    if settling.metadata is not None:
        document = document or str(settling.metadata.get("document") or "")[:500]
    take_or_refuse(owner_id=act.owner.id, document=document, source=act.source, policy=act.policy)


def queue_vectors(act: Act) -> None:
    """Queue the filling of vectors when the act wrote something searchable."""
    if act.needs_vectors:
        enqueue(
            kind="embed",
            workspace_id=act.owner.workspace_id,
            owner_id=act.owner.id,
            dedupe_key=str(act.owner.id),
        )


def expect_version(owner_id: UUID, form_type: str, subject: str, field: str, expected: int) -> None:
    """Compare under the owner's turn, so that of two writers with the same version one is told that it moved."""
    standing = (
        FieldVersion.objects.of(owner_id)
        .filter(
            form__form_type__name=form_type,
            form__subject=subject,
            field__name=field,
            status=FieldVersion.Status.ACTIVE,
        )
        .order_by("-version")
        .values_list("version", flat=True)
        .first()
    )
    if (standing or 0) != expected:
        raise VersionMoved(
            "the value has moved", field="If-Match", details={"expected": expected, "current": standing or 0}
        )
