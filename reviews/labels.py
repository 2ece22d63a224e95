"""Words for the codes that are stored, in the reader's language. A code without a word is shown as it is, so nothing hides."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

OWNER_KINDS: Words = {"user": _("person"), "team": _("team"), "project": _("project"), "domain": _("domain")}
OWNER_STATES: Words = {"active": _("active"), "frozen": _("frozen"), "erasing": _("being erased")}
ROLES: Words = {
    "user": _("user"), "assistant": _("assistant"), "tool": _("tool"), "system": _("system"), "staff": _("staff"),
}
ACTIONS: Words = {
    "message": _("message"), "decision": _("decision"), "change": _p("event", "change"), "execution": _("execution"),
    "feedback": _("feedback"), "observation": _("observation"), "commitment": _("commitment"),
    "correction": _("correction"),
}
EVENT_STATES: Words = {"accepted": _("waiting"), "processed": _("processed"), "failed": _("failed")}
TIERS: Words = {
    "hot": _("fresh"), "warm": _("in use"), "cold": _("cold"), "compacted": _("compacted"),
}
STATUSES: Words = {
    "active": _p("value", "current"), "scheduled": _("scheduled"), "superseded": _("superseded"),
    "historical": _("historical"), "retracted": _("retracted"), "expired": _("expired"), "archived": _("archived"),
    "forgotten": _("forgotten"),
}
BASES: Words = {
    "stated": _("stated"), "corrected": _("corrected"), "observed": _("observed"), "inferred": _("inferred"),
    "imported": _("imported"), "staff": _("by staff"),
}
ITEM_KINDS: Words = {
    "episodic": _("episodic"), "semantic": _("semantic"), "procedural": _("procedural"), "knowledge": _("knowledge"),
}
CHANGE_STATES: Words = {
    "proposed": _("proposed"), "applied": _("applied"), "rejected": _("rejected"), "expired": _("expired"),
    "withdrawn": _("withdrawn"), "merged": _("merged"), "reverted": _("reverted"),
}
CHANGE_ACTIONS: Words = {
    "create": _("first value"), "supersede": _("new value"), "reinforce": _("confirmed again"),
    "correct": _("corrected"), "remove": _("removed"), "record_late": _("recorded late"), "schedule": _("scheduled"),
    "edit": _("edited"),
}
OUTCOMES: Words = {
    "stored": _("stored"), "reinforced": _("confirmed again"), "superseded": _("replaced the earlier value"),
    "historical": _("kept as history"), "scheduled": _("scheduled"), "in_review": _("waits for review"),
    "session_only": _("session only"), "refused": _("refused"), "duplicate": _("already known"),
}
JOB_STATES: Words = {"queued": _("queued"), "running": _("running"), "done": _("done"), "parked": _("parked")}
TARGETS: Words = {"field_version": _("field"), "item": _("memory item"), "form": _("field"), "event": _("event")}
ENTRY_KINDS: Words = {
    "form": _("form field"), "field_version": _("form field"), "item": _("memory item"), "event": _("event"),
    "window": _("conversation window"), "rule": _("business rule"),
}
CERTAINTIES: Words = {"fact": _("fact"), "inferred": _("inferred"), "policy": _("policy")}

WORDS: dict[str, Words] = {
    "owner_kind": OWNER_KINDS, "owner_state": OWNER_STATES, "role": ROLES, "action": ACTIONS,
    "event_state": EVENT_STATES, "tier": TIERS, "status": STATUSES, "basis": BASES, "item_kind": ITEM_KINDS,
    "change_state": CHANGE_STATES, "change_action": CHANGE_ACTIONS, "outcome": OUTCOMES, "job_state": JOB_STATES,
    "target": TARGETS, "entry_kind": ENTRY_KINDS, "certainty": CERTAINTIES,
}

CALM, GOOD, CARE, BAD = "bg-neutral", "bg-success-subtle text-success-emphasis", "bg-warning-subtle text-warning-emphasis", "bg-danger-subtle text-danger-emphasis"
INFO = "bg-info-subtle text-info-emphasis"
TONES: dict[str, dict[str, str]] = {
    "owner_state": {"active": CALM, "frozen": INFO, "erasing": BAD},
    "event_state": {"accepted": INFO, "processed": CALM, "failed": BAD},
    "status": {"active": GOOD, "scheduled": INFO, "retracted": BAD},
    "basis": {"inferred": CARE, "corrected": INFO},
    "change_state": {"proposed": CARE, "applied": GOOD, "rejected": BAD, "reverted": CARE},
    "outcome": {"stored": GOOD, "reinforced": GOOD, "superseded": GOOD, "in_review": CARE, "refused": BAD},
    "job_state": {"parked": BAD, "running": INFO, "queued": INFO},
}


def word_for(code: str, vocabulary: str) -> str:
    """The word for a stored code; the code itself when there is none."""
    return str(WORDS[vocabulary].get(code, code))


def tone_for(code: str, vocabulary: str) -> str:
    """The badge classes of a code: quiet unless it asks for attention."""
    return TONES.get(vocabulary, {}).get(code, CALM)


def choices(vocabulary: str) -> list[tuple[str, str]]:
    return [(code, str(word)) for code, word in WORDS[vocabulary].items()]
