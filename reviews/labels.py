"""Words for the codes that are stored, in the reader's language. A code without a word is shown as it is, so nothing hides."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from reviews import (
    document_words,
    link_words,
    policy_trial_words,
    policy_words,
    procedure_words,
    provider_words,
    recall_words,
    relation_words,
    rollback_labels,
    session_words,
    trust_words,
    whitelist_words,
)
from reviews.review_words import MORE_REASONS, REVIEW_WORDS

type Words = dict[str, Promise | str]

OWNER_KINDS: Words = {"user": _("person"), "team": _("team"), "project": _("project"), "domain": _("domain")}
OWNER_STATES: Words = {"active": _("active"), "frozen": _("frozen"), "erasing": _("being erased")}
ROLES: Words = {
    "user": _("user"),
    "assistant": _("assistant"),
    "tool": _("tool"),
    "system": _("system"),
    "staff": _("staff"),
}
ACTIONS: Words = {
    "message": _("message"),
    "decision": _("decision"),
    "change": _p("event", "change"),
    "execution": _("execution"),
    "feedback": _("feedback"),
    "observation": _("observation"),
    "commitment": _("commitment"),
    "correction": _("correction"),
}
EVENT_STATES: Words = {"accepted": _("waiting"), "processed": _("processed"), "failed": _("failed")}
TIERS: Words = {
    "hot": _("fresh"),
    "warm": _("in use"),
    "cold": _("cold"),
    "compacted": _("compacted"),
}
STATUSES: Words = {
    "active": _p("value", "current"),
    "scheduled": _("scheduled"),
    "superseded": _("superseded"),
    "historical": _("historical"),
    "retracted": _("retracted"),
    "expired": _("expired"),
    "archived": _("archived"),
    "forgotten": _("forgotten"),
}
BASES: Words = {
    "stated": _("stated"),
    "corrected": _("corrected"),
    "observed": _("observed"),
    "inferred": _("inferred"),
    "imported": _("imported"),
    "staff": _("by staff"),
}
ITEM_KINDS: Words = {
    "episodic": _("episodic"),
    "semantic": _("semantic"),
    "procedural": _("procedural"),
    "knowledge": _("knowledge"),
}
CHANGE_STATES: Words = {
    "proposed": _("proposed"),
    "applied": _("applied"),
    "rejected": _("rejected"),
    "expired": _("expired"),
    "withdrawn": _("withdrawn"),
    "merged": _("merged"),
    "reverted": _("reverted"),
}
CHANGE_ACTIONS: Words = {
    "create": _("first value"),
    "supersede": _("new value"),
    "reinforce": _("confirmed again"),
    "correct": _("corrected"),
    "retract": _("taken back"),
    "remove": _("removed"),
    "record_late": _("recorded late"),
    "schedule": _("scheduled"),
    "edit": _("edited"),
}
OUTCOMES: Words = {
    "stored": _("stored"),
    "reinforced": _("confirmed again"),
    "superseded": _("replaced the earlier value"),
    "historical": _("kept as history"),
    "scheduled": _("scheduled"),
    "in_review": _("waits for review"),
    "session_only": _("session only"),
    "refused": _("refused"),
    "duplicate": _("already known"),
}
JOB_STATES: Words = {"queued": _("queued"), "running": _("running"), "done": _("done"), "parked": _("parked")}
TARGETS: Words = {
    "field_version": _("field"),
    "item": _("memory item"),
    "form": _("field"),
    "event": _("event"),
}
ENTRY_KINDS: Words = {
    "form": _("form field"),
    "field_version": _("form field"),
    "item": _("memory item"),
    "event": _("event"),
    "window": _("conversation window"),
    "rule": _("business rule"),
    "slot": _("value of the conversation"),
}
CERTAINTIES: Words = {
    "fact": _("fact"),
    "inferred": _("inferred"),
    "policy": _("policy"),
    "said_by_agent": _("the agent said it"),
}
SECTIONS: Words = {
    "rules": _("rule"),
    "session": _("conversation"),
    "forms": _("form"),
    "timeline": _p("part of an answer", "timeline"),
    "fragments": _("fragment"),
}
LEGS: Words = {
    "session": _("conversation"),
    "forms": _("forms"),
    "rules": _("rules"),
    "events": _("events"),
    "meaning": _("meaning"),
    "words": _("words"),
    "entities": _("names"),
    "items": _("memory items"),
    "timeline": _("decisions in time"),
    "pointers": _("what words point at"),
    "gate": _("told apart by what is named"),
}
LEG_NOTES: Words = {
    "no pointer": _("nothing is only pointed at"),
    "nothing named": _("no order, ticket, project, product or person is named"),
    "empty query": _("the question is empty"),
    "no session named": _("no conversation was named"),
    "not asked for": _("not asked for"),
    "asked about another time": _("another time was asked about"),
    "nothing stands in the session": _("nothing stands in the conversation"),
    "the contexts that were named": _("the contexts that were named"),
    "the contexts that hold what was asked for": _("the contexts that hold what was asked for"),
    "the contexts of the kind that was asked about": _("the contexts of the kind that was asked about"),
    "the context spoken of last": _("the context spoken of last"),
    "something was named that the conversation is not about": _(
        "something was named that the conversation is not about"
    ),
    "the conversation as a whole": _("the conversation as a whole"),
    "no field named": _("the question names no field"),
    "no vectors now: answered by words, forms and events": _(
        "no vectors now: answered by words, forms and events"
    ),
}
LEG_STATES: Words = {"ok": _("ok"), "degraded": _("degraded"), "skipped": _("skipped")}

REASONS: Words = {
    # at the door
    "greeting": _("a greeting"),
    "acknowledgement": _("an acknowledgement"),
    "mood": _("a mood"),
    "vague_pointer": _("points at something unsaid"),
    "question": _("a question"),
    "hesitation": _("not decided yet"),
    "empty": _("no text"),
    "recalled_block": _("our own recall sent back"),
    "secret_masked": _("a secret was masked"),
    "role_not_mined": _("only what the owner says is read"),
    "commitment": _("a promise of the agent"),
    "instruction_like": _("looks like an instruction"),
    "secret": _("a secret"),
    # extraction
    "joke": _("a joke"),
    "hypothetical": _("hypothetical"),
    "fiction": _("fiction"),
    "one_off": _("one-off"),
    "other_person": _("about somebody else"),
    "quotation": _("a quotation"),
    "reported_speech": _("somebody else's words"),
    "double_negative": _("a double negative"),
    "denied": _("denied"),
    "former": _("no longer so"),
    "earlier_value_meant": _("means an earlier value"),
    "which_option": _("names no plan of several that it could mean"),
    # admission
    "field_not_allowed": _("field is not on the whitelist"),
    "writer_not_allowed": _("this writer may not write the field"),
    "low_confidence": _("too unsure"),
    "low_importance": _("too unimportant to keep"),
    "wrong_type": _("value of the wrong type"),
    "not_a_choice": _("value is not one of the choices"),
    "out_of_range": _("value out of range"),
    "too_long": _("value too long"),
    "blank_value": _("value is blank"),
    "too_many_members": _("value too large"),
    "too_deep": _("value nested too deep"),
    "text_too_long": _("value too long"),
    "number_not_finite": _("not a finite number"),
    "nul_character": _("unreadable characters"),
    "lone_surrogate": _("unreadable characters"),
    # gates
    "quote_not_in_event": _("the quote is not in the event"),
    "lookalike_name": _("a name that only looks like a known one"),
    "evidence_missing": _("no evidence"),
    "low_trust": _("source of low trust"),
    "procedure": _("a procedure"),
    "field_is_gated": _("the field is reviewed"),
    "payment": _("about payment"),
    "standing_prohibition": _("a standing prohibition"),
    # arbitration
    "lower_trust": _("less trusted than the current value"),
    "less_confident": _("less sure than the current value"),
    "key_attribute_change": _("changes a key attribute"),
    "confirm_with_owner": _("to be confirmed with the owner"),
    "reported_outdated": _("reported as outdated"),
    "another_value": _("the owner gave another value"),
    "desk_edit": _("edited at the desk"),
    "marked_key": _("marked as key attribute"),
    "unmarked_key": _("no key attribute any more"),
    "conflict": _("conflicts with the current value"),
    "removal": _("removes a value"),
    "nothing_to_remove": _("nothing to remove"),
    "removal_is_older_than_the_value": _("older than the current value"),
    "within_tolerance": _("within the tolerance"),
    "already_proposed": _("already proposed"),
    "same_day": _("said again on the same day"),
    "unchanged": _("nothing would change"),
    "edited": _("edited"),
    "last_turn_undone": _("took the turn before back"),
    "another_value_stands": _("another value stands, so there is nothing to take back"),
    "confirmed": _("confirms a guess"),
    "ends_before_it_begins": _("it ends before it begins"),
    "worker_lost": _("the worker was lost"),
    "processing_failed": _("it could not be processed"),
}

JOB_KINDS: Words = {"process_events": _("learn from events"), "embed": _("compute vectors")}
CHOICES: Words = {
    "likes": _("likes"),
    "dislikes": _("dislikes"),
    "open": _p("incident", "open"),
    "dispatched": _("dispatched"),
    "solved": _("solved"),
}
RULES: Words = {
    "other_context": _("another order, ticket or task of the conversation"),
    "session_beats_user": _("the conversation says otherwise"),
    "user_beats_domain": _("the owner has a value of his own"),
    "empty": _("says nothing"),
    "other_entity": _("about another order, ticket, project, product or person"),
    "budget": _("does not fit the budget"),
    "rules_share": _("beyond the share of rules"),
    "faded": _("faded"),
    "top_k": _("beyond the number of fragments"),
    "noise": _("says nothing about the question"),
    "near_duplicate": _("says nothing new"),
    "does_not_hold": _("does not hold at this time"),
    "superseded": _("what it says was replaced"),
    "pending": _("what it says waits for review"),
    "refused": _("what it says was refused"),
}

WORDS: dict[str, Words] = {
    "owner_kind": OWNER_KINDS,
    "owner_state": OWNER_STATES,
    "role": ROLES,
    "action": ACTIONS,
    "event_state": EVENT_STATES,
    "tier": TIERS,
    "status": STATUSES,
    "basis": BASES,
    "item_kind": ITEM_KINDS,
    "change_state": CHANGE_STATES,
    "change_action": CHANGE_ACTIONS,
    "outcome": OUTCOMES,
    "job_state": JOB_STATES,
    "target": TARGETS,
    "entry_kind": ENTRY_KINDS,
    "certainty": CERTAINTIES,
    "reason": REASONS,
    "job_kind": JOB_KINDS,
    "choice": CHOICES,
    "section": SECTIONS,
    "leg": LEGS,
    "leg_state": LEG_STATES,
    "leg_note": LEG_NOTES,
    "rule": RULES,
    **rollback_labels.WORDS,
    **REVIEW_WORDS,
    **provider_words.WORDS,
    **whitelist_words.WORDS,
    **policy_words.WORDS,
    **policy_trial_words.WORDS,
    **session_words.WORDS,
    **document_words.WORDS,
    **recall_words.WORDS,
    **relation_words.WORDS,
    **procedure_words.WORDS,
    **link_words.WORDS,
}
CHANGE_ACTIONS.update(rollback_labels.CHANGE_ACTIONS)
OUTCOMES.update(trust_words.OUTCOMES)
REASONS.update(trust_words.REASONS | session_words.REASONS)
REASONS.update(rollback_labels.REASONS | MORE_REASONS | provider_words.REASONS)
JOB_KINDS.update(rollback_labels.JOB_KINDS | document_words.JOB_KINDS | policy_trial_words.JOB_KINDS)
REASONS.update({code: word for code, word in recall_words.REASONS.items() if code not in REASONS})
WORDS["verdict"] = WORDS["verdict"] | recall_words.VERDICTS
ENTRY_KINDS.update(document_words.ENTRY_KINDS)
LEGS.update(document_words.LEGS | procedure_words.LEGS | link_words.LEGS)
SECTIONS.update(procedure_words.SECTIONS)
RULES.update(procedure_words.RULES | link_words.RULES)
WORDS["verdict"] = WORDS["verdict"] | procedure_words.VERDICTS
REASONS.update(link_words.REASONS)
LEG_NOTES.update(document_words.LEG_NOTES | relation_words.LEG_NOTES)
REASONS.update(relation_words.REASONS)
TARGETS.update(relation_words.TARGETS)
ENTRY_KINDS.update(relation_words.TARGETS)
LEGS.update(relation_words.LEGS)
WORDS["act"] = WORDS["act"] | relation_words.ACTS
whitelist_words.COLUMNS.update(relation_words.COLUMNS)
whitelist_words.PROBLEMS.update(relation_words.PROBLEMS)

CALM, GOOD, CARE, BAD = (
    "bg-neutral",
    "bg-success-subtle text-success-emphasis",
    "bg-warning-subtle text-warning-emphasis",
    "bg-danger-subtle text-danger-emphasis",
)
INFO = "bg-info-subtle text-info-emphasis"
TONES: dict[str, dict[str, str]] = {
    "owner_state": {"active": CALM, "frozen": INFO, "erasing": BAD},
    "event_state": {"accepted": INFO, "processed": CALM, "failed": BAD},
    "status": {"active": GOOD, "scheduled": INFO, "retracted": BAD},
    "basis": {"inferred": CARE, "corrected": INFO},
    "change_state": {"proposed": CARE, "applied": GOOD, "rejected": BAD, "reverted": CARE},
    "outcome": {"stored": GOOD, "reinforced": GOOD, "superseded": GOOD, "in_review": CARE, "refused": BAD},
    "job_state": {"parked": BAD, "running": INFO, "queued": INFO},
    "effect": {"restore": GOOD, "reapply": GOOD, "retract": CARE, "withdraw": CARE},
    "conflict": {"later_edit": CARE, "confirmed_elsewhere": CARE},
    "signal": {"harmful_feedback": BAD, "evidence_gone": BAD, "contradicted_later": CARE},
    "operation": {"undo": CARE, "redo": GOOD, "withdraw": CARE, "repropose": INFO},
    "document_standing": {"in_force": GOOD, "draft": CARE, "scheduled": INFO, "importing": INFO},
    "incident_state": {"open": CARE, "closed": CALM},
    "model_state": {"ok": GOOD, "degraded": CARE, "down": BAD},
    "embedder_state": {"ok": GOOD, "degraded": CARE, "down": BAD},
    "verdict": {"used": GOOD, "harmful": BAD},
    "policy_state": {"draft": INFO, "proposed": CARE, "approved": GOOD, "rejected": BAD},
    "review_mode": {"gate": CARE},
    "fate": {"stored": GOOD, "waits": CARE, "refused": BAD},
    **session_words.TONES,
    **policy_trial_words.TONES,
}


def word_for(code: str, vocabulary: str) -> str:
    """The word for a stored code; the code itself when there is none. `secret:card` is 'a secret' with its kind."""
    words = WORDS[vocabulary]
    family, _colon, kind = str(code).partition(":")
    if code not in words and family in words and kind:
        return f"{words[family]} ({kind})"
    return str(words.get(code, code))


def tone_for(code: str, vocabulary: str) -> str:
    """The badge classes of a code: quiet unless it asks for attention."""
    return TONES.get(vocabulary, {}).get(code, CALM)


def choices(vocabulary: str) -> list[tuple[str, str]]:
    return [(code, str(word)) for code, word in WORDS[vocabulary].items()]
