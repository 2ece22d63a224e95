"""Words of the sharing page: what a link lets through and which way, and what hinders one."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

WORDS: dict[str, Words] = {
    "link_direction": {
        "reads": _("is read along"),
        "proposes": _("takes proposals"),
        "both": _("is read along and takes proposals"),
    },
    "link_kind": {
        "rule": _("rules and safety facts"),
        "form": _("other fields"),
        "episodic": _("events remembered"),
        "semantic": _("facts remembered"),
        "procedural": _("procedures"),
        "knowledge": _("documents"),
    },
    "link_problem": {
        "linked_to_itself": _("An owner is not linked to itself."),
        "not_shared": _("A link leads to a team, a project or a domain."),
        "not_found": _("Nobody of this reference in this workspace."),
        "owner_frozen": _("One of the two is frozen; nothing was done."),
        "owner_erased": _("One of the two is being erased; nothing was done."),
        "not_linked": _("The link does not let this through."),
        "quota_exceeded": _("more writes than the quota allows"),
        "unknown_form_type": _("One of these form types is not there any more."),
    },
    "layer": {
        "session": _p("layer", "conversation"),
        "user": _p("layer", "own memory"),
        "team": _("team"),
        "project": _("project"),
        "domain": _("domain"),
    },
}
REASONS: Words = {
    "promotion": _("from a member's memory"),
    "already_shared": _("it is known there already"),
    "source_ended": _("the memory it came from was taken back"),
    "promoted": _("as its member's memory"),
    "not_linked": _("no link proposes this there"),
}
RULES: Words = {"team_beats_domain": _("a team or project has a value of its own")}
LEGS: Words = {"shared": _("shared by teams, projects and domains")}
