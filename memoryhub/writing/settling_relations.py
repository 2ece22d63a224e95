"""Steps 4 to 6 for one relation: the vocabulary, admission, arbitration, applying or proposing; every way out has a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from memoryhub.changes.regressions import guard_regressed
from memoryhub.writing.admission import Admission, admit_relation
from memoryhub.writing.applying import happened_at
from memoryhub.writing.applying_relations import apply_relation
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.masking import mask_relation
from memoryhub.writing.naming_entities import aligned_relation
from memoryhub.writing.open_orders import with_open_order
from memoryhub.writing.settling import Settling, circumstances_of, not_stored, with_located_quote
from memoryhub.writing.vocabulary import Vocabulary, check_relation, load_vocabulary, named_in_full


def settle_relation(candidate: RelationCandidate, *, settling: Settling, vocabulary: Vocabulary) -> Verdict:
    """Settle one relation inside the caller's transaction. Nothing is raised for one that is not admitted."""
    act = settling.act
    candidate, found = with_located_quote(candidate, act)
    candidate = named_in_full(mask_relation(candidate), owner_kind=act.owner.kind)
    if code := _fault(candidate, settling, vocabulary):
        return not_stored(
            Admission(verdict="refuse", code=code), settling, kind="relation", what=candidate.relation
        )
    candidate = aligned_relation(candidate, act=act)
    circumstances = circumstances_of(candidate, found, settling)
    kind = vocabulary.relations[candidate.relation]
    admission = admit_relation(candidate, kind=kind, circumstances=circumstances, policy=act.policy)
    admission = guard_regressed(candidate, admission, circumstances=circumstances, act=act)
    if admission.verdict in ("refuse", "session_only"):
        return not_stored(admission, settling, kind="relation", what=candidate.relation)
    return apply_relation(
        candidate=candidate,
        admission=admission,
        circumstances=circumstances,
        vocabulary=vocabulary,
        act=act,
    )


def settle_said_relations(relations: Sequence[RelationCandidate], *, settling: Settling) -> list[Verdict]:
    """What an event said of how things are related, after what the session is about is known."""
    if not relations:
        return []
    vocabulary = load_vocabulary(workspace_id=settling.act.owner.workspace_id)
    meant = (with_open_order(each, act=settling.act) for each in relations)
    return [
        settle_relation(each, settling=settling, vocabulary=vocabulary) for each in meant if each is not None
    ]


def _fault(candidate: RelationCandidate, settling: Settling, vocabulary: Vocabulary) -> str:
    if code := check_relation(candidate, vocabulary=vocabulary):
        return code
    begins = candidate.valid_from or happened_at(settling.act)
    is_over = candidate.valid_until is not None and candidate.valid_until < begins
    return "ends_before_it_begins" if is_over else ""
