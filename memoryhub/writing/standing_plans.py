"""Which of the owner's plans a choice or a refusal is about: the one of its topic, the only one, the one that held before.

Asked in the owner's turn, before admission; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryhub.language.values import normalise_value
from memoryhub.models import FieldVersion
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import FormCandidate
from memoryhub.writing.rules.described_plans import (
    OF_STANDING_PLAN,
    PLAN_SPOKEN_OF,
    WEIGHED_BEFORE,
    topic_of,
)
from memoryhub.writing.whitelist import FieldSpec

SHARED_END = 2
"""Chinese plans of one sort end with the same characters (灰度发布, 蓝绿发布); English ones with the same word."""

NAMED_CHARACTERS, NAMED_LETTERS = 3, 3
"""So much of the standing plan's name must be in a sentence that leaves it."""
_LOOKED_UP = (OF_STANDING_PLAN, WEIGHED_BEFORE, PLAN_SPOKEN_OF)

Status = FieldVersion.Status


def placed_plan(candidate: FormCandidate, field: FieldSpec, act: Act) -> FormCandidate | None:
    """The chosen plan under the subject it is kept under; None when the words continue no standing plan."""
    standing = _standing(field, act)
    if OF_STANDING_PLAN in candidate.flags:
        return _continued(candidate, field, act, standing)
    if candidate.subject or any(not version.form.subject for version in standing):
        return candidate
    if len(standing) == 1:
        return replace(candidate, subject=standing[0].form.subject)
    norm = normalise_value(candidate.value, "text")
    held = [version for version in standing if _held_before(version, norm, field, act)]
    return replace(candidate, subject=held[0].form.subject) if len(held) == 1 else candidate


def plan_of_topic(option: str, field: FieldSpec, act: Act) -> FieldVersion | None:
    """The standing plan that 'the refund plan' means by its topic, None when there is none of that topic."""
    topic = normalise_value(topic_of(option), "text")
    if not topic:
        return None
    meant = [each for each in _standing(field, act) if normalise_value(each.form.subject, "text") == topic]
    return meant[0] if meant else None


def _standing(field: FieldSpec, act: Act) -> list[FieldVersion]:
    """The plans that hold, the one that changed last first."""
    active = FieldVersion.objects.of(act.owner.id).filter(field_id=field.id, status=Status.ACTIVE)
    return list(active.select_related("form").order_by("-known_from", "-version"))


def _continued(
    candidate: FormCandidate, field: FieldSpec, act: Act, standing: Sequence[FieldVersion]
) -> FormCandidate | None:
    flags = tuple(flag for flag in candidate.flags if flag not in _LOOKED_UP)
    norm = normalise_value(candidate.value, "text")
    for version in standing:
        if former := _held_before(version, norm, field, act):
            return replace(candidate, value=former.value, subject=version.form.subject, flags=flags)
    same_sort = [version for version in standing if _is_of_one_sort(norm, version.value_norm)]
    if not same_sort:
        same_sort = [version for version in standing if _is_named_as_left(version, candidate)]
    if not same_sort and len(standing) == 1 and {WEIGHED_BEFORE, PLAN_SPOKEN_OF} & {*candidate.flags}:
        same_sort = [*standing]
    return replace(candidate, subject=same_sort[0].form.subject, flags=flags) if same_sort else None


def _held_before(version: FieldVersion, norm: str, field: FieldSpec, act: Act) -> FieldVersion | None:
    """The latest value of the version's form, this one or an earlier, that says what `norm` says."""
    told = FieldVersion.objects.of(act.owner.id).filter(field_id=field.id, form_id=version.form_id)
    for former in told.exclude(status=Status.RETRACTED).order_by("-version"):
        if norm in former.value_norm or former.value_norm in norm:
            return former
    return None


def _is_named_as_left(version: FieldVersion, candidate: FormCandidate) -> bool:
    """快闪店不弄了，…改做直播, 'the deck is too expensive, so …': the sentence names the plan that stands beside the new one."""
    said = normalise_value(candidate.quote, "text").replace(normalise_value(candidate.value, "text"), " ")
    plan = version.value_norm
    if plan.isascii():
        return any(len(word) >= NAMED_LETTERS and word in said.split() for word in plan.split()[-2:])
    parts = {plan[at : at + NAMED_CHARACTERS] for at in range(max(1, len(plan) - NAMED_CHARACTERS + 1))}
    return any(len(part) > 1 and part in said for part in parts)


def _is_of_one_sort(one: str, other: str) -> bool:
    if one.isascii() and other.isascii():
        return " " in one and " " in other and one.split()[-1] == other.split()[-1]
    return len(one) > SHARED_END and one[-SHARED_END:] == other[-SHARED_END:]
