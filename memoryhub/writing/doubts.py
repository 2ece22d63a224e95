"""Why what a rule found is not stored after all: doubt in its clause, somebody else's words, a feeling, a thing for once."""

from __future__ import annotations

import re

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import Candidate, FormCandidate
from memoryhub.writing.rules.budgets import BUDGET_SPOKEN_OF
from memoryhub.writing.rules.refusals import OTHER_PARTY, is_decided_for_us, is_former, place_refusal
from memoryhub.writing.rules.statement import Found, Statement
from memoryhub.writing.screening import hesitates

_COMMON = frozenset({"current_plan", "max_budget", "budget", "deadline"})
# 方案乙先放一放，改用方案丙: to shelve one plan is no doubt about the other.
_SHELVED = lazy_pattern(
    r"(?:方案|计划)\s*[A-Za-z甲乙丙丁一二三四五六\d]{1,2}(?:也|就|先|都|还是)*放(?:一放|一边|着)|\b(?:plan|option)\s+\w{1,3}\s+(?:is|goes)\s+on\s+hold\b",
    re.IGNORECASE,
)
_KNOWN_FOR_SURE = frozenset({"user_profile", "contact"})


def is_no_feeling(candidate: Candidate) -> bool:
    """Likes and dislikes are felt, and so may be what one cannot eat or does not choose."""
    if not isinstance(candidate, FormCandidate):
        return False
    if candidate.form_type == "project_config":
        return candidate.field != "current_plan"
    return candidate.form_type == "user_profile" and candidate.field not in {
        "allergies",
        "diet",
        "pet",
        "commute",
    }


def may_be_for_once(candidate: Candidate) -> bool:
    """A way of living or of being reached may be meant for today; who somebody is may not."""
    if not isinstance(candidate, FormCandidate):
        return False
    name = candidate.field
    return candidate.form_type in {"preferences", "contact"} or name in {
        "commute",
        "language",
        "diet",
        "location",
        "current_plan",
    }


def misplaced(found: Found, statement: Statement) -> str:
    """Why the place in the sentence says that this is not the speaker's statement. Of a project others may decide, too."""
    code = place_refusal(statement.sentence, found.start, found.end)
    candidate = found.candidate
    if not code and _may_be_over(candidate) and is_former(statement.sentence, found.start, found.end):
        return "former"
    of_project = (
        candidate.field in _COMMON or candidate.form_type == "business_rule"
        if isinstance(candidate, FormCandidate)
        else "refused_option" in candidate.flags
    )
    if not code and of_project and _is_of_another_party(found, statement):
        return "other_person"
    if code in {"other_person", "reported_speech"} and (
        is_relayed(candidate) or _is_budget_told_on(candidate, statement)
    ):
        return ""
    return "" if code == "other_person" and of_project and is_decided_for_us(statement.text) else code


def _is_budget_told_on(candidate: Candidate, statement: Statement) -> bool:
    """房东免了租金，预算降回20万: what somebody else did is why ours changed; 'my boss cut it' goes on from what was told."""
    if not isinstance(candidate, FormCandidate) or "budget" not in candidate.field:
        return False
    return BUDGET_SPOKEN_OF in candidate.flags or bool(_CHANGED_OUR_BUDGET.search(statement.text))


_CHANGED_OUR_BUDGET = lazy_pattern(
    r"^(?:房东|财务|老板|领导|客户|甲方|公司|商家|供应商|施工队|物业|装修公司)[^，,。]{2,16}[，,](?:所以|那)?(?:我们的?)?预算(?:可以|又|就|能|要|得)*(?:加|降|提|减|压|砍|调|改|涨|恢复|回)"
)


def _is_of_another_party(found: Found, statement: Statement) -> bool:
    """'The other team's deadline': named in the clause of the value, before it."""
    start, _ = statement.sentence.clause_at(found.start)
    return OTHER_PARTY.search(statement.text, start, found.end) is not None


def _may_be_over(candidate: Candidate) -> bool:
    """Where one lived, worked or went by once; a name, a birthday or an allergy is none of these."""
    return (
        isinstance(candidate, FormCandidate)
        and candidate.operation == "set"
        and candidate.form_type == "user_profile"
        and candidate.field not in {"name", "birthday", "allergies"}
    )


def is_relayed(candidate: Candidate) -> bool:
    """Of a parcel or a repair one usually knows what a courier or a technician said."""
    return isinstance(candidate, FormCandidate) and candidate.form_type in {"order", "incident"}


def doubt(found: Found, statement: Statement) -> str:
    """Doubt anywhere in the sentence undoes a choice or a wish; who somebody is, only when the doubt stands in the same clause."""
    candidate = found.candidate
    if (
        isinstance(candidate, FormCandidate)
        and candidate.field == "current_plan"
        and hesitates(_SHELVED.sub(" ", statement.turn_text))
    ):
        return "hesitation"
    if not hesitates(_SHELVED.sub(" ", statement.text)):
        return ""
    if (
        not isinstance(candidate, FormCandidate)
        or candidate.form_type not in _KNOWN_FOR_SURE
        or candidate.field == "budget"
    ):
        return "hesitation"
    clauses = {
        statement.sentence.clause_at(place) for place in (found.start, max(found.end - 1, found.start))
    }
    return "hesitation" if any(hesitates(statement.text[start:end]) for start, end in clauses) else ""
