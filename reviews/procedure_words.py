"""Words of procedures: what is wrong with one, and where it stands in an answer."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

type Words = dict[str, Promise | str]

FAULTS: Words = {
    "blank": _("must not be blank"),
    "text_too_long": _("too long"),
    "too_short": _("too short to be found safely: at least two characters"),
    "too_many": _("too many"),
    "duplicate": _("the same twice"),
    "no_trigger": _("name at least one task, phrase or pattern that calls for it"),
    "bad_pattern": _("not a regular expression of RE2"),
    "matches_everything": _("this pattern is found in nearly every text"),
    "nul_character": _("unreadable characters"),
    "lone_surrogate": _("unreadable characters"),
    "rejected_before": _("this was rejected before"),
}
WORDS: dict[str, Words] = {"procedure_fault": FAULTS}
SECTIONS: Words = {"procedures": _("procedure")}
LEGS: Words = {"procedures": _("procedures")}
RULES: Words = {"procedure_over_budget": _("the procedure does not fit the budget")}
VERDICTS: Words = {"followed": _("followed")}
