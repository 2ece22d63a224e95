"""Words for what a rollback does, why something is suspect, and what an incident holds."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

EFFECTS: Words = {
    "restore": _("goes back to the earlier value"),
    "retract": _("is taken back"),
    "reapply": _("is brought back"),
    "keep": _("the later value stays"),
    "history": _("only the past changes"),
    "relabel": _("the edit is undone"),
    "unconfirm": _("the confirmation is taken back"),
    "withdraw": _("the proposal is withdrawn"),
    "repropose": _("is proposed again"),
    "unchanged": _("stays as it is"),
    "several": _("several values"),
    "nothing": _("nothing to undo"),
}
CONFLICTS: Words = {
    "later_edit": _("edited later by somebody else"),
    "confirmed_elsewhere": _("confirmed by another source"),
}
SKIPPED: Words = {
    "owner_frozen": _("the owner is frozen"),
    "owner_erased": _("the owner is being erased"),
    "nothing_to_undo": _("nothing to undo: it is so already"),
    "history_incomplete": _("its history is incomplete, so it is left alone"),
}
RECHECK_FAILURES: Words = {
    "already_asked": _("it waits for a person already"),
    "owner_frozen": _("the owner is frozen"),
    "owner_erased": _("the owner is being erased"),
    "not_found": _("no change in force wrote it"),
    "not_standing": _("it does not stand now"),
}
UNSAID: Words = {"30": _("30 days"), "90": _("90 days"), "365": _("a year")}
AGE_BANDS: Words = {
    "day": _("within a day"),
    "week": _("within a week"),
    "month": _("within a month"),
    "quarter": _("within three months"),
    "year": _("within a year"),
    "older": _("longer ago"),
}
OPERATIONS: Words = {
    "undo": _("undone"),
    "redo": _("brought back"),
    "withdraw": _("withdrawn"),
    "repropose": _("proposed again"),
}
MEMORY_SORTS: Words = {
    "learned": _("when it was learned"),
    "importance": _("importance"),
    "confidence": _("confidence"),
    "strength": _("strength"),
}
ACTS: Words = {
    "pipeline": _("learned from events"),
    "write_field": _("a field was written"),
    "write_memory": _("a sentence was written"),
    "promote_slot": _("a value of a session was kept for good"),
    "edit_memory": _("a sentence was edited"),
    "mark_key_attribute": _("a key attribute was marked or unmarked"),
    "remove_field": _("a field was emptied"),
    "derive": _("concluded from other memories"),
    "rollback": _("rollback"),
    "approve": _("approved"),
    "approve_with_edit": _("approved with an edit"),
    "reject": _("rejected"),
    "undo": _("a decision was undone"),
}
TRANSPORTS: Words = {
    "api": "REST",
    "http": "REST",
    "rest": "REST",
    "mcp": "MCP",
    "job": _("background work"),
    "page": _("the desk"),
    "desk": _("the desk"),
}
SIGNALS: Words = {
    "harmful_feedback": _("an agent called it harmful"),
    "evidence_gone": _("its evidence does not hold any more"),
    "contradicted_later": _("contradicted by a later event"),
    "proposer_often_rejected": _("its agent is often rejected (percent)"),
    "useless_feedback": _("an agent called it useless"),
    "served_never_used": _("served often, never reported used"),
    "single_source_important": _("important, but from one source"),
}
VIAS: Words = {
    "value": _p("blast radius", "written"),
    "derived": _p("blast radius", "derived"),
    "event": _p("blast radius", "event"),
}
VERDICTS: Words = {"used": _("used"), "useless": _("useless"), "harmful": _("harmful")}
INCIDENT_STATES: Words = {"open": _p("incident", "open"), "closed": _("closed")}
CHANGE_ACTIONS: Words = {
    "restore": _("restored"),
    "reapply": _("brought back"),
    "keep": _("taken out of the past"),
    "unconfirm": _("confirmation taken back"),
    "relabel": _("edit undone"),
    "withdraw": _("withdrawn"),
    "repropose": _("proposed again"),
}
JOB_KINDS: Words = {"rollback": _("roll back")}
REASONS: Words = {
    "rolled_back": _("rolled back"),
    "rollback_undone": _("the rollback was undone"),
}

WORDS: dict[str, Words] = {
    "effect": EFFECTS,
    "conflict": CONFLICTS,
    "skipped": SKIPPED,
    "operation": OPERATIONS,
    "recheck_failure": RECHECK_FAILURES,
    "age_band": AGE_BANDS,
    "unsaid": UNSAID,
    "memory_sort": MEMORY_SORTS,
    "act": ACTS,
    "transport": TRANSPORTS,
    "signal": SIGNALS,
    "via": VIAS,
    "incident_state": INCIDENT_STATES,
    "verdict": VERDICTS,
}
