"""Write a rollback that was decided: rows through the door, then what hangs on them, in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import F, Max, Q

from memoryhub import audit
from memoryhub.changes.reverting_plan import Draft, Skipped
from memoryhub.changes.reverting_rows import (
    Numbers,
    SlotRows,
    inverse_changes,
    kept_row,
    proposal_inverse,
    reversal_of,
    rows_of,
)
from memoryhub.changes.rollback_scope import ROLLED_BACK
from memoryhub.changes.rollback_skipped import kept_for, kept_for_others
from memoryhub.changes.slot_history import MAKING
from memoryhub.changes.tombstones import (
    ValueName,
    burials_of,
    bury,
    field_value_name,
    item_names,
    relation_name,
)
from memoryhub.changes.turns import Turn
from memoryhub.models import (
    AuditEntry,
    Change,
    ChangeSet,
    ChangeTransition,
    FieldVersion,
    Form,
    MemoryItem,
    OwnerSequence,
    Question,
    Relation,
    Review,
    Tombstone,
    new_id,
)
from memoryhub.writing.applying_reversals import (
    carry_over,
    hide_events,
    index_copies,
    reverse_items,
    reverse_relations,
    reverse_versions,
    show_events,
    unindex,
)

REASON = "rolled_back"
"""Reason code of the moves and tombstones of a rollback; of its undoing `rollback_undone`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Author:
    """Who rolls back, from the credential, and his reason."""

    user_id: int | None = None
    agent_id: UUID | None = None
    api_key_id: UUID | None = None
    transport: str = "desk"
    reason: str = ""
    review_id: UUID | None = None
    """The review whose decision the rollback carries out."""


def take_turns(owners: Sequence[UUID], *, workspace_id: UUID) -> None:
    """Hold the owners' write turns and their forms until the transaction ends, in the order every writer takes them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_ownersequence (owner_id, id, workspace_id, last_item_seq)"
            " SELECT owner_id, id, %s, 0 FROM unnest(%s::uuid[], %s::uuid[]) AS n (owner_id, id)"
            " ON CONFLICT (owner_id) DO NOTHING",
            [workspace_id, list(owners), [new_id() for _ in owners]],
        )
    sequences = OwnerSequence.objects.filter(owner_id__in=owners)
    list(sequences.select_for_update(no_key=True).order_by("owner_id").values_list("id"))
    forms = Form.objects.filter(owner_id__in=owners).select_for_update(no_key=True)
    list(forms.order_by("owner_id", "id").values_list("id"))


def clock() -> datetime:
    """PostgreSQL's clock: known times come from nowhere else."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
        return moment


def owners_of(draft: Draft) -> list[UUID]:
    """Whose memory the rollback changes."""
    proposals = {change.owner_id for change in [*draft.withdrawn, *draft.reproposed]}
    return sorted({turn.slot.owner_id for turn in draft.turns if turn.flips} | proposals)


def open_change_sets(
    owners: Sequence[UUID], *, workspace_id: UUID, author: Author, skipped: Collection[Skipped]
) -> dict[UUID, UUID]:
    """One change set per owner, with what is left alone of his; answers their ids.

    What is left alone of owners who get no change set stands with the first one, as numbers.
    """
    elsewhere = kept_for_others(owners, skipped)
    sets = [
        ChangeSet(
            owner_id=owner_id,
            workspace_id=workspace_id,
            act=ROLLED_BACK,
            agent_id=author.agent_id,
            api_key_id=author.api_key_id,
            user_id=author.user_id,
            transport=author.transport,
            reason=author.reason,
            skipped=kept_for(owner_id, skipped) + (elsewhere if owner_id == owners[0] else []),
        )
        for owner_id in owners
    ]
    ChangeSet.objects.bulk_create(sets)
    return {change_set.owner_id: change_set.id for change_set in sets}


def write_draft(
    draft: Draft, *, workspace_id: UUID, change_sets: dict[UUID, UUID], author: Author, moment: datetime
) -> None:
    """Write everything the draft decides, inside the caller's write scope, at `moment` of PostgreSQL's clock.

    The owners' turns are taken (`take_turns`) and the draft was decided since.
    """
    slots = _slot_rows(draft)
    _write_rows(slots, workspace_id=workspace_id, moment=moment)
    moves = _moves(draft)
    _move_changes(moves, author=author, moment=moment)
    hidden = hide_events((c.owner_id, c.event_id) for c in _undone(draft) if c.event_id)
    _show_what_was_hidden(draft)
    inverses = [change for rows in reversed(slots) for change in inverse_changes(rows, hidden=hidden)]
    inverses += [proposal_inverse(change, is_withdrawn=True, hidden=hidden) for change in draft.withdrawn]
    inverses += [proposal_inverse(change, is_withdrawn=False, hidden=hidden) for change in draft.reproposed]
    _append(inverses, change_sets=change_sets, author=author)
    _settle_tombstones(draft, author=author, moment=moment)
    _settle_reviews(draft, author=author, moment=moment)
    audit.record(*_audited(draft, inverses, change_sets, workspace_id))


