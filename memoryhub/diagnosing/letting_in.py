"""How something unwanted got in: the event that said it, what read it, the verdict that stored it, and who said yes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memoryhub.changes.makers import makers_of
from memoryhub.database.scope import scope
from memoryhub.diagnosing.sentences import Language, Said
from memoryhub.exceptions import NotFound
from memoryhub.models import (
    Change,
    ChangeSet,
    DocumentChunk,
    Event,
    FieldVersion,
    MemoryItem,
    Recall,
    Review,
    ReviewStep,
)

type Door = Literal["at_once", "approved", "direct", "event", "document"]
"""Read from a turn and stored at once, approved by a person, written by an agent itself, a turn's own words, published."""
SAYING_YES = ("approve_first", "approve", "approve_with_edit", "reaffirm")

_YES = (Review.Outcome.APPROVED, Review.Outcome.EDITED, Review.Outcome.REAFFIRMED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Yes:
    """A person's yes: which act of a review, who, and when."""

    action: str
    user_id: int | None
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LetIn:
    """`read_by` names the rules or the model; `verdict` is what the write path answered; `gates` why a person was asked.

    `section` and `legs` say how the recall that was asked about told it; '' and () when it did not, or none was named.
    """

    kind: str
    target_id: UUID
    door: Door
    event_id: UUID | None = None
    recorded_at: datetime | None = None
    role: str = ""
    agent_id: UUID | None = None
    api_key_id: UUID | None = None
    trust_tier: int | None = None
    read_by: str = ""
    verdict: dict[str, Any] | None = None
    change_id: UUID | None = None
    change_set_id: UUID | None = None
    act: str = ""
    basis: str = ""
    gates: tuple[str, ...] = ()
    review_id: UUID | None = None
    approved: tuple[Yes, ...] = ()
    document_id: UUID | None = None
    section: str = ""
    legs: tuple[str, ...] = ()


def how_it_got_in(
    *, workspace_id: UUID, owner_id: UUID, target_id: UUID, recall_id: UUID | None = None
) -> LetIn:
    """Of a value, sentence, event or passage of the owner; with `recall_id` also how that recall told it.

    Raises NotFound for an id or a recall that is not the owner's. A fixed number of statements.
    """
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="diagnose"):
        section, legs = _told(owner_id, recall_id, target_id)
        row = _found(owner_id, target_id)
        if isinstance(row, DocumentChunk):
            return _passage(row, section, legs)
        if isinstance(row, Event):
            return _turn(row, section, legs)
        return _memory(row, section, legs)


def _told(owner_id: UUID, recall_id: UUID | None, target_id: UUID) -> tuple[str, tuple[str, ...]]:
    if recall_id is None:
        return "", ()
    recall = Recall.objects.of(owner_id).filter(id=recall_id).first()
    if recall is None:
        raise NotFound("no such recall of this owner")
    lines = (line for line in recall.served if str(target_id) in line["ids"])
    line = next(lines, None)
    return (line["section"], tuple(line["legs"])) if line else ("", ())


def _found(owner_id: UUID, target_id: UUID) -> MemoryItem | FieldVersion | Event | DocumentChunk:
    for model in (MemoryItem, FieldVersion, Event, DocumentChunk):
        row = model.objects.of(owner_id).filter(id=target_id).first()
        if row is not None:
            return row
    raise NotFound("no such memory of this owner")


def _passage(row: DocumentChunk, section: str, legs: tuple[str, ...]) -> LetIn:
    version = row.version
    yes = (
        ()
        if version.user_id is None
        else (Yes(action="publish", user_id=version.user_id, at=version.created_at),)
    )
    return LetIn(
        kind="document",
        target_id=row.id,
        door="document",
        agent_id=version.agent_id,
        trust_tier=version.trust_tier,
        recorded_at=version.published_at or version.created_at,
        document_id=row.document_id,
        approved=yes,
        section=section,
        legs=legs,
    )


def _turn(row: Event, section: str, legs: tuple[str, ...]) -> LetIn:
    return LetIn(
        kind="event",
        target_id=row.id,
        door="event",
        verdict=next(iter(row.outcome), None),
        section=section,
        legs=legs,
        **_of_event(row),
    )


def _of_event(event: Event | None) -> dict[str, Any]:
    if event is None:
        return {}
    return {
        "event_id": event.id,
        "recorded_at": event.recorded_at,
        "role": event.role,
        "agent_id": event.agent_id,
        "api_key_id": event.api_key_id,
        "trust_tier": event.trust_tier,
        "read_by": str(event.learned.get("extractor", "")),
    }


