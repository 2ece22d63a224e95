"""Change one memory item: a new sentence supersedes the old one and keeps what was not asked to change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from memoryhub.changes.queueing import TOP_CLASS_GATES
from memoryhub.changes.regressions import guard_regressed
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.language.masking import masked
from memoryhub.models import Change, MemoryItem
from memoryhub.procedures import checked
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, admit_item
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.applying_wordings import replace_item
from memoryhub.writing.candidates import Importance, ItemCandidate, Verdict
from memoryhub.writing.screening import screened_text
from memoryhub.writing.settling import circumstances_of
from memoryhub.writing.source import Source
from memoryhub.writing.standing_items import content_digest
from memoryhub.writing.structured import check_text, close_act, open_act
from memoryhub.writing.verdicts import refused

EDITABLE = frozenset({"content", "entities", "metadata", "procedure"})


@run_again_when_busy
def edit_memory(
    *,
    owner_id: UUID,
    item_id: UUID,
    expected_seq: int,
    changes: dict[str, Any],
    source: Source,
    waits: bool = False,
    reason: str = "",
) -> Verdict:
    """Apply `changes` (content, or of a procedure `procedure`; entities, metadata) to the active item.

    `item_id` is the id of any of its wordings. A changed text makes a new row that supersedes this one in known time (the old
    words were not right), goes on under the memory's id and keeps everything else; a changed label moves in place. In
    `metadata` a key set to None is cleared, others stay. Equal content changes nothing ('reinforced', code `unchanged`). From a
    lower trust than the memory's own, new words wait for a person and labels are refused (`lower_trust`). New words of a
    member of staff stand on his word at once, or with `waits` (`desk_edit`) after another person's yes, as do words that two
    people have to approve; `reason` is kept with the change set.
    Raises NotFound, VersionMoved when `expected_seq` is not the item's, InvalidInput for an unknown or unusable change.
    """
    changes = _checked(changes)
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        text = screened_text(*changes.values())
        settling = open_act(owner_id, source, name="edit_memory", evidence_event_id=None, text=text)
        act = settling.act
        act.reason = reason
        sequence = lock_items(act=act)
        item = find_standing(owner_id, item_id, expected_seq)
        _check_kind(item, changes)
        entities = list(changes.get("entities", item.entities))
        metadata = {**item.metadata, **changes.get("metadata", {})}
        metadata = {name: value for name, value in metadata.items() if value is not None}
        if "content" in changes and content_digest(changes["content"]) != item.content_norm:
            candidate = replace(
                _candidate(item, changes["content"], entities), procedure=changes.get("procedure")
            )
            circumstances = circumstances_of(candidate, None, settling)
            admission = admit_item(candidate, circumstances=circumstances, policy=act.policy)
            admission = guard_regressed(candidate, admission, circumstances=circumstances, act=act)
            if admission.code == "rejected_before":
                act.refuse(code=admission.code, what=item.kind)
                close_act(settling)
                return refused(admission.code, kind="item")
            admission = replace(admission, gates=_gates(admission, item, source, waits=waits))
            if source.user_id is not None and not admission.gates:
                candidate = replace(candidate, basis="staff")
            verdict = replace_item(
                item, candidate=candidate, admission=admission, sequence=sequence, metadata=metadata, act=act
            )
        elif code := _label_fault(source, item, settling.flags):
            act.refuse(code=code, what=item.kind)
            verdict = refused(code, kind="item")
        else:
            verdict = _relabel(item, entities, metadata, act)
        close_act(settling)
    return verdict


def _is_below(source: Source, item: MemoryItem) -> bool:
    """Whether the editor is trusted less than whoever wrote the sentence; a person at the desk never is."""
    if source.user_id is not None:
        return False
    return source.trust_tier < item.trust_tier or item.basis == "staff"


def _gates(admission: Admission, item: MemoryItem, source: Source, *, waits: bool) -> tuple[str, ...]:
    """Why the new words wait for a person. Words of staff wait when they are asked to, or where two people say yes."""
    if source.user_id is not None and not waits:
        gates = admission.gates if TOP_CLASS_GATES & set(admission.gates) else ()
    else:
        gates = admission.gates
    if _is_below(source, item):
        gates = (*gates, "lower_trust")
    return (*gates, "desk_edit") if waits else gates


def _label_fault(source: Source, item: MemoryItem, flags: frozenset[str]) -> str:
    """Why labels may not be moved in place ('' when they may): they take effect at once, so there is nothing to propose."""
    if _is_below(source, item):
        return "lower_trust"
    return "instruction_like" if "instruction_like" in flags and source.user_id is None else ""


def _checked(changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with their secrets masked; a procedure as its parts, with its text as the content. Raises InvalidInput."""
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise InvalidInput(f"{unknown[0]} cannot be changed", field=unknown[0], code="not_editable")
    if not changes:
        raise InvalidInput("nothing to change", field="", code="blank")
    if "procedure" in changes and "content" in changes:
        raise InvalidInput("the procedure is the content", field="content", code="two_contents")
    if "procedure" in changes:
        procedure = checked(changes["procedure"])
        changes = {**changes, "procedure": procedure.as_json(), "content": procedure.content}
    check_text({name: value for name, value in changes.items() if name != "procedure"})
    if "content" in changes and not str(changes["content"]).strip():
        raise InvalidInput("content must not be blank", field="content", code="blank")
    return masked(changes)  # type: ignore[no-any-return]  # what comes out has the shape that went in