def _slot_rows(draft: Draft) -> list[SlotRows]:
    turns = [turn for turn in draft.turns if turn.flips]
    numbers, occupied = _numbers(turns), _occupied(turns)
    return [rows_of(turn, numbers=numbers, occupied=occupied) for turn in turns]


def _numbers(turns: Sequence[Turn]) -> Numbers:
    versions = [row for turn in turns for row in turn.slot.rows if isinstance(row, FieldVersion)]
    newest = (
        FieldVersion.objects.filter(
            owner_id__in={row.owner_id for row in versions}, form_id__in={row.form_id for row in versions}
        )
        .order_by()
        .values_list("form_id", "field_id")
        .annotate(newest=Max("version"))
    )
    sequences = OwnerSequence.objects.filter(owner_id__in={turn.slot.owner_id for turn in turns})
    return Numbers(
        versions={(form_id, field_id): number for form_id, field_id, number in newest},
        items=dict(sequences.values_list("owner_id", "last_item_seq")),
    )


def _occupied(turns: Sequence[Turn]) -> set[tuple[UUID, str, str]]:
    """Sentences that stand and stay: one that came back with the same words would be said twice."""
    kept = {row.id for turn in turns if (row := kept_row(turn)) is not None}
    leaving = {row.id for turn in turns for row in turn.slot.rows} - kept
    back = [row for turn in turns if isinstance(row := turn.standing_after, MemoryItem)]
    standing = MemoryItem.objects.filter(
        owner_id__in={row.owner_id for row in back},
        content_norm__in={row.content_norm for row in back},
        status=MemoryItem.Status.ACTIVE,
    )
    return {
        (owner_id, kind, norm)
        for item_id, owner_id, kind, norm in standing.values_list("id", "owner_id", "kind", "content_norm")
        if item_id not in leaving
    }


def _write_rows(slots: Sequence[SlotRows], *, workspace_id: UUID, moment: datetime) -> None:
    versions = reversal_of(slots, Change.Target.FIELD_VERSION)
    items = reversal_of(slots, Change.Target.ITEM)
    reverse_versions(versions, moment=moment)
    reverse_items(items, moment=moment)
    reverse_relations(reversal_of(slots, Change.Target.RELATION), moment=moment)
    closings, copies = [*versions.closings, *items.closings], [*versions.copies, *items.copies]
    unindex(((c.owner_id, c.id) for c in closings if c.closes), moment=moment)
    # A row that stays believed may have stopped being the current one.
    index_copies(copies, workspace_id=workspace_id, moment=moment)
    carry_over(copies, moment=moment)


def _moves(draft: Draft) -> list[tuple[Change, str]]:
    """Every change that moves, and its new state."""
    moves: list[tuple[Change, str]] = []
    flipped: set[UUID] = {change.id for change in [*draft.withdrawn, *draft.reproposed]}
    for turn in draft.turns:
        for change in turn.slot.changes:
            if change.id in turn.flips:
                flipped.add(change.id)
                moves.append((change, "applied" if turn.flips[change.id] else "reverted"))
    moves += [(change, "withdrawn") for change in draft.withdrawn]
    moves += [(change, "proposed") for change in draft.reproposed]
    for inverse in draft.inverses:
        assert inverse.candidate is not None
        if UUID(inverse.candidate["of"]) in flipped and inverse.state == Change.State.APPLIED:
            moves.append((inverse, "reverted"))
    return moves


def _move_changes(moves: Sequence[tuple[Change, str]], *, author: Author, moment: datetime) -> None:
    transitions = []
    for state in ("reverted", "applied", "withdrawn", "proposed"):
        moved = [change for change, to_state in moves if to_state == state]
        if not moved:
            continue
        rows = Change.objects.filter(
            owner_id__in={change.owner_id for change in moved}, id__in=[change.id for change in moved]
        )
        if state in ("withdrawn", "proposed"):
            rows.update(state=state, decided_at=moment if state == "withdrawn" else None)
        else:
            rows.update(state=state)
        code = REASON if state in ("reverted", "withdrawn") else "rollback_undone"
        transitions += [_transition(change, change.state, state, code, author) for change in moved]
    ChangeTransition.objects.bulk_create(transitions)


def _transition(change: Change, start: str, end: str, code: str, author: Author) -> ChangeTransition:
    return ChangeTransition(
        owner_id=change.owner_id,
        workspace_id=change.workspace_id,
        change_id=change.id,
        from_state=start,
        to_state=end,
        user_id=author.user_id,
        agent_id=author.agent_id,
        reason_code=code,
    )


def _undone(draft: Draft) -> list[Change]:
    """The changes whose word is not taken any more; not those that were only overruled on the way."""
    return [
        change
        for turn in draft.turns
        for change in turn.slot.changes
        if turn.flips.get(change.id) is False and change.id not in turn.overruled
    ] + draft.withdrawn


