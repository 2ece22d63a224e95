"""'Why did it not know?': the recall is asked again as at its moment, and what should have been known is followed from the turn on.

Nothing is written: no trace, no access counted. Foreign ids are answered as unknown ones.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memoryhub.database.scope import scope
from memoryhub.diagnosing.answers import Diagnosis, Expected, Finding
from memoryhub.diagnosing.fates import best, fates, of_answer
from memoryhub.diagnosing.finding import Bearers, find_bearers
from memoryhub.diagnosing.likeness import folded
from memoryhub.diagnosing.told import Told, told_by
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.language.embedders import EmbeddingUnavailable, Vectors, current_embedder
from memoryhub.language.embedders.metering import charged_to
from memoryhub.language.masking import mask_secrets
from memoryhub.language.text import find_text_fault
from memoryhub.models import FieldDefinition, FieldVersion, MemoryItem, Recall
from memoryhub.recall.answers import Caller, RecallAnswer, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.recall.replaying import request_of
from memoryhub.search_index import search_no

LONGEST_EXPECTED = 2_000
MOST_OTHERS = 5


def find_recall(*, workspace_id: UUID, owner_id: UUID, recall_id: UUID) -> Recall:
    """One logged recall of the owner. Raises NotFound for one that is not his."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="diagnose"):
        found = Recall.objects.of(owner_id).filter(id=recall_id).first()
    if found is None:
        raise NotFound("no such recall of this owner")
    return found


def diagnose(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    expected: Expected,
    caller: Caller,
    request: RecallRequest | None = None,
    recall_id: UUID | None = None,
) -> Diagnosis:
    """The first step that lost what was expected of a recall: of the one that is named, or of `request` asked now.

    Raises NotFound for a recall or an id that is not the owner's, InvalidInput for words without a letter or a field that
    is not on the whitelist, and what `recall` raises.
    """
    _check(expected, workspace_id)
    logged = (
        find_recall(workspace_id=workspace_id, owner_id=owner_id, recall_id=recall_id) if recall_id else None
    )
    asked = request_of(logged, as_then=True) if logged else request
    assert asked is not None, "either a recall or a request"
    answer = recall(
        workspace_id=workspace_id,
        owner_id=owner_id,
        request=replace(asked, explain=True, evaluation=True),
        caller=caller,
    )
    if answer.valid_at is None or answer.known_at is None:  # a frozen owner's recall looks at nothing
        raise InvalidInput("memory of a frozen owner is not served", field="owner", code="owner_frozen")
    told = _told(answer, asked, logged)
    bearers = _bearers(workspace_id, owner_id, expected)
    if expected.target_id is not None and not bearers.how:
        raise NotFound("no such memory of this owner")
    others = of_answer(answer, expected.text, told, bearers.how.keys()) if expected.text else []
    findings = fates(bearers, told, others)
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="diagnose"):
        findings = _with_successors(findings[: MOST_OTHERS + 1], owner_id)
    return Diagnosis(
        owner_id=owner_id,
        question=asked.query,
        asked_at=logged.created_at if logged else told.known_at,
        first=best(findings),
        others=tuple(findings[1:]),
        recall_id=recall_id,
        tokens=logged.tokens if logged else answer.tokens,
        budget=answer.budget_tokens,
    )


def _check(expected: Expected, workspace_id: UUID) -> None:
    if fault := find_text_fault(expected.text, field="expected", max_length=LONGEST_EXPECTED):
        raise InvalidInput(fault.code.replace("_", " "), field=fault.field, code=fault.code)
    if expected.text and not folded(expected.text):
        raise InvalidInput("holds no letter and no digit", field="expected", code="blank")
    if expected.field and not _is_known(expected, workspace_id):
        raise InvalidInput("no such field on the whitelist", field="field", code="field_not_allowed")


def _is_known(expected: Expected, workspace_id: UUID) -> bool:
    return FieldDefinition.objects.filter(
        form_type__workspace_id=workspace_id, form_type__name=expected.form_type, name=expected.field
    ).exists()


def _told(answer: RecallAnswer, asked: RecallRequest, logged: Recall | None) -> Told:
    assert answer.valid_at is not None and answer.known_at is not None
    return told_by(
        answer,
        valid_at=answer.valid_at,
        known_at=answer.known_at,
        kinds=asked.kinds,
        traced=(logged.served, logged.excluded) if logged else None,
    )


def _bearers(workspace_id: UUID, owner_id: UUID, expected: Expected) -> Bearers:
    with charged_to(workspace_id):
        vector, model = _embedded(expected.text)
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="diagnose"):
        return find_bearers(
            owner_id=owner_id,
            search_no=search_no(owner_id),
            expected=replace(expected, text=mask_secrets(expected.text)[0]),
            vector=vector,
            model=model,
        )


def _embedded(text: str) -> tuple[Vectors | None, str]:
    """The vector of the expected words, as a stored text has one; without vectors the words alone are looked for."""
    embedder = current_embedder()
    if not text:
        return None, embedder.name
    try:
        return embedder.embed_passages([text])[0], embedder.name
    except EmbeddingUnavailable:
        return None, embedder.name


def _with_successors(findings: list[Finding], owner_id: UUID) -> list[Finding]:
    """The id and the event of what took the place of a replaced value; two statements."""
    versions = {
        (one.form_id, one.field_name, one.successor_version)
        for one in findings
        if one.kind == "field_version" and one.successor_version
    }
    seqs = [one.successor_version for one in findings if one.kind == "item" and one.successor_version]
    rows = FieldVersion.objects.of(owner_id).filter(
        form_id__in=[form for form, _field, _number in versions],
        version__in=[number for _form, _field, number in versions],
    )
    next_values: dict[tuple[UUID | None, str, int | None], tuple[UUID, datetime]] = {
        (form, field, number): (target, at)
        for form, field, number, target, at in rows.values_list(
            "form_id", "field__name", "version", "id", "known_from"
        )
    }
    items = MemoryItem.objects.of(owner_id).filter(seq__in=seqs).values_list("seq", "id", "known_from")
    next_items = {seq: (target, at) for seq, target, at in items}
    return [_succeeded(one, next_values, next_items) for one in findings]


def _succeeded(
    finding: Finding,
    values: dict[tuple[UUID | None, str, int | None], tuple[UUID, datetime]],
    items: dict[int, tuple[UUID, datetime]],
) -> Finding:
    key = (finding.form_id, finding.field_name, finding.successor_version)
    found = values.get(key) if finding.kind == "field_version" else items.get(finding.successor_version or 0)
    if found is None:
        return finding
    return replace(finding, successor_id=found[0], ended_at=found[1])
