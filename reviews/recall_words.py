"""Words of the recall pages: steps of a diagnosis, how something was found, stages, verdicts, doors."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

STEPS: Words = {
    "never_recorded": _("recorded"),
    "screened": _("let in at the door"),
    "not_extracted": _("read"),
    "not_admitted": _("admitted"),
    "waiting_for_review": _("approved"),
    "superseded": _("still the current value"),
    "expired_or_cold": _("still fresh"),
    "filtered": _("not filtered out"),
    "outranked": _("near enough"),
    "cut_by_budget": _("within the budget"),
    "served": _p("recall", "served"),
}
"""What each step is called when it went well: the way from a turn to a served line."""
HOWS: Words = {
    "id": _("by its id"),
    "field": _("by its field"),
    "exact": _("the same words"),
    "words": _("most of its words"),
    "meaning": _("its meaning"),
}
STAGES: Words = {
    "found": _("found by the legs"),
    "ranked": _("ranked"),
    "left_out": _("left out"),
    "served": _("lines served"),
    "tokens": _("tokens"),
}
JUDGEMENTS: Words = {
    "relevant": _("relevant"),
    "polluting": _("beside the point"),
    "missed": _("should have been told"),
}
ANSWERED: Words = {
    "nothing": _("nothing was served"),
    "cut": _("cut by the budget"),
    "session_missed": _("the conversation had no answer"),
    "desk": _("looks from the desk"),
}
FINDING_KINDS: Words = {
    "field_version": _("form value"),
    "item": _("memory item"),
    "change": _("proposal"),
    "event": _("event"),
    "document": _("passage of a document"),
    "form": _("form value"),
    "rule": _("business rule"),
    "slot": _("value of the conversation"),
    "relation": _("relation"),
}
REASONS: Words = {
    "nothing_says_it": _("nothing says it"),
    "nothing_found": _("no rule found a fact in it"),
    "not_processed_yet": _("not read yet"),
    "learned_later": _("learned later"),
    "not_near": _("not among the nearest"),
    "not_yet_valid": _("not valid yet"),
    "kind_not_asked_for": _("its kind was not asked for"),
    "other_voices": _("other voices"),
    "another_session": _("said in another conversation"),
    "withdrawn": _("withdrawn"),
    "rejected": _("rejected"),
    "reverted": _("rolled back"),
}
FUNNEL: Words = {
    "asked": _("asked"),
    "answered": _("answered with something"),
    "judged": _("judged"),
    "helped": _("something of it was used"),
    "considered": _("looked at"),
    "told": _("told"),
    "memories_judged": _("judged of those"),
    "used": _("used"),
    "missed": _("left out, and should have been told"),
}
EXPLAINED: Words = {
    "pointers": _("pointers"),
    "notes": _("said with the answer"),
    "layers": _("layers"),
    "gate": _("gate"),
}
PARTS: Words = {
    "name": _("layer"),
    "state": _("state"),
    "confidence": _("confidence"),
    "pointer": _("pointer"),
    "words": _("words"),
    "taken": _("taken for"),
    "choices": _("choices"),
    "kind": _("kind"),
    "text": _("text"),
}
"""What the parts of an explanation are called; others keep the name that agents read."""
CODES: dict[str, Words] = {
    "name": {
        "session": _("the conversation"),
        "user": _("the owner's own memory"),
        "domain": _("what is shared with the owner"),
    },
    "state": {
        "answered": _("had the answer"),
        "missed": _("had no answer"),
        "not_asked": _("not asked"),
        "resolved": _("clear"),
        "ambiguous": _("may mean several things"),
        "unresolved": _("means nothing that is known"),
    },
    "pointer": {
        "just_said": _("what was just said"),
        "usual": _("the usual"),
        "issue": _("the last issue"),
    },
}
"""Words of the codes that some parts hold."""
VERDICTS: Words = {"missed": _("should have been told")}
WORDS: dict[str, Words] = {
    "diagnosis_step": STEPS,
    "found_by": HOWS,
    "stage": STAGES,
    "judgement": JUDGEMENTS,
    "answered": ANSWERED,
    "finding_kind": FINDING_KINDS,
    "funnel": FUNNEL,
    "explained": EXPLAINED,
}
