"""Where each thing that says it was lost: the first step on its way from a turn to a served line. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from memoryhub.diagnosing.answers import HOWS, STEPS, Finding, Step
from memoryhub.diagnosing.finding import Bearers
from memoryhub.diagnosing.likeness import likeness
from memoryhub.diagnosing.told import Told
from memoryhub.models import Change, Event, FieldVersion, MemoryItem, SessionSlot
from memoryhub.models.as_of import holds
from memoryhub.recall.answers import RecallAnswer

DOOR = frozenset(
    "empty recalled_block other_voices role_not_mined greeting acknowledgement mood vague_pointer question hesitation".split()
)
"""Codes of the screening: nothing of the turn, or of the sentence, was read."""
RULE_STEPS: dict[str, Step] = {
    "budget": "cut_by_budget",
    "rules_share": "cut_by_budget",
    "top_k": "outranked",
    "noise": "outranked",
    "faded": "expired_or_cold",
    "superseded": "superseded",
    "pending": "waiting_for_review",
    "refused": "not_admitted",
}
"""Which step a rule of the recall is; every other rule is a filter."""
_ENDED: dict[str, Step] = {
    "superseded": "superseded",
    "historical": "superseded",
    "retracted": "superseded",
    "expired": "expired_or_cold",
    "archived": "expired_or_cold",
    "forgotten": "expired_or_cold",
}
_REFUSING = ("refused", "session_only")


def fates(bearers: Bearers, told: Told, others: Iterable[Finding] = ()) -> list[Finding]:
    """One finding per thing, the surest first and of equally sure ones the one that got furthest, then the newest."""
    found = [
        *others,
        *(_version(row, bearers, told) for row in bearers.versions.values()),
        *(_item(row, bearers, told) for row in bearers.items.values()),
        *(_change(row, bearers, told) for row in bearers.changes.values()),
        *(_slot(row, bearers, told) for row in bearers.slots.values()),
    ]
    for event in bearers.events.values():
        # What came of a turn is judged in its place, unless the turn itself was told.
        if event.id not in bearers.outlived or event.id in told.served:
            found.append(_event(event, bearers, told))
    return sorted(found, key=_preference)


def of_answer(answer: RecallAnswer, expected: str, told: Told, known: Collection[UUID]) -> list[Finding]:
    """What else in the ranking says it: values of the conversation, passages of documents, memory of linked owners."""
    found = []
    for entry in answer.ranked:
        how = None if entry.target_id in known else likeness(expected, entry.text)
        if how:
            finding = Finding(step="outranked", how=how, kind=entry.kind, target_id=entry.target_id)
            event_id = entry.event_ids[0] if entry.event_ids and entry.owner_id == answer.owner_id else None
            found.append(_left_out(replace(finding, event_id=event_id), told, kind=entry.kind))
    return found


def _preference(finding: Finding) -> tuple[int, int, int]:
    newest = finding.target_id.int if finding.target_id else 0
    return HOWS.index(finding.how or "meaning"), -STEPS.index(finding.step), -newest


def _with_place(finding: Finding, told: Told) -> Finding:
    assert finding.target_id is not None
    return replace(
        finding,
        place=told.places.get(finding.target_id),
        last_served=told.last,
        section=told.served.get(finding.target_id, ""),
        tokens=told.tokens.get(finding.target_id),
    )


def _left_out(finding: Finding, told: Told, *, kind: str) -> Finding:
    """What stands, and was served or not: the rule that kept it out, or the ranking."""
    assert finding.target_id is not None
    known = _with_place(finding, told)
    if finding.target_id in told.served:
        return replace(known, step="served", code=known.section)
    if told.kinds and kind not in told.kinds and finding.target_id not in told.places:
        return replace(known, step="filtered", code="kind_not_asked_for")
    rule = told.rules.get(finding.target_id)
    if rule:
        return replace(known, step=RULE_STEPS.get(rule, "filtered"), code=rule)
    return replace(known, step="outranked", code="top_k" if known.place else "not_near")


def _too_new(
    row: FieldVersion | MemoryItem, event: Event | None, finding: Finding, told: Told
) -> Finding | None:
    """Asked before it was known: then it was not recorded, or recorded and not learned yet."""
    if row.known_from <= told.known_at:
        return None
    recorded = event.recorded_at if event else row.known_from
    step: Step = "never_recorded" if recorded > told.known_at else "not_extracted"
    return replace(finding, step=step, code="learned_later", ended_at=row.known_from)


def _ended(row: FieldVersion | MemoryItem, finding: Finding, told: Told) -> Finding | None:
    if holds(row, valid_at=told.valid_at, known_at=told.known_at) and row.status not in (
        "archived", "forgotten", "expired",
    ):  # fmt: skip
        return None
    if row.valid_from > told.valid_at:
        return replace(finding, step="filtered", code="not_yet_valid", ended_at=row.valid_from)
    step = _ended_step(row.status)
    return replace(finding, step=step, code=row.status, ended_at=row.known_until or row.valid_until)


def _ended_step(status: str) -> Step:
    """A value whose validity is over although nothing replaced it has run out."""
    return _ENDED.get(status, "expired_or_cold")


def _version(row: FieldVersion, bearers: Bearers, told: Told) -> Finding:
    finding = Finding(
        step="outranked",
        how=bearers.how.get(row.id),
        kind="field_version",
        target_id=row.id,
        event_id=row.event_id,
        form_id=row.form_id,
        form_type=row.field.form_type.name,
        form_subject=row.form.subject,
        field_name=row.field.name,
        version=row.version,
        successor_version=row.superseded_by_version,
    )
    kind = "rule" if finding.form_type == "business_rule" and row.id not in told.served else "form"
    return _fate(row, finding, bearers, told, kind=kind)


def _item(row: MemoryItem, bearers: Bearers, told: Told) -> Finding:
    finding = Finding(
        step="outranked",
        how=bearers.how.get(row.id),
        kind="item",
        target_id=row.id,
        event_id=row.event_id,
        successor_version=row.superseded_by_seq,
    )
    return _fate(row, finding, bearers, told, kind=row.kind)


def _fate(
    row: FieldVersion | MemoryItem, finding: Finding, bearers: Bearers, told: Told, *, kind: str
) -> Finding:
    """Too new, over, or left out; what was served cannot be either of the first two."""
    if row.id in told.served:
        return _left_out(finding, told, kind=kind)
    event = bearers.events.get(row.event_id) if row.event_id else None
    return (
        _too_new(row, event, finding, told)
        or _ended(row, finding, told)
        or _left_out(finding, told, kind=kind)
    )


def _change(row: Change, bearers: Bearers, told: Told) -> Finding:
    finding = Finding(
        step="waiting_for_review" if row.state == "proposed" else "not_admitted",
        code=(row.gates[0] if row.gates else row.reason_code) if row.state == "proposed" else row.state,
        how=bearers.how.get(row.id),
        kind="change",
        target_id=row.id,
        event_id=row.event_id,
        change_id=row.id,
        review_id=bearers.reviews.get(row.id),
        form_type=row.form_type,
        form_subject=row.form_subject,
        field_name=row.field_name,
        agent_id=row.agent_id,
        ended_at=row.decided_at,
    )
    return replace(finding, step="superseded") if row.state == "reverted" else finding


def _slot(row: SessionSlot, bearers: Bearers, told: Told) -> Finding:
    finding = Finding(
        step="filtered",
        code="another_session",
        how=bearers.how.get(row.id),
        kind="slot",
        target_id=row.id,
        event_id=row.event_id,
        field_name=row.name,
        form_subject=row.context,
        ended_at=row.deprecated_at,
    )
    if row.id in told.served or row.id in told.places or row.id in told.rules:
        return _left_out(finding, told, kind="slot")
    if row.held_for:
        return replace(finding, step="not_admitted", code=row.held_for)
    if row.state == SessionSlot.State.DEPRECATED:
        is_over = row.reason in (SessionSlot.Reason.TIMEOUT, SessionSlot.Reason.ENDED)
        return replace(finding, step="expired_or_cold" if is_over else "superseded", code=row.reason)
    return (
        replace(finding, step="expired_or_cold", code="timeout")
        if row.expires_at <= told.known_at
        else finding
    )


def _event(row: Event, bearers: Bearers, told: Told) -> Finding:
    finding = Finding(
        step="not_extracted",
        how=bearers.how.get(row.id),
        kind="event",
        target_id=row.id,
        event_id=row.id,
        form_type=row.form_type,
        form_subject=row.form_subject,
        field_name=row.field_name,
        agent_id=row.agent_id,
    )
    if row.id in told.served:
        return _left_out(finding, told, kind="event")
    if row.recorded_at > told.known_at:
        return replace(finding, step="never_recorded", code="learned_later", ended_at=row.recorded_at)
    if row.state == Event.State.ACCEPTED:
        return replace(finding, code="not_processed_yet")
    return _refused(row, finding) or _kept_from_recall(row, finding, bearers, told)


def _refused(row: Event, finding: Finding) -> Finding | None:
    """The verdict that let nothing of it in; None when none did, or none is about all of it."""
    verdicts: list[dict[str, Any]] = row.outcome
    turns_away = [one for one in verdicts if one.get("outcome") in _REFUSING]
    for verdict in turns_away:
        code = verdict.get("code", "")
        if verdict.get("kind") != "event":
            return replace(
                finding, step="not_admitted", code=code, verdict=verdict, field_name=_field(verdict, finding)
            )
        step: Step = "screened" if _is_at_the_door(code) else "not_extracted"
        return replace(finding, step=step, code=code, verdict=verdict)
    return None


def _field(verdict: dict[str, Any], finding: Finding) -> str:
    return str(verdict.get("field", "")).partition(".")[2] or finding.field_name


def _is_at_the_door(code: str) -> bool:
    return code in DOOR or code.startswith("secret")


def _kept_from_recall(row: Event, finding: Finding, bearers: Bearers, told: Told) -> Finding:
    """Nothing was learned of it: its own words may still be told, unless it is hidden, gone cold or further away."""
    if row.id in bearers.hidden:
        return replace(finding, step="screened", code=_why_hidden(row))
    if row.tier == Event.Tier.COMPACTED:
        return replace(finding, step="expired_or_cold", code=row.tier)
    known = _left_out(finding, told, kind="event")
    if known.place is None or known.code == "noise":
        return replace(known, step="expired_or_cold", code="cold") if row.tier == "cold" else replace(
            known, step="not_extracted", code="nothing_found"
        )  # fmt: skip
    return known


def _why_hidden(row: Event) -> str:
    if row.learned.get("flags"):
        return "instruction_like"
    if row.trust_tier <= 2:
        return "low_trust"
    return "role_not_mined"


def best(findings: Iterable[Finding]) -> Finding:
    """The answer: the first of `fates`, or that it was never said."""
    return next(iter(findings), Finding(step="never_recorded", code="nothing_says_it"))
