"""Words of the pages about entities, relations and their vocabulary."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

WORDS: dict[str, Words] = {
    "resolution": {
        "open": _p("complaint", "open"),
        "pending": _p("complaint", "pending"),
        "solved": _p("complaint", "solved"),
    },
    "relation_target": {"entity": _("a thing"), "text": _("plain words"), "date": _("a date")},
    "relation_attribute": {
        "strength": _("strength, 0 to 1"),
        "impact": _("impact, 1 to 3"),
        "resolution": _("resolution: open, pending or solved"),
    },
}
TARGETS: Words = {"relation": _("relation")}
LEGS: Words = {"relations": _("relations")}
LEG_NOTES: Words = {"nothing that is related is named": _("nothing that is related is named")}
ACTS: Words = {
    "write_relation": _("a relation was written"),
    "name_entity": _("other names of a thing were written"),
    "merge_entities": _("two things were made one"),
    "split_entity": _("a name was split off a thing"),
}
REASONS: Words = {
    "merges_entities": _("makes two known things, or two people, one"),
    "relation_not_allowed": _("relation is not in the vocabulary"),
    "entity_kind_not_allowed": _("kind of thing is not in the vocabulary"),
    "end_not_allowed": _("this relation is not between such things"),
    "takes_a_value": _("the relation takes a plain value"),
    "takes_an_entity": _("the relation takes a thing"),
    "value_missing": _("value is missing"),
    "value_too_long": _("value too long"),
    "not_a_date": _("not a date"),
    "name_missing": _("name is missing"),
    "name_too_long": _("name too long"),
    "same_ends": _("both ends are the same"),
    "attribute_not_allowed": _("the relation has no such attribute"),
    "strength_out_of_range": _("strength is 0 to 1"),
    "impact_out_of_range": _("impact is 1 to 3"),
    "unknown_resolution": _("unknown resolution"),
    "already_one": _("they are one thing already"),
}
PROBLEMS: Words = {
    "shape_in_use": _("Relations of this kind are stored already: this cannot change any more."),
    "value_is_single": _("A plain value has one place: tick “One target at a time”."),
    "unknown_choice": _("There is no such kind."),
    "not_a_share": _("This is 0 to 1."),
}
COLUMNS: Words = {
    "separates": _("Keeps apart"),
    "target": _("Leads to"),
    "family": _("Family"),
    "single": _("One target at a time"),
    "from_kinds": _("Starts at"),
    "to_kinds": _("May lead to"),
    "attributes": _("Attributes"),
    "warns": _("Warns"),
}
HINTS: Words = {
    "separates": _("A question about one of this kind is not answered with what is only about another."),
    "family": _("Relations of one family to one thing replace each other. Empty: its own name."),
    "single": _("A new target takes the old one's place."),
    "from_kinds": _("One name of a kind on each line; none: any."),
    "to_kinds": _("One name of a kind on each line; none: any."),
    "aliases": _("Words by which a question names it, one on each line."),
    "warns": _("A path that ends with it is a warning when something is recommended."),
}
