"""Words of the whitelist pages: columns of a field, what they may be, and why an edit was refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from memoryhub.exceptions import InvalidInput
from reviews.policy_words import NUMBERS

type Words = dict[str, Promise | str]

COLUMNS: Words = {
    "label_en": _("Label in English"),
    "label_zh": _("Label in Chinese"),
    "value_type": _("Type of value"),
    "choices": _("Choices"),
    "minimum": _("Smallest"),
    "maximum": _("Largest"),
    "max_length": _("Longest value"),
    "aliases": _("Aliases"),
    "multi_valued": _("Several values"),
    "key_attribute": _("Key attribute"),
    "safety": _("Safety"),
    "sensitivity": _("Sensitivity"),
    "default_importance": _("Importance"),
    "conflict_policy": _("When values conflict"),
    "tolerance": _("Tolerance"),
    "lifetime_days": _("Lifetime in days"),
    "review_mode": _("Review"),
    "least_trust_tier": _("Least trust tier"),
    "writer_roles": _("Who may say it"),
    "writer_agents": _("Which agents may write it"),
    "decay_rate": _("Decay per day"),
    "active": _("In use"),
}
HINTS: Words = {
    "choices": _("One on each line; only for the type “choice”."),
    "minimum": _("Only for numbers and amounts."),
    "max_length": _("In characters."),
    "aliases": _("One on each line, in any language: the words that name this field in a question."),
    "multi_valued": _("A new value stands beside the others instead of replacing them."),
    "key_attribute": _("Never fades and never goes cold."),
    "safety": _("Told in every recall, whatever was asked."),
    "default_importance": _("0 to 1, when nobody claims another."),
    "tolerance": _("A share for numbers, hours for dates: within it a newer value just updates."),
    "lifetime_days": _("Empty: until something replaces it."),
    "least_trust_tier": _("1 is the open web, 4 the owner and the operators."),
    "writer_roles": _("None chosen: everybody."),
    "writer_agents": _("None chosen: all agents."),
    "decay_rate": _("0 to 1; 0.02 leaves half after five weeks."),
    "active": _("Without it nothing new is stored; what is stored stays readable."),
}
VALUE_TYPES: Words = {
    "text": _("text"),
    "number": _("number"),
    "money": _("amount of money"),
    "date": _("date"),
    "datetime": _("date and time"),
    "boolean": _("yes or no"),
    "choice": _("choice"),
}
CONFLICT_POLICIES: Words = {
    "replace": _("the newer one replaces the older"),
    "confirm": _("the owner is asked"),
    "review": _("a person decides"),
}
REVIEW_MODES: Words = {
    "gate": _("waits for a person"),
    "patrol": _("live at once, a sample is checked"),
    "none": _("live at once"),
}
SENSITIVITIES: Words = {
    "normal": _("normal"),
    "personal": _("personal"),
    "health": _("health"),
    "financial": _("financial"),
}
EDIT_ACTIONS: Words = {
    "start": _("as the workspace was made"),
    "create": _p("whitelist", "added"),
    "edit": _("edited"),
    "alias": _("alias added"),
    "restore": _("restored"),
}
PROBLEMS: Words = {
    "blank": _("This must not be blank."),
    "unknown": _("This is not one of the choices."),
    "bad_name": _("Lower-case letters, digits and underscores, a letter first, 60 at most."),
    "taken": _("There is one of this name already."),
    "choices_missing": _("A choice needs choices."),
    "choices_without_choice": _("Only the type “choice” has choices."),
    "bounds_without_number": _("Only numbers and amounts have a smallest and a largest value."),
    "below_the_minimum": _("This is below the smallest value."),
    "number_not_finite": _("This is not a finite number."),
    "tolerance_without_measure": _("Only numbers, amounts and dates have a tolerance."),
    "text_too_long": _("This is too long."),
    "nul_character": _("This holds characters that cannot be read."),
    "lone_surrogate": _("This holds characters that cannot be read."),
    "too_many": _("These are too many."),
    "wrong_type": _("This is not a number."),
    "unchanged": _("Nothing would change."),
    "weights": _("The four weights must add up to 1."),
}
STORED_RULES: Words = {
    "wrong_type": _("it is not of this type"),
    "not_a_choice": _("it is not one of these choices"),
    "out_of_range": _("it is out of this range"),
    "too_long": _("it is longer than this"),
    "blank_value": _("it would be blank"),
    "stored_one_by_one": _("one value and several are kept in different ways"),
}

WORDS: dict[str, Words] = {
    "column": COLUMNS,
    "column_hint": HINTS,
    "value_type": VALUE_TYPES,
    "conflict_policy": CONFLICT_POLICIES,
    "review_mode": REVIEW_MODES,
    "sensitivity": SENSITIVITIES,
    "whitelist_edit": EDIT_ACTIONS,
    "problem": PROBLEMS,
    "stored_rule": STORED_RULES,
}


def problem_of(error: InvalidInput) -> str:
    """Why an edit was refused, in a sentence."""
    details: Mapping[str, Any] = error.details
    match error.code:
        case "stored_values":
            number = details["count"]
            return ngettext(
                "%(n)s stored value would break this: %(rule)s. Change that value first.",
                "%(n)s stored values would break this: %(rule)s. Change those values first.",
                number,
            ) % {"n": number, "rule": STORED_RULES.get(details["rule"], details["rule"])}
        case "alias_taken":
            return gettext("“%(alias)s” names the field %(field)s already.") % dict(details)
        case "repeated":
            return gettext("“%(word)s” is given twice.") % {"word": details.get("word", "")}
        case "out_of_range":
            return gettext("Between %(least)s and %(most)s.") % dict(details)
        case "above":
            return gettext("This must not be above “%(other)s”.") % {
                "other": NUMBERS.get(details["other"], "")
            }
    return str(PROBLEMS.get(error.code, error.code))