def _memory(row: MemoryItem | FieldVersion, section: str, legs: tuple[str, ...]) -> LetIn:
    owner_id = row.owner_id
    change = makers_of([row.id], owner_ids=[owner_id]).get(row.id)
    event = Event.objects.of(owner_id).filter(id=row.event_id).first() if row.event_id else None
    reviews = _reviews(change) if change else []
    approved = _yeses(reviews)
    act = ChangeSet.objects.of(owner_id).get(id=change.change_set_id) if change else None
    about = {
        "agent_id": row.agent_id,
        "trust_tier": row.trust_tier,
        "recorded_at": row.known_from,
        "api_key_id": act.api_key_id if act else None,
    } | _of_event(event)
    is_read = bool(about.get("read_by"))
    return LetIn(
        kind="item" if isinstance(row, MemoryItem) else "field_version",
        target_id=row.id,
        door="approved" if approved else "at_once" if is_read else "direct",
        verdict=_verdict(event, row, change),
        change_id=change.id if change else None,
        change_set_id=change.change_set_id if change else None,
        act=act.act if act else "",
        basis=row.basis,
        gates=tuple(change.gates) if change else (),
        review_id=reviews[0].id if reviews else None,
        approved=approved,
        section=section,
        legs=legs,
        **about,
    )


def _reviews(change: Change) -> list[Review]:
    """The reviews of a change, the one that decided it first."""
    reviews = list(
        Review.objects.of(change.owner_id).filter(change_id=change.id).order_by("created_at", "id")
    )
    return sorted(reviews, key=lambda review: review.outcome not in _YES)


def _yeses(reviews: list[Review]) -> tuple[Yes, ...]:
    """Who said yes in them; a first yes whose second never came is none."""
    said = [review for review in reviews if review.outcome in _YES]
    if not said:
        return ()
    steps = ReviewStep.objects.of(said[0].owner_id).filter(
        review_id__in=[review.id for review in said], action__in=SAYING_YES
    )
    return tuple(
        Yes(action=step.action, user_id=step.user_id, at=step.at) for step in steps.order_by("at", "id")
    )


def _verdict(
    event: Event | None, row: MemoryItem | FieldVersion, change: Change | None
) -> dict[str, Any] | None:
    """What the write path answered about this very thing."""
    wanted = {str(row.id), str(change.id) if change else ""}
    verdicts = event.outcome if event else []
    return next((one for one in verdicts if {one.get("target_id"), one.get("change_id")} & wanted), None)


_SAID: dict[Language, dict[Door, tuple[str, str]]] = {
    "en": {
        "at_once": (
            "A turn of the {role} said it; {read_by} read it, and it was stored at once.",
            "Take the change back; if the rule reads such turns wrong, set the field's review mode to gate.",
        ),
        "approved": (
            "It was proposed and a person approved it.",
            "Take the change back; the review shows on which evidence it was approved.",
        ),
        "direct": (
            "An agent wrote it itself, with a key of tier {tier}; nothing was read from a turn.",
            "Take the change back; look at what else this key wrote, and lower its tier if it is not to be trusted.",
        ),
        "event": (
            "It is a turn's own words: the {role} said it, with a key of tier {tier}.",
            "Report it as harmful, or roll back what the event gave; a person then looks at it.",
        ),
        "document": (
            "It is a passage of a document in force.",
            "Publish a corrected version, or archive the document.",
        ),
    },
    "zh": {
        "at_once": (
            "{role}在一轮对话中说出；由 {read_by} 读出，并立即写入。",
            "请撤回该变更；若规则误读此类对话，请把字段的审核方式设为先审。",
        ),
        "approved": ("它曾被提议，并由人员批准。", "请撤回该变更；审核页可见批准所依据的证据。"),
        "direct": (
            "由智能体用信任级 {tier} 的密钥直接写入，并非从对话读出。",
            "请撤回该变更，查看该密钥还写了什么；若不可信请降低其信任级。",
        ),
        "event": (
            "它就是对话原话：{role}所说，密钥信任级 {tier}。",
            "请标为有害，或回滚该事件产生的内容；人员会随即查看。",
        ),
        "document": ("它是现行文档中的一段。", "请发布更正后的版本，或归档该文档。"),
    },
}
_ROLES_ZH = {"user": "用户", "assistant": "智能体", "tool": "工具", "system": "系统", "staff": "工作人员"}


def say_how(found: LetIn, language: Language) -> Said:
    """How it got in, and what to do about it."""
    what, then = _SAID[language][found.door]
    role = _ROLES_ZH.get(found.role, found.role) if language == "zh" else found.role
    return Said(what.format(role=role, read_by=found.read_by, tier=found.trust_tier), then)
