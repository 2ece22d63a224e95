"""Names that are known already: another spelling of one is that one, and one that only looks like it is flagged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from memoryhub.language.names import is_lookalike, name_key
from memoryhub.models import Form, MemoryItem
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import FormCandidate, ItemCandidate

LOOKALIKE = "lookalike_name"


def aligned_item(candidate: ItemCandidate, *, act: Act) -> ItemCandidate:
    """The sentence; it carries a flag for review when its subject looks like a known one and is another."""
    return _flagged(candidate, _known_entities(candidate, act), candidate.subject_entity)


def known_subject(*, owner_id: UUID, form_type: str, subject: str) -> str:
    """The subject as the owner's forms of this type spell it already, or as it was given when it is new."""
    return _spelt(subject, () if not subject else _subjects(owner_id, form_type, subject))


def aligned_field(candidate: FormCandidate, *, act: Act) -> FormCandidate:
    """The value under its subject as the owner's forms spell it; flagged when that looks like a known one and is another."""
    if not candidate.subject:
        return candidate
    known = _subjects(act.owner.id, candidate.form_type, candidate.subject)
    spelt = _spelt(candidate.subject, known)
    return _flagged(replace(candidate, subject=spelt), known, spelt)


def _spelt(subject: str, known: Iterable[str]) -> str:
    key = name_key(subject)
    return next((each for each in known if name_key(each) == key), subject)


def _subjects(owner_id: UUID, form_type: str, subject: str) -> list[str]:
    """The one known subject when it is spelt exactly so, else all of the form type."""
    named = Form.objects.of(owner_id).filter(form_type__name=form_type).exclude(subject="")
    if named.filter(subject=subject).exists():
        return [subject]
    return list(named.order_by("created_at", "id").values_list("subject", flat=True))


def _known_entities(candidate: ItemCandidate, act: Act) -> list[str]:
    """Subjects of the owner's sentences, as keys; only the candidate's own when it is one of them."""
    if not (candidate.subject_entity and candidate.attribute):
        return []
    chained = MemoryItem.objects.of(act.owner.id).exclude(attribute="")
    key = name_key(candidate.subject_entity)
    if chained.filter(subject_entity=key).exists():
        return [key]
    return list(chained.order_by().values_list("subject_entity", flat=True).distinct())


def _flagged[C: (FormCandidate, ItemCandidate)](candidate: C, known: Iterable[str], name: str) -> C:
    if not any(is_lookalike(name, each) for each in known):
        return candidate
    return replace(candidate, flags=(*candidate.flags, LOOKALIKE))
