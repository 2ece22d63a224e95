"""No secret leaves an event: what a candidate says is masked before it is settled."""

from __future__ import annotations

from dataclasses import replace

from memoryhub.language.masking import MASK, mask_secrets, masked, passes_luhn
from memoryhub.writing.candidates import Candidate, FormCandidate, RelationCandidate

__all__ = ["MASK", "mask_candidate", "mask_relation", "mask_secrets", "masked", "passes_luhn"]


def mask_candidate(candidate: Candidate) -> Candidate:
    """The candidate with the secrets in its texts masked; offsets of its quote stay."""
    quote = masked(candidate.quote)
    if isinstance(candidate, FormCandidate):
        return replace(
            candidate, value=masked(candidate.value), subject=masked(candidate.subject), quote=quote
        )
    return replace(
        candidate,
        content=masked(candidate.content),
        entities=masked(candidate.entities),
        subject_entity=masked(candidate.subject_entity),
        attribute=masked(candidate.attribute),
        value=masked(candidate.value),
        procedure=masked(candidate.procedure),
        quote=quote,
    )


def mask_relation(candidate: RelationCandidate) -> RelationCandidate:
    return replace(
        candidate,
        from_name=masked(candidate.from_name),
        to_name=masked(candidate.to_name),
        value=masked(candidate.value),
        quote=masked(candidate.quote),
    )
