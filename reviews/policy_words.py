"""Words of the policy pages: what each number is, its unit and group, states, and what would become of a write."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

NUMBERS: Words = {
    "least_confidence": _("Least confidence"),
    "least_importance": _("Least importance"),
    "evidence_from_importance": _("Evidence is needed from importance"),
    "gate_from_importance": _("Counts as important from importance"),
    "untrusted_up_to_tier": _("Untrusted up to tier"),
    "inferred_lifetime_days": _("A guess holds for"),
    "item_importance_semantic": _("Importance of a fact nobody rated"),
    "item_importance_episodic": _("Importance of an experience nobody rated"),
    "default_confidence": _("Confidence nobody claimed"),
    "review_due_hours": _("A review is due within"),
    "review_due_hours_top": _("A review of the highest class is due within"),
    "patrol_share": _("Share that is sampled"),
    "patrol_share_important": _("Share of the important that is sampled"),
    "undo_seconds": _("A decision can be undone for"),
    "gated_agents": _("Agents whose writes wait"),
    "question_lifetime_days": _("A question waits for"),
    "unprocessed_events_per_owner": _("Unprocessed events of an owner"),
    "open_jobs_per_workspace": _("Open jobs of the workspace"),
    "writes_per_hour_of_owner": _("Writes an hour about one owner"),
    "writes_per_hour_of_agent": _("Writes an hour of one agent"),
    "writes_per_hour_of_document": _("Writes an hour from one document"),
    "weight_meaning": _("Weight of meaning"),
    "weight_entity": _("Weight of names"),
    "weight_recency": _("Weight of recency"),
    "weight_importance": _("Weight of importance"),
    "recency_base": _("Recency kept after each period"),
    "recency_period_days": _("Period of recency"),
    "cover_weight": _("Weight of covered words"),
    "heat_decay_per_day": _("Heat lost per day"),
    "decision_decay_per_day": _("Heat of a decision lost per day"),
    "least_recalled_heat": _("Recalled from heat"),
    "cold_below_heat": _("Cold below heat"),
    "top_k": _("Fragments in an answer"),
    "budget_tokens": _("Tokens of an answer"),
    "most_budget_tokens": _("Most tokens of an answer"),
    "rules_share_of_budget": _("Share of the budget for rules"),
    "recall_durability": _("Traces of recalls"),
    "stale_document_days": _("A document counts as stale after"),
    "session_slot_minutes": _("A value of a session lives for"),
    "session_idle_minutes": _("A session without a word ends after"),
    "confidence_session": _("Confidence of what the session says"),
    "confidence_user": _("Confidence of what the owner said"),
    "confidence_policy": _("Confidence of what documents say"),
}
GROUPS: Words = {
    "admission": _("What is let in"),
    "review": _("Review"),
    "recording": _("Recording"),
    "ranking": _("Ranking"),
    "heat": _("Heat"),
    "assembling": _("Assembling an answer"),
    "layers": _("How far each layer is trusted"),
    "sessions": _("Sessions"),
    "knowledge": _("Knowledge"),
    "other": _("Other numbers"),
}
UNITS: Words = {
    "share": _("0 to 1"),
    "tier": _p("unit", "trust tier"),
    "days": _p("unit", "days"),
    "hours": _p("unit", "hours"),
    "minutes": _p("unit", "minutes"),
    "seconds": _p("unit", "seconds"),
    "events": _p("unit", "events"),
    "jobs": _p("unit", "jobs"),
    "writes": _p("unit", "writes; 0: no limit"),
    "tokens": _p("unit", "tokens"),
}
DURABILITIES: Words = {
    "async": _("written a moment later (a crash may lose 0.6 s of them)"),
    "sync": _("on the disk before the answer"),
}
STATES: Words = {
    "draft": _("draft"),
    "proposed": _("waits for a second person"),
    "approved": _("approved"),
    "rejected": _("rejected"),
    "withdrawn": _("withdrawn"),
}
ORIGINS: Words = {
    "starter": _("came with the workspace"),
    "person": _("by a person"),
    "rule": _("by the patrol rule"),
}
FATES: Words = {
    "stored": _p("fate", "stored at once"),
    "waits": _p("fate", "waits for review"),
    "session_only": _p("fate", "kept for the session only"),
    "refused": _p("fate", "turned away"),
}

WORDS: dict[str, Words] = {
    "policy_number": NUMBERS,
    "policy_group": GROUPS,
    "policy_unit": UNITS,
    "durability": DURABILITIES,
    "policy_state": STATES,
    "policy_origin": ORIGINS,
    "fate": FATES,
}