def _check_kind(item: MemoryItem, changes: dict[str, Any]) -> None:
    """A procedure is edited as one, and nothing else becomes one."""
    if "procedure" in changes and item.kind != MemoryItem.Kind.PROCEDURAL:
        raise InvalidInput("this memory is not procedural", field="procedure", code="not_procedural")
    if "content" in changes and "procedure" not in changes and item.procedure is not None:
        raise InvalidInput("edit the procedure by its parts", field="content", code="is_a_procedure")


def find_standing(owner_id: UUID, item_id: UUID, expected_seq: int) -> MemoryItem:
    """The memory as it stands, by the id of any of its wordings. Raises NotFound, and VersionMoved for another number."""
    item = MemoryItem.objects.of(owner_id).current_wording(item_id)
    if item is None:
        raise NotFound("no such memory")
    if item.seq != expected_seq or item.status != MemoryItem.Status.ACTIVE:
        raise VersionMoved(
            "the memory has moved",
            field="If-Match",
            details={"expected": expected_seq, "status": item.status},
        )
    return item


def _candidate(item: MemoryItem, content: str, entities: list[str]) -> ItemCandidate:
    return ItemCandidate(
        item_kind=item.kind,  # type: ignore[arg-type]
        content=content,
        entities=tuple(entities),
        subject_entity=item.subject_entity,
        attribute=item.attribute,
        value=item.value_key,
        confidence=item.confidence,
        importance=Importance(value=item.importance, parts=(("kept", item.importance),)),
        basis="corrected",
        explicit_correction=True,
        world_change=False,
        key_attribute=item.key_attribute,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
    )


def _relabel(item: MemoryItem, entities: list[str], metadata: dict[str, Any], act: Act) -> Verdict:
    before = {"entities": item.entities, "metadata": item.metadata}
    after = {"entities": entities, "metadata": metadata}
    if before == after:
        return Verdict(outcome="reinforced", kind="item", code="unchanged", target_id=item.memory_id)
    change = edit_in_place(item, before=before, after=after, act=act)
    return Verdict(
        outcome="stored", kind="item", code="edited", target_id=item.memory_id, change_id=change.id
    )


def edit_in_place(
    item: MemoryItem, *, before: dict[str, Any], after: dict[str, Any], act: Act, reason_code: str = ""
) -> Change:
    """Move columns of a standing item that are not its words, from `before` to `after`, as an applied change that can be undone."""
    MemoryItem.objects.of(item.owner_id).filter(id=item.id).update(
        **after, updated_at=Now(), updated_by_agent_id=act.source.agent_id
    )
    return act.add_change(
        content=after,
        action="edit",
        target_kind="item",
        target_id=item.id,
        before_id=item.id,
        before=before,
        after=after,
        state="applied",
        reason_code=reason_code,
        importance=item.importance,
        confidence=item.confidence,
        basis=item.basis,
    )
