"""Words of the review pages: kinds, states, outcomes, reasons and steps of a review."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

KINDS: Words = {
    "proposal": _("proposal"),
    "recheck": _("evidence re-check"),
    "patrol": _("patrol sample"),
}
STATES: Words = {
    "open": _p("review", "open"),
    "deferred": _("deferred"),
    "waiting_owner": _("waiting for user"),
    "second_review": _("waits for a second person"),
    "decided": _("decided"),
}
REVIEW_OUTCOMES: Words = {
    "approved": _("approved"),
    "edited": _("approved with an edit"),
    "rejected": _("rejected"),
    "merged": _("merged"),
    "reaffirmed": _("reaffirmed"),
    "retracted": _("taken back"),
    "withdrawn": _("withdrawn"),
}
REJECT_REASONS: Words = {
    "evidence_missing": _("no evidence"),
    "evidence_contradicts": _("the evidence says otherwise"),
    "joke_or_sarcasm": _("joke or sarcasm"),
    "wrong_owner": _("about somebody else"),
    "pronoun_unresolved": _("unclear who or what is meant"),
    "temporary_state": _("only for the moment"),
    "duplicate": _("already known"),
    "sensitive_data": _("sensitive data"),
    "prompt_injection": _("prompt injection"),
    "superseded_by_newer": _("replaced by something newer"),
    "field_not_allowed": _("does not belong in this field"),
    "other": _("another reason"),
}
"""In the order of the keys: 1 to 9, - and =, and 0 for another reason."""

MORE_REASONS: Words = {
    "owner_kept": _("the user keeps the old value"),
    "exception": _("meant for this once"),
    "undo": _("taken back within a minute"),
    **{
        code: word
        for code, word in REJECT_REASONS.items()
        if code not in ("duplicate", "field_not_allowed", "evidence_missing")
    },
    "regressed": _("came back after it was rejected or rolled back"),
    "rejected_before": _("was rejected before"),
    "agent_is_gated": _("this agent's writes wait"),
}
"""Reasons that decisions and gates of the review add to those of the write path."""
STEPS: Words = {
    "approve_first": _("first yes"),
    "approve": _("approved"),
    "approve_with_edit": _("approved with an edit"),
    "reject": _("rejected"),
    "defer": _("deferred"),
    "escalate": _("handed to a second person"),
    "ask_owner": _("asked the user"),
    "merge": _("merged"),
    "skip": _("skipped"),
    "undo": _("decision taken back"),
    "reaffirm": _("reaffirmed"),
    "retract": _("taken back"),
    "wait_afresh": _("the value moved before the approval took effect; it waits again"),
}
RISK_PARTS: Words = {
    "importance": _("half its importance"),
    "harmful_feedback": _("an agent called it harmful"),
    "highest_importance": _("a reviewed field of the highest importance"),
    "regressed": _("came back after it was rejected or rolled back"),
    "agent_is_gated": _("this agent's writes wait"),
}
TABS: Words = {
    "mine": _("Mine"),
    "unclaimed": _("Unclaimed"),
    "overdue": _("Overdue"),
    "high": _("High risk"),
    "regressed": _("Regressed"),
    "recheck": _("Evidence re-check"),
    "second": _("Second person"),
    "waiting": _("Waiting for user"),
    "patrol": _("Patrol sample"),
    "all": _p("reviews", "All"),
}
RISK_BANDS: Words = {
    "high": _("70 % and more"),
    "medium": _("40 % to 70 %"),
    "low": _("below 40 %"),
}
AGES: Words = {
    "hour": _("an hour"),
    "workday": _("8 hours"),
    "day": _("a day"),
    "week": _("a week"),
}
WAITED: Words = {
    "hour": _("under an hour"),
    "workday": _("1 to 8 hours"),
    "day": _("8 to 24 hours"),
    "days": _("1 to 3 days"),
    "week": _("3 to 7 days"),
    "longer": _("a week and more"),
}
FAILURES: Words = {
    "review_moved": _("it has moved since it was shown"),
    "evidence_mismatch": _("the quote does not stand in its event any more"),
    "own_proposal": _(
        "whoever answers for a change does not decide it, and nobody is both of the two people"
    ),
    "top_class": _("the highest class is decided one by one, by two people"),
    "owner_frozen": _("the owner is frozen"),
    "owner_erased": _("the owner is being erased"),
    "not_found": _("it is not there any more"),
    "wrong_move": _("its state does not allow it"),
    "version_required": _("the page did not say which version was shown"),
    "too_late_to_undo": _("the time to undo is over, or something was built on the value since"),
    "unknown_reason": _("choose a reason"),
    "blank": _("say it in words"),
    "blank_value": _("the value is blank"),
    "wrong_type": _("the value is of the wrong type"),
    "not_a_choice": _("the value is not one of the choices"),
    "out_of_range": _("out of range"),
    "too_long": _("too long"),
    "not_skippable": _("the highest class cannot be skipped"),
    "duplicate": _("another memory says this already"),
    "not_editable": _("only a proposal can be edited"),
    "rollback_moved": _("the memory has moved meanwhile; try again"),
    "unknown_action": _("there is no such action"),
}
VERDICTS: Words = {
    "gate": _("should wait for a person"),
    "patrol": _("may go live at once"),
    "stay": _("stays as it is"),
}

OVERTURNS: Words = {
    "undone": _("taken back within a minute"),
    "rolled_back": _("rolled back later"),
    "taken_back": _("taken back on a second look"),
    "not_seconded": _("refused by the second person"),
}
COUNTED: Words = {
    "by_people": _("decided by a person"),
    **OVERTURNS,
    "seconded": _("looked at by a second person"),
    "agreed": _("the second person agreed"),
    "sampled": _("patrol sample"),
    "sample_taken_back": _("patrol sample taken back"),
}
KEY_FAULTS: Words = {
    "not_a_key": _("not one of the characters that can be chosen"),
    "taken": _("two actions have this key"),
}

REVIEW_WORDS: dict[str, Words] = {
    "review_kind": KINDS,
    "review_state": STATES,
    "review_outcome": REVIEW_OUTCOMES,
    "reject_reason": REJECT_REASONS,
    "review_step": STEPS,
    "risk_part": RISK_PARTS,
    "review_tab": TABS,
    "risk_band": RISK_BANDS,
    "review_age": AGES,
    "waited": WAITED,
    "review_failure": FAILURES,
    "patrol_verdict": VERDICTS,
    "overturn": OVERTURNS,
    "counted": COUNTED,
    "key_fault": KEY_FAULTS,
}
