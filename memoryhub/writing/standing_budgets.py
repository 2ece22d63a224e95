"""Whose budget is meant when nobody is named: 'the budget was raised' speaks of the one that stands.

Asked in the owner's turn, before admission; nothing is written here.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memoryhub.language.patterns import lazy_pattern
from memoryhub.models import FieldVersion
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import FormCandidate
from memoryhub.writing.rules.budgets import BUDGET_SPOKEN_OF

OWN, PROJECT = ("user_profile", "budget"), ("project_config", "max_budget")
_MARKED = lazy_pattern(
    r"我(?!们|們)|个人|個人|项目|項目|专案|公司|团队|部门|\b(?:my|i|personal|our|we|project|team|company|department)\b|\bi['’]",
    re.IGNORECASE,
)

_CLAUSE = lazy_pattern(r"[，,；;。！!？?\n](?!\d)|,?\s+so\s+", re.IGNORECASE)
_AMOUNT = lazy_pattern(r"\d|[百千万]|budget|预算", re.IGNORECASE)


def _marked(quote: str) -> bool:
    """'I got a bonus, so raise the budget' marks nothing: whose it is stands in the clause of the budget."""
    return any(_MARKED.search(part) for part in _CLAUSE.split(quote) if part and _AMOUNT.search(part))


def placed_budget(candidate: FormCandidate, act: Act) -> FormCandidate:
    """The budget under the one field that holds one, when the sentence says neither 'my' nor 'the project's'."""
    if (candidate.form_type, candidate.field) not in (OWN, PROJECT):
        return candidate
    if BUDGET_SPOKEN_OF not in candidate.flags and _marked(candidate.quote):
        return candidate
    active = FieldVersion.objects.of(act.owner.id).filter(status=FieldVersion.Status.ACTIVE)
    held = {
        (form_type, field)
        for form_type, field in active.filter(field__name__in=(OWN[1], PROJECT[1])).values_list(
            "field__form_type__name", "field__name"
        )
        if (form_type, field) in (OWN, PROJECT)
    }
    if len(held) != 1:
        return candidate
    ((form_type, field),) = held
    return replace(candidate, form_type=form_type, field=field)
