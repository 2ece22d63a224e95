"""Words of the session pages: states, why a value is no longer the current one, and what became of it."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

WORDS: dict[str, Words] = {
    "session_state": {"open": _p("session", "open"), "ended": _p("session", "ended")},
    "session_end": {"request": _("an agent ended it"), "timeout": _("nobody spoke in it any more")},
    "session_outcome": {
        "resolved": _p("session", "resolved"),
        "escalated": _p("session", "escalated"),
        "repeated": _p("session", "asked again"),
    },
    "slot_reason": {
        "user_correction": _("corrected by the user"),
        "system_correction": _("corrected by a system"),
        "timeout": _("its time was over"),
        "restored": _("an earlier value came back"),
        "ended": _("the session ended"),
    },
    "slot_fate": {
        "promoted": _("kept for good"),
        "in_review": _("waits for a person"),
        "dropped": _("dropped"),
    },
    "slot_held": {
        "low_trust": _("not served: set by a key of little trust"),
        "instruction_like": _("not served: reads like an instruction"),
        "secret": _("not served: holds a secret"),
    },
    "said_by": {"user": _("the user said so"), "system": _("a system found it")},
    "context_kind": {
        "order": _p("session", "order"),
        "ticket": _p("session", "ticket"),
        "parcel": _p("session", "parcel"),
        "task": _p("session", "task"),
        "project": _("project"),
    },
}
REASONS: Words = {"quota_exceeded": _("more writes than the quota allows")}
TONES: dict[str, dict[str, str]] = {
    "session_state": {"open": "bg-info-subtle text-info-emphasis"},
    "slot_fate": {
        "promoted": "bg-success-subtle text-success-emphasis",
        "in_review": "bg-warning-subtle text-warning-emphasis",
    },
    "session_outcome": {
        "resolved": "bg-success-subtle text-success-emphasis",
        "escalated": "bg-warning-subtle text-warning-emphasis",
        "repeated": "bg-warning-subtle text-warning-emphasis",
    },
}
