"""Words of the pages about policies on trial."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

STATES: Words = {
    "proposed": _("waits for a second person"),
    "running": _p("trial", "running"),
    "halted": _p("trial", "halted"),
    "ended": _p("trial", "ended"),
    "rejected": _("rejected"),
    "withdrawn": _("withdrawn"),
}
ENDS: Words = {
    "decided": _("ended by two people"),
    "policy_switched": _("another policy came into force"),
    "share_changed": _("went on with another share"),
    "version_closed": _("its version was rejected or taken back"),
}
FIGURES: Words = {
    "answered": _("Anything told"),
    "hit": _("Hit rate"),
    "pollution": _("Pollution rate"),
    "stale": _("Stale told"),
    "repeated": _("Asked again"),
    "resolved": _("Resolved at first contact"),
    "tokens": _("Tokens of an answer"),
    "milliseconds": _("Milliseconds of a recall"),
}
FIGURE_HINTS: Words = {
    "answered": _("recalls that told anything"),
    "hit": _("of recalls that were judged, those that told something used"),
    "pollution": _("of memories that were told and judged, those useless or harmful"),
    "stale": _("of values and memories told, those that did not hold any more, as is known by now"),
    "repeated": _("questions whose subject came again within 7 days"),
    "resolved": _("of conversations with an outcome, those resolved whose questions did not come again"),
    "tokens": _("mean"),
    "milliseconds": _("mean"),
}
VERDICTS: Words = {
    "better": _p("trial", "better"),
    "worse": _p("trial", "worse"),
    "unclear": _p("trial", "no clear difference"),
    "too_few": _p("trial", "too few"),
}
REPEAT_SIGNS: Words = {
    "same_words": _("the same words"),
    "same_field": _("the same field"),
    "same_names": _("the same names"),
    "meaning": _("its meaning"),
}
JOB_KINDS: Words = {"find_repeats": _("look for questions asked again")}
TONES = {
    "policy_trial_state": {
        "running": "bg-success-subtle text-success-emphasis",
        "halted": "bg-warning-subtle text-warning-emphasis",
    },
    "trial_verdict": {
        "better": "bg-success-subtle text-success-emphasis",
        "worse": "bg-danger-subtle text-danger-emphasis",
    },
}
PROBLEMS: Words = {
    "not_in_a_trial": _(
        "A trial is about reading alone, and this version also changes “%(name)s”, which decides at the door."
    ),
    "unchanged": _("It reads as the policy in force does: there is nothing to compare."),
    "out_of_range": _("Between 1 and 50 percent."),
    "blank": _("Say why."),
}

WORDS: dict[str, Words] = {
    "policy_trial_state": STATES,
    "policy_trial_end": ENDS,
    "trial_figure": FIGURES,
    "trial_figure_hint": FIGURE_HINTS,
    "trial_verdict": VERDICTS,
    "repeat_sign": REPEAT_SIGNS,
}
