"""A diagnosis as the page tells it: sentences with words for codes, the way with the step that lost it, and where to go next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memoryhub.diagnosing.answers import STEPS, Finding, Step
from memoryhub.diagnosing.letting_in import LetIn, say_how
from memoryhub.diagnosing.sentences import Language, Said, say
from memoryhub.models import Agent, Owner
from reviews.labels import WORDS, word_for
from reviews.queries.names import staff_names

type Link = tuple[str, Promise | str]
"""An address and what stands there."""

_VOCABULARIES: dict[Step, tuple[str, ...]] = {
    "not_admitted": ("reason", "slot_held"),
    "superseded": ("status", "change_state", "slot_reason", "rule"),
    "expired_or_cold": ("status", "tier", "slot_reason", "rule"),
    "filtered": ("rule", "reason"),
    "outranked": ("rule", "reason"),
    "cut_by_budget": ("rule",),
    "served": ("section",),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A finding with its sentences, its code in words and its links."""

    finding: Finding
    said: Said
    code: str
    links: Sequence[Link]


@dataclass(frozen=True, kw_only=True, slots=True)
class LetInTold:
    found: LetIn
    said: Said
    agent: str
    people: dict[int | None, str]
    links: Sequence[Link]


def as_told(finding: Finding, owner: Owner, language: Language) -> Told:
    code = code_in_words(finding)
    return Told(
        finding=finding, said=say(finding, language, code=code), code=code, links=_links(finding, owner)
    )


def code_in_words(finding: Finding) -> str:
    """The code in the reader's language, from the vocabulary it belongs to; as it is when none has it."""
    for vocabulary in _VOCABULARIES.get(finding.step, ("reason",)):
        if finding.code in WORDS[vocabulary]:
            return word_for(finding.code, vocabulary)
    return word_for(finding.code, "reason")


def as_way(step: Step) -> list[tuple[Step, str]]:
    """Every step with 'passed', 'lost' (or 'reached', when it was served) and 'ahead'."""
    lost = STEPS.index(step)
    ends = "reached" if step == "served" else "lost"
    return [(one, "passed" if i < lost else ends if i == lost else "ahead") for i, one in enumerate(STEPS)]


def _links(finding: Finding, owner: Owner) -> list[Link]:
    at = {"event": finding.event_id, "review_item": finding.review_id, "change": finding.change_id}
    words = {"event": _("the turn"), "review_item": _("the review"), "change": _("the proposal")}
    links: list[Link] = [
        (reverse(f"reviews:{name}", args=[owner.id, target]), words[name])
        for name, target in at.items()
        if target
    ]
    if finding.kind in ("item", "field_version") and finding.target_id:
        links.append((reverse("reviews:memory", args=[owner.id, finding.target_id]), _("the memory")))
    if finding.form_id and finding.field_name:
        address = reverse("reviews:versions", args=[owner.id, finding.form_id, finding.field_name])
        links.append((address, _("the history of the value")))
    if finding.step == "not_admitted" and finding.form_type and finding.field_name:
        address = reverse("reviews:whitelist_field", args=[finding.form_type, finding.field_name])
        links.append((address, _("the rule of the field")))
    return links


def let_in_told(found: LetIn, owner: Owner, language: Language) -> LetInTold:
    at = {
        "event": found.event_id,
        "review_item": found.review_id,
        "change": found.change_id,
        "change_set": found.change_set_id,
        "document": found.document_id,
    }
    words = {
        "event": _("the turn"),
        "review_item": _("the review"),
        "change": _("the change"),
        "change_set": _("all changes of that act"),
        "document": _("the document"),
    }
    agents = dict(Agent.objects.filter(id=found.agent_id).values_list("id", "name")) if found.agent_id else {}
    return LetInTold(
        found=found,
        said=say_how(found, language),
        agent=agents.get(found.agent_id, "") if found.agent_id else "",
        people=staff_names(yes.user_id for yes in found.approved),
        links=[
            (reverse(f"reviews:{name}", args=[owner.id, target]), words[name])
            for name, target in at.items()
            if target
        ],
    )
