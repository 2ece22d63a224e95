"""The question a proposed change puts to its owner: what is said, and which answers are understood. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memoryhub.models import Change, Question
from memoryhub.policies import Policy

_ASKED = {
    "zh": {
        "change": "之前记录的“{field}”是“{before}”，这次说的是“{after}”。要更新吗，还是只是这一次的例外？",
        "first": "想确认一下：“{field}”是“{after}”，对吗？",
        "item": "想确认一下：{after}。对吗？",
    },
    "en": {
        "change": "Earlier “{field}” was “{before}”; this time you said “{after}”. Shall I update it, or is this an exception?",
        "first": "May I confirm: “{field}” is “{after}”?",
        "item": "May I confirm: {after}",
    },
}


UNREAD = frozenset({"instruction_like", "low_trust", "lower_trust", "quote_not_in_event"})
"""Gates behind which words are not put to anybody's agent before a person has read them."""


def questions_for(
    changes: Sequence[Change], *, language: str, policy: Policy, now: datetime
) -> list[Question]:
    """Unsaved questions: one per proposal that the field's policy wants confirmed by the owner."""
    return [
        question_about(change, kind="conflict", language=language, policy=policy, now=now)
        for change in changes
        if change.state == Change.State.PROPOSED
        and change.reason_code == "confirm_with_owner"
        and not UNREAD.intersection(change.gates)
    ]


def question_about(
    change: Change, *, kind: str, language: str, policy: Policy, now: datetime, asked_by_id: int | None = None
) -> Question:
    return Question(
        owner_id=change.owner_id,
        workspace_id=change.workspace_id,
        kind=kind,
        change_id=change.id,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        text=question_text(change, language=language),
        choices=_choices(change),
        asked_by_id=asked_by_id,
        expires_at=now + timedelta(days=policy.question_lifetime_days),
    )


def question_text(change: Change, *, language: str) -> str:
    """The sentence to be said, in Chinese for a Chinese owner and in English otherwise."""
    asked = _ASKED["zh" if language.startswith("zh") else "en"]
    before, after = change.before or {}, change.after or {}
    if change.target_kind == Change.Target.ITEM:
        return asked["item"].format(after=after.get("content", ""))
    field = f"{change.field_name} {change.form_subject}".strip()
    form = asked["change"] if "value" in before else asked["first"]
    return form.format(field=field, before=before.get("value"), after=after.get("value"))


def _choices(change: Change) -> list[dict[str, Any]]:
    before, after = change.before or {}, change.after or {}
    name = "content" if change.target_kind == Change.Target.ITEM else "value"
    return [
        {"code": "new", "value": after.get(name)},
        {"code": "keep", "value": before.get(name)},
        {"code": "exception", "value": None},
    ]
