"""The question a proposed change puts to its owner: what is said, and which answers are understood.

Pure but for the one look at how the fields are called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from memoryhub.models import Change, FieldDefinition, Question
from memoryhub.policies import Policy

_ASKED = {
    "zh": {
        "change": "之前记录的“{field}”是“{before}”，这次说的是“{after}”。要更新吗，还是只是这一次的例外？",
        "first": "想确认一下：“{field}”是“{after}”，对吗？",
        "item": "想确认一下：{after}。对吗？",
        "outdated": "之前记录的“{field}”是“{before}”，听说已经不是这样了。现在还是“{before}”吗？",
    },
    "en": {
        "change": "Earlier “{field}” was “{before}”; this time you said “{after}”. Shall I update it, or is this an exception?",
        "first": "May I confirm: “{field}” is “{after}”?",
        "item": "May I confirm: {after}",
        "outdated": "Earlier “{field}” was “{before}”; I hear that this may be outdated. Is it still “{before}”?",
    },
}


REPORTED_OUTDATED = "reported_outdated"
KINDS = {"confirm_with_owner": "conflict", REPORTED_OUTDATED: "outdated"}
"""By the reason a proposal waits for: what kind of question is put to the owner by itself."""
_VALUES_ZH = {"likes": "喜欢", "dislikes": "不喜欢", "True": "是", "False": "否"}

type Labels = Mapping[tuple[str, str], str]
"""How a field is called, by form type and name."""

UNREAD = frozenset({"instruction_like", "low_trust", "lower_trust", "quote_not_in_event"})
"""Gates behind which words are not put to anybody's agent before a person has read them."""


def questions_for(
    changes: Sequence[Change], *, language: str, policy: Policy, now: datetime
) -> list[Question]:
    """Unsaved questions: one per proposal that the owner himself has to confirm. Looks at the fields' labels when there is any."""
    asked = [change for change in changes if is_asked(change)]
    labels = labels_of(asked, language=language)
    return [
        question_about(
            change, kind=KINDS[change.reason_code], language=language, policy=policy, now=now, labels=labels
        )
        for change in asked
    ]


def is_asked(change: Change) -> bool:
    """Whether a proposal is put to its owner by itself: his answer is waited for before anybody else looks."""
    return (
        change.state == Change.State.PROPOSED
        and change.reason_code in KINDS
        and not UNREAD.intersection(change.gates)
    )


def labels_of(changes: Sequence[Change], *, language: str) -> dict[tuple[str, str], str]:
    """How the fields of these changes are called in the owner's language; one look, none without a field."""
    names = {change.field_name for change in changes if change.field_name}
    if not names:
        return {}
    fields = FieldDefinition.objects.filter(
        form_type__workspace_id=changes[0].workspace_id, name__in=names
    ).values_list("form_type__name", "name", "label_zh" if language.startswith("zh") else "label_en")
    return {(form_type, name): label for form_type, name, label in fields}


def question_about(
    change: Change,
    *,
    kind: str,
    language: str,
    policy: Policy,
    now: datetime,
    labels: Labels,
    asked_by_id: int | None = None,
) -> Question:
    return Question(
        owner_id=change.owner_id,
        workspace_id=change.workspace_id,
        kind=kind,
        change_id=change.id,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        text=question_text(change, language=language, labels=labels),
        choices=_choices(change),
        asked_by_id=asked_by_id,
        expires_at=now + timedelta(days=policy.question_lifetime_days),
    )


def question_text(change: Change, *, language: str, labels: Labels) -> str:
    """The sentence to be said, in Chinese for a Chinese owner and in English otherwise."""
    chinese = language.startswith("zh")
    asked = _ASKED["zh" if chinese else "en"]
    before, after = change.before or {}, change.after or {}
    if change.target_kind != Change.Target.FIELD_VERSION:
        return asked["item"].format(after=after.get("content", ""))
    label = labels.get((change.form_type, change.field_name), change.field_name)
    about = f"（{change.form_subject}）" if chinese else f" ({change.form_subject})"
    told = {
        name: _VALUES_ZH.get(str(value), value) if chinese else value
        for name, value in (("before", before.get("value")), ("after", after.get("value")))
    }
    if change.reason_code == REPORTED_OUTDATED:
        form = asked["outdated"]
    else:
        form = asked["change"] if "value" in before else asked["first"]
    return form.format(field=f"{label}{about if change.form_subject else ''}", **told)


def _choices(change: Change) -> list[dict[str, Any]]:
    before, after = change.before or {}, change.after or {}
    name = "value" if change.target_kind == Change.Target.FIELD_VERSION else "content"
    if change.reason_code == REPORTED_OUTDATED:
        return [{"code": "new", "value": None}, {"code": "keep", "value": before.get(name)}]
    return [
        {"code": "new", "value": after.get(name)},
        {"code": "keep", "value": before.get(name)},
        {"code": "exception", "value": None},
    ]