def _redone(draft: Draft) -> list[Change]:
    return [
        change for turn in draft.turns for change in turn.slot.changes if turn.flips.get(change.id) is True
    ] + draft.reproposed


def _show_what_was_hidden(draft: Draft) -> None:
    """Events that the undone rollback had hidden may be recalled again."""
    back = {change.id for change in _redone(draft)}
    show_events(
        (inverse.owner_id, inverse.event_id)
        for inverse in draft.inverses
        if inverse.event_id
        and inverse.candidate
        and inverse.candidate.get("hidden")
        and UUID(inverse.candidate["of"]) in back
    )


def _append(inverses: Sequence[Change], *, change_sets: dict[UUID, UUID], author: Author) -> None:
    for change in inverses:
        change.id = new_id()
        change.change_set_id = change_sets[change.owner_id]
        change.agent_id = author.agent_id
        change.responsible_user_id = author.user_id
        is_back = change.candidate is not None and change.candidate["op"] in ("redo", "repropose")
        change.reason_code = "rollback_undone" if is_back else REASON
    Change.objects.bulk_create(inverses)
    ChangeTransition.objects.bulk_create(
        _transition(change, "", change.state, change.reason_code, author) for change in inverses
    )


def _settle_tombstones(draft: Draft, *, author: Author, moment: datetime) -> None:
    """What comes back is lifted, what goes is buried; a value that stands again is not."""
    back = _redone(draft)
    standing = {(turn.slot.owner_id, name) for turn in draft.turns for name in _standing_names(turn)}
    restored = [name.digest(owner_id) for owner_id, name in standing]
    owners = {change.owner_id for change in back} | {owner_id for owner_id, _ in standing}
    Tombstone.objects.filter(
        Q(change_id__in=[change.id for change in back]) | Q(digest__in=restored),
        owner_id__in=owners,
        lifted_at=None,
    ).update(lifted_at=moment, lifted_by_id=author.user_id)
    said = [c for c in _undone(draft) if c.action in MAKING or c.state == Change.State.PROPOSED]
    burials = [burial for change in said for burial in burials_of(change, reason_code=REASON)]
    seen = {name.digest(owner_id) for owner_id, name in standing}
    bury(burial for burial in burials if burial.name.digest(burial.owner_id) not in seen)


def _standing_names(turn: Turn) -> list[ValueName]:
    row = turn.standing_after
    if isinstance(row, FieldVersion):
        change = turn.slot.changes[0]
        return [field_value_name(change.form_type, change.form_subject, change.field_name, row.value_norm)]
    if row is None:
        return []
    if isinstance(row, Relation):
        end = row.to_entity.name if row.to_entity else row.value
        return [relation_name(row.from_entity.name, row.kind.name, end, row.resolution)]
    return item_names(row.content, row.subject_entity, row.attribute, row.value_key)


def _settle_reviews(draft: Draft, *, author: Author, moment: datetime) -> None:
    """Nobody is asked about what was undone; what comes back is asked about again."""
    gone, back = [c.id for c in [*_undone(draft)]], [c.id for c in _redone(draft)]
    owners = owners_of(draft)
    calm = {"claimed_by_id": None, "claim_expires_at": None, "version": F("version") + 1}
    asked = Review.objects.filter(owner_id__in=owners, change_id__in=gone).exclude(state=Review.State.DECIDED)
    if author.review_id is not None:
        asked = asked.exclude(id=author.review_id)
    asked.update(state=Review.State.DECIDED, outcome=Review.Outcome.WITHDRAWN, decided_at=moment, **calm)
    Review.objects.filter(owner_id__in=owners, change_id__in=back, outcome=Review.Outcome.WITHDRAWN).update(
        state=Review.State.OPEN, outcome="", decided_at=None, **calm
    )
    questions = Question.objects.filter(owner_id__in=owners)
    questions.filter(change_id__in=gone, state=Question.State.OPEN).update(state=Question.State.WITHDRAWN)
    questions.filter(change_id__in=back, state=Question.State.WITHDRAWN, expires_at__gt=moment).update(
        state=Question.State.OPEN
    )


def _audited(
    draft: Draft, inverses: Collection[Change], change_sets: dict[UUID, UUID], workspace_id: UUID
) -> list[AuditEntry]:
    """One entry per change that was appended, and one per owner with the counts."""
    entries = [
        audit.entry(
            action="change.applied",
            workspace_id=workspace_id,
            owner_id=change.owner_id,
            object_kind="change",
            object_id=change.id,
            content=repr((change.before, change.after)).encode("utf-8", "surrogatepass"),
            details={"action": change.action, "of": (change.candidate or {}).get("of", "")},
        )
        for change in inverses
    ]
    for owner_id, set_id in change_sets.items():
        entries.append(
            audit.entry(
                action="rollback.executed",
                workspace_id=workspace_id,
                owner_id=owner_id,
                object_kind="change_set",
                object_id=set_id,
                details={"changes": sum(change.owner_id == owner_id for change in inverses)},
            )
        )
    return entries
