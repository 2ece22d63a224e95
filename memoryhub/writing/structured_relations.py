"""Relations and names written by agents and staff: they walk the same steps as what is read in events, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memoryhub import idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.models.entity import SAME_AS
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.screening import screened_text
from memoryhub.writing.settling_relations import settle_relation
from memoryhub.writing.source import Source
from memoryhub.writing.structured import check_text, close_act, open_act
from memoryhub.writing.verdicts import as_json
from memoryhub.writing.vocabulary import load_vocabulary

MOST_RELATIONS = 100
MOST_ALIASES = 32


@run_again_when_busy
def write_relations(
    *,
    owner_id: UUID,
    relations: Sequence[RelationCandidate],
    source: Source,
    evidence_event_id: UUID | None = None,
    session_ref: str = "",
    name: str = "write_relation",
    reason: str = "",
) -> list[Verdict]:
    """Write relations of one owner as one change set; a verdict each, in the order given. `name` is that of the act.

    Raises InvalidInput for unusable text or more than MOST_RELATIONS, NotFound for an unknown evidence event, QuotaExceeded, and
    the owner errors; nothing is raised for a relation that is not admitted.
    """
    if len(relations) > MOST_RELATIONS:
        raise InvalidInput(f"relations: at most {MOST_RELATIONS}", field="relations", code="too_many")
    for relation in relations:
        check_text(_texts(relation))
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        settling = open_act(
            owner_id,
            source,
            name=name,
            evidence_event_id=evidence_event_id,
            text=screened_text(*(text for relation in relations for text in _texts(relation).values())),
            session_ref=session_ref,
        )
        settling.act.reason = reason
        lock_items(act=settling.act)
        vocabulary = load_vocabulary(workspace_id=source.workspace_id)
        verdicts = []
        for relation in relations:
            verdicts.append(settle_relation(relation, settling=settling, vocabulary=vocabulary))
        close_act(settling)
        idempotency.keep_answer(as_json(verdicts))
    return verdicts


def _texts(relation: RelationCandidate) -> dict[str, str]:
    return {
        "from": relation.from_name,
        "to": relation.to_name,
        "value": relation.value,
        "quote": relation.quote,
    }


def name_entity(
    *,
    owner_id: UUID,
    kind: str,
    name: str,
    aliases: Sequence[str],
    source: Source,
    evidence_event_id: UUID | None = None,
    quote: str = "",
    confidence: float | None = None,
) -> list[Verdict]:
    """Say by which other names a thing is known: a verdict per alias. Raises as `write_relations`."""
    if len(aliases) > MOST_ALIASES:
        raise InvalidInput(f"aliases: at most {MOST_ALIASES}", field="aliases", code="too_many")
    same = RelationCandidate(
        relation=SAME_AS,
        from_kind=kind,
        to_kind=kind,
        to_name=name,
        quote=quote,
        confidence=confidence,
    )
    return write_relations(
        owner_id=owner_id,
        relations=[replace(same, from_name=alias) for alias in aliases],
        source=source,
        evidence_event_id=evidence_event_id,
        name="name_entity",
    )
